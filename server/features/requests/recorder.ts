import type { Log } from "../../lib/log.ts";
import { type Loop, startLoop } from "../../lib/loop.ts";
import type { Database } from "../../store/database.ts";
import { insertRequests } from "./queries.ts";
import type { LoggedRequest } from "./request.ts";

/** Requests that wait to be written: at most some 15 MB. */
const WAITING_MAX = 5_000;
const BATCH_MAX = 500;
/** The longest time that a request waits to share a write. */
const GATHER_MS = 500;
const SECOND_MS = 1_000;

/** Admits up to a limit per second. */
class Allowance {
  readonly #perSecondMax: number;
  #beganAtMs = Number.NEGATIVE_INFINITY;
  #passed = 0;

  constructor(perSecondMax: number) {
    this.#perSecondMax = perSecondMax;
  }

  pass(nowMs: number): boolean {
    if (nowMs - this.#beganAtMs >= SECOND_MS) {
      this.#beganAtMs = nowMs;
      this.#passed = 0;
    }
    return this.#passed++ < this.#perSecondMax;
  }
}

export interface RecorderOptions {
  /** The limit for successes, for failures, and for requests beyond a rate, each per second. Any beyond it is dropped. */
  readonly perSecondMax: number;
  readonly gatherMs?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * Writes answered requests to the log, after the answers and in batches. It never delays a request, and uses a bounded
 * part of the database's time and disk: it drops a request when too many wait or the second's limit is reached, and a
 * batch that cannot be written. All dropped requests are counted.
 */
export class RequestRecorder {
  readonly #database: Database;
  readonly #loop: Loop;
  readonly #now: () => number;
  /**
   * Separate limits, so that successes never displace failures, which somebody will ask about; and refusals beyond the
   * rate, whose number alone has no bound, never displace the failures of others.
   */
  readonly #allowances: Readonly<Record<"succeeded" | "failed" | "limited", Allowance>>;
  #waiting: LoggedRequest[] = [];
  #dropped = 0;

  constructor(database: Database, log: Log, options: RecorderOptions) {
    const { perSecondMax, gatherMs = GATHER_MS, now = () => performance.now() } = options;
    this.#database = database;
    this.#now = now;
    const allow = () => new Allowance(perSecondMax);
    this.#allowances = { succeeded: allow(), failed: allow(), limited: allow() };
    this.#loop = startLoop("request log", gatherMs, () => this.#write(), log);
  }

  /** The number since the process began. */
  get dropped(): number {
    return this.#dropped;
  }

  /** `draft` is called only if the request will be written. */
  add(status: number, draft: () => LoggedRequest): void {
    const allowance = this.#allowances[status < 400 ? "succeeded" : status === 429 ? "limited" : "failed"];
    if (this.#waiting.length >= WAITING_MAX || !allowance.pass(this.#now())) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(draft());
    if (this.#waiting.length === BATCH_MAX) this.#loop.wake();
  }

  /** Writes the waiting requests once. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    while (this.#waiting.length > 0) await this.#write().catch(() => undefined);
  }

  async #write(): Promise<boolean> {
    const batch = this.#waiting.slice(0, BATCH_MAX);
    if (batch.length === 0) return false;
    this.#waiting = this.#waiting.slice(BATCH_MAX);
    try {
      await insertRequests(this.#database, batch);
    } catch (error) {
      this.#dropped += batch.length;
      throw error;
    }
    return this.#waiting.length >= BATCH_MAX;
  }
}

/** For /metrics: the number of requests missing from the log. */
export const droppedFigure = (recorder: RequestRecorder) => ({
  name: "holdfast_request_log_dropped",
  help: "Answered requests that are missing from the request log since the start of this process.",
  labels: [],
  read: async () => [{ labels: {}, value: recorder.dropped }],
});
