import type { Log } from "../../lib/log.ts";
import { type Loop, startLoop } from "../../lib/loop.ts";
import type { Database } from "../../store/database.ts";
import { insertRequests } from "./queries.ts";
import type { LoggedRequest } from "./request.ts";

/** Requests that wait to be written; at their longest some 15 MB. */
const WAITING_MAX = 5_000;
const BATCH_MAX = 500;
/** How long a request waits at most for others to be written with. */
const GATHER_MS = 500;

/**
 * Writes answered requests to the log, behind the answers and in batches. It never makes a request wait: what comes while
 * too many wait is dropped, and so is a batch that cannot be written. Both are counted.
 */
export class RequestRecorder {
  readonly #database: Database;
  readonly #loop: Loop;
  #waiting: LoggedRequest[] = [];
  #dropped = 0;

  constructor(database: Database, log: Log, gatherMs = GATHER_MS) {
    this.#database = database;
    this.#loop = startLoop("request log", gatherMs, () => this.#write(), log);
  }

  /** Since the process began. */
  get dropped(): number {
    return this.#dropped;
  }

  add(request: LoggedRequest): void {
    if (this.#waiting.length >= WAITING_MAX) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(request);
    if (this.#waiting.length === BATCH_MAX) this.#loop.wake();
  }

  /** Writes what waits, once. */
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

/** For /metrics: what is missing from the log. */
export const droppedFigure = (recorder: RequestRecorder) => ({
  name: "holdfast_request_log_dropped",
  help: "Answered requests that are missing from the request log since this process began.",
  labels: [],
  read: async () => [{ labels: {}, value: recorder.dropped }],
});
