import { setTimeout as sleep } from "node:timers/promises";
import { isolate } from "../../../lib/isolate.ts";
import type { Log } from "../../../lib/log.ts";
import { type Loop, startLoop } from "../../../lib/loop.ts";
import type { Database } from "../../../store/database.ts";
import type { Outcome } from "../sending/send.ts";
import { attemptCounts } from "../webhook.ts";
import type { Claim } from "./claims.ts";
import { completeDeliveries, type Result } from "./completions.ts";

/** An attempt that has ended. */
export interface EndedAttempt {
  readonly claim: Claim;
  readonly outcome: Outcome;
  /** By `performance.now()`. */
  readonly endedAt: number;
  readonly tookMs: number;
}

const GATHER_MS = 10;
const BATCH_MAX = 200;
const IDLE_MS = 1_000;

/** Records results in batches, in the order in which the attempts ended, and keeps them during an outage of the database. */
export class Recorder {
  readonly #database: Database;
  readonly #log: Log;
  readonly #loop: Loop;
  readonly #onDue: () => void;
  #ended: EndedAttempt[] = [];

  /** `onDue` is called when a recorded result made another delivery due. */
  constructor(database: Database, log: Log, onDue: () => void) {
    this.#database = database;
    this.#log = log;
    this.#onDue = onDue;
    this.#loop = startLoop("webhook results", IDLE_MS, (signal) => this.#step(signal), log);
  }

  get waiting(): number {
    return this.#ended.length;
  }

  add(ended: EndedAttempt): void {
    this.#ended.push(ended);
    const outcome = ended.outcome.error === null ? "succeeded" : "failed";
    attemptCounts.set(outcome, attemptCounts.get(outcome)! + 1);
    if (this.#ended.length === 1) this.#loop.wake();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    while (this.#ended.length > 0) await this.#write();
  }

  async #step(signal: AbortSignal): Promise<boolean> {
    if (this.#ended.length === 0) return false;
    if (this.#ended.length < BATCH_MAX) await sleep(GATHER_MS, null, { signal }).catch(() => undefined);
    await this.#write();
    return this.#ended.length > 0;
  }

  async #write(): Promise<void> {
    const batch = this.#ended.slice(0, BATCH_MAX);
    // After an outage, the batch is kept for the next step. Results that were already recorded no longer match their
    // token then, and change nothing.
    const outcomes = await isolate(batch, {
      name: "write_results",
      log: this.#log,
      all: async (some) => {
        await completeDeliveries(this.#database, some.map(resultOf), this.#logDisabled);
        return some;
      },
    });
    // A result that cannot be written must not delay the others: its lease runs out and the delivery is sent again.
    for (const [index, outcome] of outcomes.entries()) {
      const { claim } = batch[index]!;
      if (!outcome.ok)
        this.#log(`The result of ${claim.event_id} to ${claim.endpoint_id} could not be written.`, outcome.error);
    }
    this.#ended = this.#ended.slice(batch.length);
    if (batch.some(({ claim }) => claim.kind !== "scheduled")) this.#onDue();
  }

  readonly #logDisabled = (endpointId: string): void =>
    this.#log(
      `The webhook endpoint ${endpointId} is disabled: five deliveries in a row were abandoned.`,
      undefined,
      "warn",
    );
}

const resultOf = ({ claim, outcome, endedAt, tookMs }: EndedAttempt): Result => ({
  claim,
  succeeded: outcome.error === null,
  statusCode: outcome.statusCode,
  error: outcome.error,
  errorClass: outcome.errorClass,
  tookMs,
  agoMs: performance.now() - endedAt,
});
