// Writes a release of the commit that is checked out into a folder (`npm run release -- [FOLDER]`): packages, program, sources
// of the image, bill of materials, notes, what an auditor starts from, and checksums. Nothing is published. `npm run release --
// --try FOLDER [--upgrade FOLDER [--stop-first]]` installs a release from its files alone, lives with it, and upgrades it.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { tryRelease } from "../tests/installation/tryRelease.ts";
import { listUncommitted, readCommit, writeRelease } from "./releaseFolder.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { try: { type: "string" }, upgrade: { type: "string" }, "stop-first": { type: "boolean" } },
});

function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

async function write(): Promise<void> {
  const changed = listUncommitted();
  if (changed.length > 0) refuse(`A release is of a commit, and these paths differ from it:\n${changed.join("\n")}`);
  const { version } = await readCommit();
  const folder = positionals[0] ?? join(import.meta.dirname, "../.data/release", version);
  const sums = await writeRelease(folder);
  console.log(`${sums.length} files, with their checksums in ${join(folder, "SHA256SUMS")}.`);
}

async function tryOut(folder: string, newer: string): Promise<void> {
  for (const one of [folder, newer])
    if (!existsSync(join(one, "SHA256SUMS"))) refuse(`${one} is no release. Write one with \`npm run release\`.`);
  const startedAt = performance.now();
  const stopsFirst = values["stop-first"] === true;
  await tryRelease({ release: resolve(folder), newer: resolve(newer), stopsFirst, say: console.log });
  console.log(`The release holds, after ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes.`);
}

// What was started ends with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
if (values.try === undefined && values.upgrade !== undefined)
  refuse("--upgrade needs --try, which names the older release.");
if (values.try === undefined) await write();
else await tryOut(values.try, values.upgrade ?? values.try).catch((error: Error) => refuse(error.message));
