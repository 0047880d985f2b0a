import type { SweepDeps } from "../deps.ts";
import { findCursor } from "./queries.ts";
import { sweepTransaction } from "./sweep.ts";

/** Transactions read at once. Of more, the feed makes batches, each with one read of accounts and one statement. */
const AT_ONCE_MAX = 4;
const READ_MS = 4_000;

/**
 * Reads each transaction as soon as a node tells of it. The feed lists it all the same, and finds it processed. Whatever
 * fails is left to the feed, which tells of it.
 */
export class NoticeReader {
  readonly #deps: SweepDeps;
  readonly #isHeld: () => boolean;
  readonly #running = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  /** `isHeld`: true if this process reads for all now. A notice takes on no work that the loops resigned. */
  constructor(deps: SweepDeps, isHeld: () => boolean) {
    this.#deps = deps;
    this.#isHeld = isHeld;
  }

  /** Settles once the feed may go on: the transaction is recorded, or left to it. */
  async read(signature: string | null): Promise<void> {
    if (signature === null || this.#running.size >= AT_ONCE_MAX || this.#stopping.signal.aborted) return;
    const reading = this.#readOne(signature).catch(() => undefined);
    this.#running.add(reading);
    await reading;
    this.#running.delete(reading);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  async #readOne(signature: string): Promise<void> {
    if (!this.#isHeld()) return;
    const { database, chain } = this.#deps;
    if ((await findCursor(database, chain.environment))?.sweepPaused !== false) return;
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(READ_MS)]);
    await sweepTransaction(this.#deps, signature, signal);
  }
}
