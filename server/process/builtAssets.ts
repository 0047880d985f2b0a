import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The cache is next to the packages: the built files belong to the installed versions. */
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/holdfast", import.meta.url));

/**
 * Builds from sources once for each `hash` of them, and caches the result. If the project's folder is read-only, it builds
 * at every start.
 */
export async function keepBuilt<Built>(name: string, hash: string, build: () => Promise<Built>): Promise<Built> {
  const path = join(CACHE, `${name}-${hash}.json`);
  const kept = await readFile(path, "utf8").catch(() => null);
  if (kept !== null) return JSON.parse(kept) as Built;
  const built = await build();
  const part = `${path}.${process.pid}`;
  await mkdir(CACHE, { recursive: true })
    .then(() => writeFile(part, JSON.stringify(built)))
    .then(() => rename(part, path))
    .catch(() => undefined); // the installation is read-only: the next start builds again
  return built;
}

/** Returns one hash for the matching files of folders, tests excepted, and for single files. */
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
  for (const file of files) hash.update("\n").update(await readFile(file));
  return hash.digest("hex").slice(0, 32);
}
