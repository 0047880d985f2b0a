// Plays the golden lives on a validator of another maker (`npm run realnode -- --node FILE [--mode alpenglow|tower] [--only
// WORD]`) and prints what was seen as a table in Markdown; ends with 1 if a claim does not hold. tests/realnode/README.md
// says what the file is, and how to build one.
import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { MODES } from "../tests/realnode/realNode.ts";
import { playOn, type Report } from "../tests/realnode/run.ts";

const USAGE = "usage: npm run realnode -- --node FILE [--mode alpenglow|tower] [--only WORD]";
const { values } = parseArgs({
  options: { node: { type: "string" }, mode: { type: "string" }, only: { type: "string", default: "" } },
});
const modes = MODES.filter((mode) => values.mode === undefined || mode === values.mode);
const file = values.node === undefined ? null : resolve(values.node);
if (file === null || modes.length === 0 || !isProgram(file)) {
  console.error(file === null || modes.length === 0 ? USAGE : `${file} is not a program that may be run.`);
  process.exit(1);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// The node ends with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
const wanted = (claim: string) => claim.toLowerCase().includes(values.only.toLowerCase());
const reports: Report[] = [];
for (const mode of modes)
  reports.push(
    await playOn(file, mode, wanted, ({ claim, holds, seen }) =>
      console.error(`${holds ? "✔" : "✖"} ${mode}: ${claim}${holds ? "" : `: ${seen}`}`),
    ),
  );

const git = (...words: string[]) => execFileSync("git", words, { cwd: import.meta.dirname, encoding: "utf8" }).trim();
const isChanged = git("status", "--porcelain") !== "";
console.log(`Commit ${git("rev-parse", "--short=8", "HEAD")}${isChanged ? " with changes" : ""}.\n`);
for (const { mode, version, minutes } of reports) console.log(`${mode}: ${version}, ${minutes.toFixed(1)} minutes.`);
console.log("\n| Claim | Result | Mode |\n| --- | --- | --- |");
const results = reports.flatMap((report) => report.results);
for (const { claim, mode, holds, seen } of results)
  console.log(`| ${claim} | ${holds ? seen : `**differs**: ${seen}`} | ${mode} |`);
process.exit(results.every(({ holds }) => holds) ? 0 : 1);
