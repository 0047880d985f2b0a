import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const NOT_OURS = new Set(["node_modules", "target", "build", ".data", ".git"]);

/** The project's files, as paths from its root: the files that git tracks or would add; without git, all that is not built. */
export function listFiles(root: string): string[] {
  if (existsSync(join(root, ".git"))) {
    const text = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 10_000_000,
      timeout: 10_000,
    });
    return [...new Set(text.split("\0"))].filter((path) => path !== "" && existsSync(join(root, path))).sort();
  }
  return walk(root, "").sort();
}

/** The files that differ between the commit and the working tree, or are new there. */
export function listChanged(root: string, commit: string): string[] {
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd: root, encoding: "utf8", maxBuffer: 10_000_000, timeout: 10_000 }).split("\0");
  const differ = git("diff", "--name-only", "--no-renames", "-z", commit);
  const added = git("ls-files", "-z", "--others", "--exclude-standard");
  return [...differ, ...added].filter((path) => path !== "");
}

function walk(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (NOT_OURS.has(entry.name)) return [];
    return entry.isDirectory() ? walk(root, path) : [path];
  });
}

export const readText = (root: string, path: string): string => readFileSync(join(root, path), "utf8");

/** A module in any package or folder, `.tsx` included. */
export const isModule = (path: string): boolean => /\.(ts|tsx|mjs)$/.test(path);

const BINARY = /\.(so|bin|png|ico|woff2|gz)$/;
export const isText = (path: string): boolean => !BINARY.test(path);

/** Tests and what only they use. The package `testing` is for the tests of others. */
export const isTest = (path: string): boolean =>
  /(^|\/)(tests|e2e)\/|\/testing\/|\.test\.tsx?$|(^|\/)(testing|fixtures)\.tsx?$/.test(path);

/** The folder of the package that a file belongs to; the repository itself is the package "". */
export const packageOf = (path: string): string =>
  /^(?:(?:web|examples|plugins)\/[^/]+|[^/]+)(?=\/)/.exec(path)?.[0] ?? "";
