// `npm test [-- <part of a path> …] [-- --test-name-pattern=…]`: the house checks and every test file. The files share one
// PostgreSQL, and one service where they only call it. With `--since=<commit>`, only the files that import what has changed
// since then. With `--long`, the long forms. With `--retry`, files that failed run once more, each alone; what passes only
// then is named as flaky.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { prepareTemplate, startTestPostgres } from "@holdfast/embedded-postgres/testing.ts";
import { migrate } from "../server/store/migrate.ts";
import { LONG_FORMS } from "../tests/harness/longForms.ts";
import { shareService } from "../tests/harness/service.ts";
import { isTest, listChanged, listFiles, readText } from "./checks/files.ts";
import { readImports } from "./checks/imports.ts";
import { CpuMeter } from "./cpuMeter.ts";
import type { FileOutcome, Unit } from "./fileReport.ts";
import { listAffected, readGraph } from "./importGraph.ts";
import { draftEstimate, Progress } from "./progress.ts";
import { Report } from "./report.ts";
import { runFiles } from "./runFiles.ts";
import { listTestFiles } from "./testFiles.ts";
import { draftTimes, keepTimes, readTimes } from "./testTimes.ts";
import { draftUnits } from "./testUnits.ts";

/** A run that does not end by itself. */
const RUN_MS_MAX = 3 * 60 * 60_000;
/**
 * Files at once. They wait for most of their time: for slots, answers, pages, commits. With one per core, six journeys took
 * 46 s on two cores and kept less than one of them busy; with two per core they took 33 s.
 */
const FILES_PER_CORE = 2;
/** The PostgreSQL of the run has connections for this many services. */
const FILES_AT_ONCE_MAX = 16;
const LONG_SECONDS = 40;
/** More files than this fail together only when something is broken. */
const RETRIED_MAX = 10;

const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    "test-name-pattern": { type: "string", multiple: true },
    "test-concurrency": { type: "string" },
    retry: { type: "boolean", default: false },
    since: { type: "string" },
    long: { type: "boolean", default: false },
    // Another folder with tests, and house checks of its own.
    root: { type: "string", default: dirname(import.meta.dirname) },
  },
});
const { root } = flags;

const named = listTestFiles(root, wanted);
if (named.length === 0) {
  console.error(
    wanted.length === 0 ? "There are no test files." : `No test file has "${wanted.join('" or "')}" in its path.`,
  );
  process.exit(1);
}
const isPart = wanted.length > 0 || flags.since !== undefined || flags.long;
const files = isPart ? listChosen() : named;
if (files.length === 0) {
  console.log(`No ${flags.long ? "long form" : "test file"} has to do with what has changed since ${flags.since}.`);
  process.exit(0);
}
if (flags.long) process.env.TEST_FORM = "long";

const startedAt = performance.now();
const meter = new CpuMeter();
// Hundreds of processes load the same modules: compiled once, they start in half the time.
const compiled = mkdtempSync(join(tmpdir(), "holdfast-compiled-"));
process.env.NODE_COMPILE_CACHE ??= compiled;
// A run of a part skips the house checks, since it is wanted fast. They run while the first files wait for their services.
const checks = isPart ? Promise.resolve(true) : runHouseChecks();
const postgres = process.env.TEST_DATABASE_URL === undefined ? await startTestPostgres() : null;
process.env.TEST_DATABASE_URL ??= postgres!.url;
process.env.TEST_RUN_ID = randomBytes(6).toString("hex");
process.env.HOLDFAST_PARENT = String(process.pid);
if (postgres !== null) await prepareTemplate(migrate);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
const aborted = AbortSignal.any([stop.signal, AbortSignal.timeout(RUN_MS_MAX)]);
const report = new Report();

const concurrency = flags["test-concurrency"] ?? Math.min(FILES_AT_ONCE_MAX, FILES_PER_CORE * availableParallelism());
if (!isPart) report.line(draftEstimate(files.length, availableParallelism()));
const progress = new Progress(report, files.length);
// In a group, a file in which no test matches cannot be told from one that ended.
const isByName = flags["test-name-pattern"] !== undefined;
const units = isByName ? files.map(unitOf) : draftUnits(root, files, availableParallelism(), readTimes(root));
const first = await runTogether(units, Number(concurrency));
progress.stop();
const checksPass = await checks;
const failed = first.filter(({ success }) => !success);
const isRetried = flags.retry && failed.length > 0 && failed.length <= RETRIED_MAX && !aborted.aborted;
report.listFailures();
const second = isRetried ? await retry(failed) : [];
meter.sample();
await postgres?.stop();
meter.stop();
rmSync(compiled, { recursive: true, force: true, maxRetries: 5 });

const outcomes = isRetried ? [...first.filter(({ success }) => success), ...second] : first;
const failures = outcomes.filter(({ success }) => !success);
const empty = outcomes.filter(({ isEmpty }) => isEmpty).map(({ path }) => path);
const flaky = failed.filter(({ path }) => second.some((outcome) => outcome.path === path && outcome.success));
showFlaky(flaky);
for (const line of draftTimes(outcomes, readCpu())) report.line(line);
// A file of which a part ran, or a long form, says nothing of how long it takes.
if (!isByName && !flags.long) keepTimes(root, outcomes);
const count = closeReport();
await report.end();

