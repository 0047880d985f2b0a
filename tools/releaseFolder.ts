// Writes a release into a folder: everything that whoever publishes it needs, the same bytes for the same commit.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
// @ts-expect-error: plain JavaScript, without types.
import { drawBill } from "./bill.mjs";
import { PUBLISHED, type PublishedName, packPackages } from "./packages.ts";

const ROOT = dirname(import.meta.dirname);
const BYTES_MAX = 200_000_000;
const RUN_MS_MAX = 120_000;
const SUMS = "SHA256SUMS";

/** What an auditor of the escrow program starts from, in the places where the documents name each other. */
const AUDITED = [
  "LICENSE",
  "SECURITY.md",
  "docs/audit.md",
  "docs/decisions",
  "docs/proof.md",
  "docs/specification.md",
  "escrow-client",
  "program",
];
const PROGRAM_FILES = ["holdfast_escrow.so", "manifest.json", "idl.json"];

const git = (...words: string[]): Buffer =>
  execFileSync("git", words, { cwd: ROOT, maxBuffer: BYTES_MAX, timeout: RUN_MS_MAX });
const gitLine = (...words: string[]): string =>
  git(...words)
    .toString()
    .trim();

/** The commit that is released, and the time that stands for every time in the folder. */
export interface Commit {
  readonly version: string;
  readonly commit: string;
  readonly seconds: number;
}

export async function readCommit(): Promise<Commit> {
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { version: string };
  const [commit, seconds] = gitLine("log", "-1", "--format=%H %ct").split(" ");
  return { version, commit: commit!, seconds: Number(seconds) };
}

/** The paths that differ from the commit, which a release would not have. */
export const listUncommitted = (): string[] =>
  gitLine("status", "--porcelain")
    .split("\n")
    .filter((line) => line !== "");

/** The part of the changelog about a version, as Markdown of its own. */
export function notesOf(changelog: string, version: string): string {
  const [, part] = changelog.split(`\n## ${version}\n`);
  if (part === undefined) throw new Error(`CHANGELOG.md has no section ${version}.`);
  return `# Holdfast ${version}\n${part.split(/\n## (?=\d)/)[0]!.trimEnd()}\n`;
}

/** Writes the release into a folder, which is emptied first; returns its checksums, one file a line. */
export async function writeRelease(
  folder: string,
  packages: readonly PublishedName[] = PUBLISHED,
): Promise<readonly string[]> {
  const released = await readCommit();
  const { version, commit, seconds } = released;
  const at = (...path: string[]) => join(folder, ...path);
  await rm(folder, { recursive: true, force: true });
  for (const one of ["packages", "program", "image", "audit"]) await mkdir(at(one), { recursive: true });

  await packPackages(at("packages"), packages);
  for (const name of PROGRAM_FILES) await cp(join(ROOT, "program", name), at("program", name));
  const prefix = `holdfast-${version}`;
  const sources = git("archive", "--format=tar", `--prefix=${prefix}/`, commit);
  await writeFile(at("image", `${prefix}.tar.gz`), gzipSync(sources, { level: 9 }));
  execFileSync("tar", ["-x", "-C", at("audit")], { input: git("archive", "--format=tar", commit, ...AUDITED) });
  const lockfile = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8"));
  await writeFile(at("holdfast.cdx.json"), `${JSON.stringify(drawBill(lockfile, released), null, 1)}\n`);
  await writeFile(at("NOTES.md"), notesOf(await readFile(join(ROOT, "CHANGELOG.md"), "utf8"), version));
  const manifest = await readFile(join(ROOT, "program/manifest.json"), "utf8");
  const { program } = JSON.parse(manifest) as { readonly program: string };
  await writeFile(at("README.md"), readmeOf(released, program));

  const files = await listFilesOf(folder);
  const sums = await Promise.all(files.map(async (path) => `${sha256(await readFile(at(path)))}  ${path}`));
  await writeFile(at(SUMS), `${sums.join("\n")}\n`);
  for (const path of [...files, SUMS]) await utimes(at(path), seconds, seconds);
  return sums;
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

async function listFilesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

const readmeOf = ({ version, commit, seconds }: Commit, program: string): string => `# Holdfast ${version}

Commit ${commit} of ${new Date(seconds * 1000).toISOString()}. \`npm run release\` wrote this folder; at the same commit it writes the same bytes. Nothing of it is published.

Check it: \`sha256sum --check --quiet ${SUMS}\`

| What | Where | To publish |
| --- | --- | --- |
| packages | \`packages\` | \`npm publish <archive>\` for each |
| escrow program, SBPF v3 | \`program\`, SHA-256 ${program} | [deploy it](audit/program/DEPLOYING.md) |
| sources, context of the image | \`image\` | as below |
| bill of materials (CycloneDX) | \`holdfast.cdx.json\` | beside the packages |
| notes | \`NOTES.md\` | as the text of the release |
| for an auditor of the program | \`audit\`, from [its page](audit/docs/audit.md) on | – |

## Install

The service: unpack \`image/holdfast-${version}.tar.gz\` and follow \`docs/how-to/go-live.md\` in it. A shop's tools: \`npm install packages/*.tgz\`, with Node.js 22.12 or newer. Both take the packages of others from npm's registry.

## The image

It is not in this folder: building it needs a registry of images, or Debian's packages and root. Both architectures, with Docker:

\`\`\`sh
tar -xzf image/holdfast-${version}.tar.gz && cd holdfast-${version}
docker buildx build --platform linux/amd64,linux/arm64 -f deploy/image/Containerfile -t holdfast:${version} \\
  --build-arg VERSION=${version} --build-arg REVISION=${commit} --build-arg SOURCE_DATE_EPOCH=${seconds} .
\`\`\`

Without a registry of images, in a clone of the repository at this commit: \`deploy/image/build.sh --arch amd64\`, then \`--arch arm64\`. What was tried of both is on the page about containers, \`docs/how-to/run-in-containers.md\` of the sources.
`;
