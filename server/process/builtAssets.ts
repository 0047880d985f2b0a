import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { needsDevelopment } from "./development.ts";

/** The folder of built pages. An installation without the packages that build them brings it along. */
const BUILT = fileURLToPath(new URL("../../build", import.meta.url));
/** The versions of all tools that build pages, and of the packages that pages contain. */
const LOCKFILE = fileURLToPath(new URL("../../package-lock.json", import.meta.url));

/**
 * Builds from sources once for each `hash` of them, and keeps the result in place of earlier ones. If the project's folder
 * is read-only, it builds at every start. Throws if nothing is built and the packages that build are missing.
 */
export async function keepBuilt<Built>(name: string, hash: string, build: () => Promise<Built>): Promise<Built> {
  const file = `${name}-${hash}.json`;
  const kept = await readFile(join(BUILT, file), "utf8").catch(() => null);
  if (kept !== null) return JSON.parse(kept) as Built;
  const built = await needsDevelopment(
    "The pages are not built",
    build,
    "npm run build, in an installation with all packages",
  );
  await keep(name, file, JSON.stringify(built)).catch(() => undefined); // the installation is read-only: the next start builds again
  return built;
}

async function keep(name: string, file: string, text: string): Promise<void> {
  const path = join(BUILT, file);
  const part = `${path}.${process.pid}`;
  await mkdir(BUILT, { recursive: true });
  await writeFile(part, text);
  await rename(part, path);
  const outdated = (await readdir(BUILT)).filter(
    (one) => one.startsWith(`${name}-`) && one.endsWith(".json") && one !== file,
  );
  await Promise.all(outdated.map((one) => rm(join(BUILT, one), { force: true })));
}

/** Returns one hash for the matching files of folders, tests excepted, for single files, and for the versions of all packages. */
export async function hashSources(
  folders: readonly string[],
  names: RegExp,
  files: readonly string[],
): Promise<string> {
  const hash = createHash("sha256");
  for (const folder of folders) {
    const found = (await readdir(folder, { recursive: true })).filter(
      (name) => names.test(name) && !/\.test\.tsx?$|node_modules/.test(name),
    );
    for (const name of found.sort()) hash.update(`\n${name}\n`).update(await readFile(join(folder, name)));
  }
  for (const file of [...files, LOCKFILE]) hash.update("\n").update(await readFile(file));
  return hash.digest("hex").slice(0, 32);
}
