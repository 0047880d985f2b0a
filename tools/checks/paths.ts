import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

const DOCUMENTS = ["README.md", "ARCHITECTURE.md"];
const EXTENSION = /\.(ts|mjs|js|json|jsonc|md|sql|toml|sh|so|rs|yml|yaml|css|html)$/;
/** Written by a run, so absent from the repository. */
const OF_A_RUN = /^(\.data|DATA_DIR|node_modules)(\/|$)|(^|\/)(ready\.json|postgres\.log|owner\.lock)$/;

/** The names between backticks that are meant as paths: with a folder of ours, an extension of ours, or a closing slash. */
function pathsIn(text: string, folders: ReadonlySet<string>): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "");
  const names = [...prose.matchAll(/`([^`\s]+)`/g)].map(([, name]) => name!.replace(/[.,;:]+$/, ""));
  return names.filter((name) => {
    if (!/^[\w.*@{},-]+(\/[\w.*@{},-]+)*\/?$/.test(name) || OF_A_RUN.test(name)) return false;
    return EXTENSION.test(name) || name.endsWith("/") || (name.includes("/") && folders.has(name.split("/")[0]!));
  });
}

/** Every path the documents name that no file has; a name without its folders may stand for a file anywhere. */
export function checkPaths(root: string, files: readonly string[]): string[] {
  const all = new Set(files.flatMap(withParents));
  const folders = new Set([...all].filter((path) => !path.includes("/")));
  return DOCUMENTS.filter((document) => existsSync(join(root, document))).flatMap((document) =>
    pathsIn(readFileSync(join(root, document), "utf8"), folders)
      .filter((name) => !isThere(name.replace(/^\.\//, "").replace(/\/$/, ""), all))
      .map((name) => `${document} names \`${name}\`, which does not exist.`),
  );
}

function isThere(name: string, all: ReadonlySet<string>): boolean {
  if (all.has(name)) return true;
  const paths = [...all];
  if (!/[*{]/.test(name)) return paths.some((path) => path.endsWith(`/${name}`));
  return paths.some((path) => posix.matchesGlob(path, name) || posix.matchesGlob(path, `**/${name}`));
}

const withParents = (path: string): string[] =>
  path.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));