if (outcomes.length < files.length) console.error(`${files.length - outcomes.length} test files did not run.`);
if (count === 0) console.error("No test ran.");
if (empty.length > 0 && !isByName) console.error(`No test in ${empty.join(", ")}.`);
if (!checksPass) console.error("The tests apart, house checks fail: npm run check says which.");
const everyFilePassed = outcomes.length === files.length && failures.length === 0;
process.exit(everyFilePassed && checksPass && count > 0 && (isByName || empty.length === 0) ? 0 : 1);

/** Those of the named files that the change or the long form asks for. */
function listChosen(): string[] {
  const changed = flags.since === undefined ? null : listChanged(root, flags.since);
  if (!flags.long && changed === null) return named;
  const graph = readGraph(root, listFiles(root));
  if (!flags.long) return listAffected(graph, named, changed!);
  // The tests themselves, and what of the tests they use.
  const reached = changed && new Set(listAffected(graph, named, changed.filter(isTest)));
  return named.filter((path) => {
    const guards = LONG_FORMS[path];
    const isGuarded = (one: string) => guards!.some((folder) => one.startsWith(`${folder}/`));
    return guards !== undefined && (changed === null || reached!.has(path) || changed.some(isGuarded));
  });
}

/** Runs the house checks and prints their output in one piece, between the reports of two files. */
async function runHouseChecks(): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, "tools/check.ts")], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  const [code] = await once(child, "close");
  report.write({ type: "test:stdout", data: { message: text } });
  return code === 0;
}

/** A file may leave the call to a module beside it. */
function callsSharedService(path: string): boolean {
  const text = readText(root, path);
  const beside = readImports(path, text).filter(
    ({ to }) => dirname(to) === dirname(path) && existsSync(join(root, to)),
  );
  return [text, ...beside.map(({ to }) => readText(root, to))].some((one) => one.includes("sharedService()"));
}

/**
 * Runs files, with a service for those of them that share one. These run first, so that the service can end early, and so do
 * the longest: at the end of a run short ones share the machine best.
 */
async function runTogether(units: readonly Unit[], concurrency: number): Promise<FileOutcome[]> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-run-"));
  const sharers = new Set(units.flatMap(({ paths }) => paths).filter(callsSharedService));
  const isFirst = ({ paths, seconds }: Unit) => seconds >= LONG_SECONDS || paths.some((path) => sharers.has(path));
  const ordered = [...units.filter(isFirst), ...units.filter((unit) => !isFirst(unit))];
  const stopService = sharers.size === 0 ? async () => {} : shareService(folder);
  let stopped: Promise<void> | undefined;
  const outcomes = await runFiles(ordered, report, {
    root,
    concurrency,
    signal: aborted,
    namePatterns: flags["test-name-pattern"],
    onEnd: (path) => {
      progress.fileEnded();
      // The last file that shares the service has ended: stop it, to free the machine for the others.
      if (sharers.delete(path) && sharers.size === 0) stopped = stopService();
    },
  });
  await (stopped ?? stopService());
  rmSync(folder, { recursive: true });
  return outcomes;
}

function unitOf(path: string): Unit {
  return { name: path, paths: [path], seconds: 0 };
}

async function retry(outcomes: readonly FileOutcome[]): Promise<FileOutcome[]> {
  report.line(`${outcomes.length} of ${files.length} files failed, and run once more, each alone:`);
  const paths = outcomes.map(({ path }) => path);
  const units = paths.map(unitOf);
  const again = await runTogether(units, 1);
  report.listFailures();
  return again;
}

/** CPU time by the file whose processes spent it, and by what was started for all of them. */
function readCpu(): ReadonlyMap<string, number> {
  const name = (owner: string) => (owner.startsWith(`${root}/`) ? relative(root, owner) : owner);
  return new Map([...meter.read()].map(([owner, ms]) => [name(owner), ms]));
}

function showFlaky(outcomes: readonly FileOutcome[]): void {
  if (outcomes.length === 0) return;
  report.line("FLAKY: these tests failed in the full run and passed alone. Each is a defect to fix (CONTRIBUTING.md).");
  for (const { path, failures } of outcomes) {
    for (const name of failures) report.line(name === path ? `flaky: ${path}` : `flaky: ${path}: ${name}`);
    if (failures.length === 0) report.line(`flaky: ${path}`);
  }
}

/** Prints Node's closing lines for all files; returns the number of tests that ran. */
function closeReport(): number {
  const total = (of: (outcome: FileOutcome) => number) => outcomes.reduce((sum, outcome) => sum + of(outcome), 0);
  const tests = total(({ counts }) => counts.tests);
  const skipped = total(({ counts }) => counts.skipped);
  report.line(`tests ${tests}`);
  report.line(`suites ${total(({ counts }) => counts.suites)}`);
  report.line(`pass ${total(({ counts }) => counts.passed)}`);
  report.line(`fail ${total(({ counts }) => counts.failed)}`);
  report.line(`cancelled ${total(({ counts }) => counts.cancelled)}`);
  report.line(`skipped ${skipped}`);
  report.line(`todo ${total(({ counts }) => counts.todo)}`);
  if (flags.retry) report.line(`flaky ${flaky.length}`);
  report.line(`duration_ms ${(performance.now() - startedAt).toFixed(0)}`);
  return tests - skipped;
}
