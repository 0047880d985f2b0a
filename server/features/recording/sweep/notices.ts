import { setImmediate as endOfTurn } from "node:timers/promises";
import { trackStep } from "../../../lib/loop.ts";
import { Lru } from "../../../lib/lru.ts";
import type { ChainContext } from "../../context.ts";
import { findCursor } from "./queries.ts";
import { sweepTransactions } from "./sweep.ts";

/** Batches read at once. What comes meanwhile is left to the feed. */
const BATCHES_MAX = 2;
/** Signatures that wait. More are left to the feed. */
const WAITING_MAX = 100;
/** The time for transactions, and that for their accounts too: one that no node answers takes none from the others. */
const TIMES = { readMs: 2_000, batchMs: 5_000 };
/** Signatures that were read: Agave tells of each once more when the next block is final. */
const KNOWN_MAX = 1_000;

/**
 * Reads transactions as soon as a node tells of them, those of one moment together: a block's have one read of accounts and
 * one statement. The feed lists them all the same, and finds them processed. Whatever fails is left to the feed, which tells
 * of it.
 */
export class NoticeReader {
  readonly #ctx: ChainContext;
  readonly #isHeld: () => boolean;
  readonly #times: typeof TIMES;
  readonly #known = new Lru<string, true>(KNOWN_MAX);
  readonly #waiting = new Set<string>();
  /** Settles once what waits was read. */
  #next: Promise<void> | null = null;
  readonly #running = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  /** `isHeld`: true if this process reads for all now. A notice takes on no work that the loops resigned. */
  constructor(ctx: ChainContext, isHeld: () => boolean, times = TIMES) {
    this.#ctx = ctx;
    this.#isHeld = isHeld;
    this.#times = times;
  }

  /** Settles once the feed may go on: the transaction is recorded, or left to it. */
  async read(signature: string | null): Promise<void> {
    if (signature === null || this.#known.get(signature) === true) return;
    if (this.#waiting.size >= WAITING_MAX || this.#running.size >= BATCHES_MAX) return;
    if (this.#stopping.signal.aborted) return;
    this.#waiting.add(signature);
    this.#next ??= this.#readNext();
    await this.#next;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#running, this.#next]);
  }

  async #readNext(): Promise<void> {
    await endOfTurn();
    const signatures = [...this.#waiting];
    this.#waiting.clear();
    this.#next = null;
    const name = `${this.#ctx.chain.environment} notices`;
    const reading = trackStep(name, this.#readAll(signatures)).catch(() => undefined);
    this.#running.add(reading);
    await reading;
    this.#running.delete(reading);
  }

  async #readAll(signatures: readonly string[]): Promise<void> {
    if (!this.#isHeld() || this.#stopping.signal.aborted) return;
    const { database, chain } = this.#ctx;
    if ((await findCursor(database, chain.environment))?.sweepPaused !== false) return;
    const { readMs, batchMs } = this.#times;
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(batchMs)]);
    const recorded = await sweepTransactions(this.#ctx, signatures, { signal, readMs });
    for (const signature of recorded) this.#known.set(signature, true);
  }
}
