// `npm test [-- <part of a path> …] [-- --test-name-pattern=…]`: the house checks, then every test file. They share one
// PostgreSQL, and one service where they only call it.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { parseArgs } from "node:util";
import { startTestPostgres } from "@holdfast/embedded-postgres/testing.ts";
import { shareService } from "../tests/harness/service.ts";
import { listTestFiles } from "./testFiles.ts";

const root = dirname(import.meta.dirname);
const RUN_MS_MAX = 20 * 60_000;
const TEST_MS_MAX = 5 * 60_000;

const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { "test-name-pattern": { type: "string", multiple: true }, "test-concurrency": { type: "string" } },
});

const files = listTestFiles(root, wanted);
if (files.length === 0) {
  console.error(
    wanted.length === 0 ? "There are no test files." : `No test file has "${wanted.join('" or "')}" in its path.`,
  );
  process.exit(1);
}

// A run of a part skips the house checks, since it is wanted fast.
const checksPass = wanted.length > 0 || (await runHouseChecks());
const postgres = process.env.TEST_DATABASE_URL === undefined ? await startTestPostgres() : null;
process.env.TEST_DATABASE_URL ??= postgres!.url;
process.env.TEST_RUN_ID = randomBytes(6).toString("hex");
process.env.HOLDFAST_PARENT = String(process.pid);
const folder = mkdtempSync(join(tmpdir(), "holdfast-run-"));
const sharers = new Set(files.filter(callsSharedService).map((path) => join(root, path)));
const stopService = sharers.size === 0 ? async () => {} : shareService(folder);
let stopped: Promise<void> | undefined;
const empty: string[] = [];
const { success, count } = await runTests();
await (stopped ?? stopService());
await postgres?.stop();
rmSync(folder, { recursive: true });

if (count === 0) console.error("No test ran.");
if (empty.length > 0) console.error(`No test in ${empty.join(", ")}.`);
if (!checksPass) console.error("The tests apart, house checks fail: see the top, or npm run check.");
process.exit(success && checksPass && count > 0 && empty.length === 0 ? 0 : 1);

function runHouseChecks(): Promise<boolean> {
  const checks = spawn(process.execPath, [join(root, "tools/check.ts")], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  return new Promise((resolve) => checks.once("exit", (code) => resolve(code === 0)));
}

function callsSharedService(path: string): boolean {
  return readFileSync(join(root, path), "utf8").includes("sharedService()");
}

/** Each file has a process of its own, so that no test depends on another file. The processes end with this one. */
async function runTests(): Promise<{ success: boolean; count: number }> {
  const modules = files.map((path) => join(root, path));
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
  const events = run({
    files: modules,
    concurrency: Number(flags["test-concurrency"] ?? Math.max(2, availableParallelism())),
    timeout: TEST_MS_MAX,
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(RUN_MS_MAX)]),
    execArgv: [
      ...process.execArgv,
      // A file in which no test matches runs its `before` and never its `after`: what that started must not hold it open.
      ...(flags["test-name-pattern"] === undefined ? [] : ["--test-force-exit"]),
    ],
    ...(flags["test-name-pattern"] === undefined ? {} : { testNamePatterns: flags["test-name-pattern"] }),
  });
  // A file that holds no test is reported by node as one test of the file's own name, and passes.
  events.on("test:pass", ({ name }) => {
    if (modules.includes(name)) empty.push(name);
  });
  let outcome = { success: false, count: 0 };
  events.on("test:summary", ({ file, success, counts }) => {
    if (file === undefined) outcome = { success, count: counts.tests - counts.skipped };
    // Nobody needs the shared service any more, and the others can use the machine.
    else if (sharers.delete(file) && sharers.size === 0) stopped = stopService();
  });
  for await (const text of events.compose(new spec())) process.stdout.write(text);
  return outcome;
}
