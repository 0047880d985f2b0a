import { join } from "node:path";
import { run } from "node:test";
import { type FileOutcome, FileReport, type TestEvent, type Unit } from "./fileReport.ts";
import type { Report } from "./report.ts";

const GROUP = join(import.meta.dirname, "testGroup.ts");
/** For each file of a unit that does not end by itself. Files of many pages take over twenty minutes on half a core that other work shares. */
const FILE_MS_MAX = 60 * 60_000;

export interface RunOptions {
  readonly root: string;
  /** The number of files that run at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly namePatterns: readonly string[] | undefined;
  readonly onEnd: (path: string) => void;
}

/**
 * Runs units in this order. Each has a process of its own, which ends with this one. A file is reported in one piece when it
 * is over. Those that were not begun when the signal came have no outcome.
 */
export async function runFiles(units: readonly Unit[], report: Report, options: RunOptions): Promise<FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  const waiting = [...units];
  const runNext = async (): Promise<void> => {
    const unit = waiting.shift();
    if (unit === undefined || options.signal.aborted) return;
    const ended = new Set<string>();
    for await (const outcome of runUnit(unit, report, options)) {
      outcomes.push(outcome);
      ended.add(outcome.path);
      options.onEnd(outcome.path);
    }
    // A file ended the process of its group: those behind it run alone.
    for (const path of unit.paths) if (!ended.has(path)) waiting.unshift({ name: path, paths: [path], seconds: 0 });
    await runNext();
  };
  await Promise.all(Array.from({ length: options.concurrency }, runNext));
  return outcomes;
}

async function* runUnit(unit: Unit, report: Report, options: RunOptions): AsyncGenerator<FileOutcome> {
  const { name, paths } = unit;
  const { root, signal, namePatterns } = options;
  const modules = paths.map((path) => `${root}/${path}`);
  const isGroup = paths.length > 1;
  const msMax = FILE_MS_MAX * paths.length;
  const events = run({
    files: isGroup ? [GROUP] : modules,
    argv: isGroup ? [...modules, name] : [],
    timeout: msMax,
    signal: AbortSignal.any([signal, AbortSignal.timeout(msMax)]),
    execArgv: [
      ...process.execArgv,
      // A file in which no test matches runs its `before` and never its `after`: a process that it started must not hold it
      // open.
      ...(namePatterns === undefined ? [] : ["--test-force-exit"]),
    ],
    ...(namePatterns === undefined ? {} : { testNamePatterns: [...namePatterns] }),
  });
  const waiting = [...paths];
  const begin = () => new FileReport(root, waiting[0] ?? name, unit);
  let file = begin();
  let success = false;
  // A file that ended its process early, with whatever code, has no closing lines of its own.
  let isWhole = namePatterns !== undefined;
  let areSound = true;
  for await (const event of events) {
    // node's own closing lines are of this unit alone.
    if (event.type === "test:diagnostic" && event.data.file === undefined) continue;
    if (event.type === "test:summary") {
      if (event.data.file === undefined) success = event.data.success;
      else isWhole = true;
      continue;
    }
    if (isGroup && (event.data as { name?: string }).name === GROUP) continue;
    if (!file.add(event as TestEvent)) continue;
    yield file.end(report);
    areSound &&= file.isSuccess;
    waiting.shift();
    file = begin();
  }
  if (!isGroup || waiting.length > 0) yield file.end(report, isGroup || !success || !(isWhole || file.isEmpty));
  // All files passed, and something that one of them left behind failed.
  else if (!success && areSound) yield file.end(report, true);
}
