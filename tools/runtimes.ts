// Installs the runtimes in which the SDK is tried besides this Node.js (`npm run runtimes`). They are no part of the
// installation: the tests of one that is missing are skipped with that reason.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { RUNTIMES, RUNTIMES_FOLDER } from "../sdk/tests/runtimes.ts";

mkdirSync(RUNTIMES_FOLDER, { recursive: true });
const packages = RUNTIMES.flatMap(({ install }) => (install === null ? [] : [install]));
const flags = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", "."];
spawn("npm", ["install", ...flags, ...packages], { cwd: RUNTIMES_FOLDER, stdio: "inherit" }).once("exit", (code) => {
  process.exitCode = code ?? 1;
});
