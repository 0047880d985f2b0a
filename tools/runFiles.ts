import { relative } from "node:path";
import type { Readable } from "node:stream";
import { type EventData, run } from "node:test";
import { spec } from "node:test/reporters";

/** Limits on each test, and on a file that does not end by itself. */
const TEST_MS_MAX = 5 * 60_000;
const FILE_MS_MAX = 8 * 60_000;

/** Node's types leave out `failed`. */
type Counts = EventData.TestSummary["counts"] & { readonly failed: number };

/** The result of a file in a run. */
export interface FileOutcome {
  /** From the project's root. */
  readonly path: string;
  readonly success: boolean;
  readonly counts: Counts;
  /** The names of the tests that failed; a file that ended early fails under its path. */
  readonly failures: readonly string[];
  /** The file holds no test, which node reports as one passing test of the file's own name. */
  readonly isEmpty: boolean;
}

export interface RunOptions {
  readonly root: string;
  /** The number of files that run at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly namePatterns: readonly string[] | undefined;
  readonly onEnd: (path: string) => void;
}

const NEWLINE = 10;

/** Writes what happens in node's own words. */
export class Report {
  readonly #spec = new spec();
  /** The line below everything else, on a terminal. */
  #status = "";
  #isShown = false;

  constructor() {
    // The stream is a Transform, whose type says less.
    (this.#spec as unknown as Readable).on("data", (chunk: Buffer) => {
      this.#erase();
      process.stdout.write(chunk);
      // The output of a test may stop within a line.
      if (chunk.at(-1) === NEWLINE) this.#show();
    });
  }

  status(text: string): void {
    const isWithinLine = this.#status !== "" && !this.#isShown;
    this.#erase();
    this.#status = text;
    if (!isWithinLine) this.#show();
  }

  #erase(): void {
    if (this.#isShown) process.stdout.write("\r\x1b[2K");
    this.#isShown = false;
  }

  #show(): void {
    if (this.#status !== "") process.stdout.write(this.#status);
    this.#isShown = this.#status !== "";
  }

  write(event: { type: string; data: unknown }): void {
    this.#spec.write(event);
  }

  line(message: string): void {
    this.write({ type: "test:diagnostic", data: { nesting: 0, message } });
  }

  /** Lists the failures since the last list. */
  listFailures(): void {
    this.write({ type: "test:summary", data: { file: undefined } });
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#spec.once("end", () => process.stdout.write("", () => resolve()));
      this.#spec.end();
    });
  }
}

/**
 * Runs test files in this order. Each has a process of its own, so that no test depends on another file; it ends with
 * this process. A file is reported in one piece when it is over. Those that were not begun when the signal came have no outcome.
 */
export async function runFiles(paths: readonly string[], report: Report, options: RunOptions): Promise<FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  const waiting = [...paths];
  const runNext = async (): Promise<void> => {
    const path = waiting.shift();
    if (path === undefined || options.signal.aborted) return;
    outcomes.push(await runFile(path, report, options));
    options.onEnd(path);
    await runNext();
  };
  await Promise.all(Array.from({ length: options.concurrency }, runNext));
  return outcomes;
}

async function runFile(path: string, report: Report, options: RunOptions): Promise<FileOutcome> {
  const { root, signal, namePatterns } = options;
  const module = `${root}/${path}`;
  const startedAt = performance.now();
  const events = run({
    files: [module],
    timeout: TEST_MS_MAX,
    signal: AbortSignal.any([signal, AbortSignal.timeout(FILE_MS_MAX)]),
    execArgv: [
      ...process.execArgv,
      // A file in which no test matches runs its `before` and never its `after`: a process that it started must not hold it
      // open.
      ...(namePatterns === undefined ? [] : ["--test-force-exit"]),
    ],
    ...(namePatterns === undefined ? {} : { testNamePatterns: [...namePatterns] }),
  });
  const reported: { type: string; data: unknown }[] = [];
  const failures: string[] = [];
  let summary: EventData.TestSummary | null = null;
  let isEmpty = false;
  for await (const event of events) {
    // node's own closing lines are of this file alone.
    if (event.type === "test:diagnostic" && event.data.file === undefined) continue;
    if (event.type === "test:summary") {
      if (event.data.file === undefined) summary = event.data;
      continue;
    }
    if (event.type === "test:pass" && event.data.name === module) isEmpty = true;
    if (event.type === "test:fail" && !isOfSubtests(event.data)) failures.push(relativeName(root, event.data.name));
    reported.push(event);
  }
  report.line(`${path} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  for (const event of reported) report.write(event);
  return {
    path,
    success: summary!.success && failures.length === 0,
    counts: summary!.counts as Counts,
    failures,
    isEmpty,
  };
}

/** Returns true for a test that failed only because one of its own subtests did. */
const isOfSubtests = ({ details }: EventData.TestFail): boolean =>
  "failureType" in details.error && details.error.failureType === "subtestsFailed";

const relativeName = (root: string, name: string): string =>
  name.startsWith(`${root}/`) ? relative(root, name) : name;
