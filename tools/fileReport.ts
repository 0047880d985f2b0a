import { relative } from "node:path";
import type { EventData } from "node:test";
import type { Report } from "./report.ts";

type EndEvent = { type: "test:pass"; data: EventData.TestPass } | { type: "test:fail"; data: EventData.TestFail };
export type TestEvent = EndEvent | { type: "test:start"; data: { name: string; nesting: number } };

export interface Counts {
  tests: number;
  suites: number;
  passed: number;
  failed: number;
  cancelled: number;
  skipped: number;
  todo: number;
}

/** Test files that one process runs: one file, or several that start nothing and leave nothing behind. */
export interface Unit {
  readonly name: string;
  readonly paths: readonly string[];
  /** The time that it takes, as far as that is known. */
  readonly seconds: number;
}

/** A test that a file has at its top, with the tests inside it. */
interface TestTime {
  readonly name: string;
  readonly ms: number;
}

/** The result of a file in a run. */
export interface FileOutcome {
  /** From the project's root. */
  readonly path: string;
  /** The name of the unit that ran it. */
  readonly unit: string;
  readonly success: boolean;
  readonly counts: Readonly<Counts>;
  /** The names of the tests that failed; a file that ended early fails under its path. */
  readonly failures: readonly string[];
  readonly ms: number;
  readonly tests: readonly TestTime[];
  readonly isEmpty: boolean;
}

/** Collects what a test file says until it is over. In a group, the file is a suite, and is shown as if it ran alone. */
export class FileReport {
  readonly #root: string;
  readonly #path: string;
  readonly #unit: Unit;
  readonly #startedAt = performance.now();
  readonly #events: TestEvent[] = [];
  readonly #failures: string[] = [];
  readonly #reasons: string[] = [];
  readonly #tests: TestTime[] = [];
  readonly #counts: Counts = { tests: 0, suites: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 };

  constructor(root: string, path: string, unit: Unit) {
    this.#root = root;
    this.#path = path;
    this.#unit = unit;
  }

  get #isInGroup(): boolean {
    return this.#unit.paths.length > 1;
  }

  get isSuccess(): boolean {
    return this.#failures.length === 0;
  }

  /** It has no test so far. */
  get isEmpty(): boolean {
    return this.#counts.tests === 0 && this.isSuccess;
  }

  /** Takes an event of the file; returns true for the end of its suite. */
  add(event: TestEvent): boolean {
    const { type, data } = event;
    const isOver = type === "test:pass" || type === "test:fail";
    const isFile = data.nesting === 0 && data.name === `${this.#root}/${this.#path}`;
    const failsItself = type === "test:fail" && !isOfSubtests(data);
    if (failsItself) {
      const name = data.name.startsWith(`${this.#root}/`) ? relative(this.#root, data.name) : data.name;
      this.#failures.push(name);
      this.#reasons.push(`${name}: ${reasonOf(data)}`);
    }
    // An empty file passes under its own name, and one that fails as a whole is a test that failed.
    if (isOver && (!isFile || failsItself)) this.#count(event, isFile);
    if (isFile && this.#isInGroup) {
      if (failsItself) this.#events.push(event);
      return isOver;
    }
    // Output has no level, and what is said of the whole process has the lowest.
    if (this.#isInGroup && data.nesting !== undefined) data.nesting = Math.max(0, data.nesting - 1);
    this.#events.push(event);
    if (isOver && data.nesting === 0) this.#tests.push({ name: data.name, ms: data.details.duration_ms });
    return false;
  }

  #count({ type, data }: EndEvent, isFile: boolean): void {
    const { skip, todo, details } = data;
    if (details.type === "suite" && !isFile) this.#counts.suites++;
    else {
      this.#counts.tests++;
      if (skip !== undefined && skip !== false) this.#counts.skipped++;
      else if (todo !== undefined && todo !== false) this.#counts.todo++;
      else if (type === "test:pass") this.#counts.passed++;
      else if (failureOf(data) === "cancelledByParent") this.#counts.cancelled++;
      else this.#counts.failed++;
    }
  }

  /** `isCutOff`: its process ended or failed. */
  end(report: Report, isCutOff = false): FileOutcome {
    const ms = performance.now() - this.#startedAt;
    report.line(`${this.#path} (${(ms / 1000).toFixed(1)} s)`);
    for (const event of this.#events) report.write(event);
    // The list of failures, with their stacks, comes at the end of the run.
    for (const reason of this.#reasons) report.line(reason);
    if (isCutOff && this.isSuccess) {
      report.line(`${this.#path} ended its process, or failed after its last test.`);
      this.#failures.push(this.#path);
      this.#counts.tests++;
      this.#counts.failed++;
    }
    return {
      path: this.#path,
      unit: this.#unit.name,
      success: this.isSuccess,
      counts: this.#counts,
      failures: this.#failures,
      ms,
      tests: this.#tests,
      isEmpty: this.isEmpty,
    };
  }
}

const reasonOf = ({ details }: EventData.TestFail): string =>
  details.error.cause instanceof Error ? details.error.cause.message : details.error.message;
const failureOf = ({ details }: EventData.TestFail): unknown =>
  "failureType" in details.error ? details.error.failureType : undefined;
/** Returns true for a test that failed only because one of its own subtests did. */
const isOfSubtests = (data: EventData.TestFail): boolean => failureOf(data) === "subtestsFailed";
