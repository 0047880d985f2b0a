// Writes a release of the commit that is checked out into a folder (`npm run release -- [FOLDER]`): packages, program, sources
// of the image, bill of materials, notes, what an auditor starts from, and checksums. Nothing is published.
import { join } from "node:path";
import { listUncommitted, readCommit, writeRelease } from "./releaseFolder.ts";

const changed = listUncommitted();
if (changed.length > 0) {
  console.error(`A release is of a commit, and these paths differ from it:\n${changed.join("\n")}`);
  process.exit(1);
}
const { version } = await readCommit();
const folder = process.argv[2] ?? join(import.meta.dirname, "../.data/release", version);
const sums = await writeRelease(folder);
console.log(`${sums.length} files, with their checksums in ${join(folder, "SHA256SUMS")}.`);
