import { setTimeout as sleep } from "node:timers/promises";
import type { Tenant } from "../../domain/callers.ts";
import type { Database } from "../../store/database.ts";
import type { SessionLocks } from "../../store/locks.ts";
import { listLastSequences } from "./queries.ts";

/** How often the counters of all that wait are read, in one statement. */
const POLL_MS = 100;
/** Waiting requests in one process, and of one key in all of them; one more is answered at once. */
const WAITING_MAX = 1_000;
const WAITING_OF_KEY_MAX = 2;

/** The newest sequence above the one given; null when the time is over. */
type Wait = (tenant: Tenant, above: bigint, ms: number) => Promise<bigint | null>;
const NO_WAIT: Wait = async () => null;

interface Waiter {
  readonly tenant: Tenant;
  readonly above: bigint;
  readonly wake: (newest: bigint | null) => void;
}

/** Holds requests open until their business has an event above a sequence. One poll serves all of them, and none when nobody waits. */
export class EventWaiting {
  readonly #database: Database;
  readonly #locks: SessionLocks;
  readonly #waiters = new Set<Waiter>();
  readonly #stopping = new AbortController();
  #entered = 0;
  #polling = false;

  constructor(database: Database, locks: SessionLocks) {
    this.#database = database;
    this.#locks = locks;
  }

  /**
   * Runs `work` in one of the key's places, with a wait that gives the newest sequence once it is above the one given,
   * or null when the time is over. Without a place the wait is over at once.
   */
  async inPlace<Result>(keyId: string, work: (wait: Wait) => Promise<Result>): Promise<Result> {
    if (this.#entered >= WAITING_MAX) return work(NO_WAIT);
    this.#entered++;
    try {
      const place = await this.#takePlace(keyId);
      if (place === null) return await work(NO_WAIT);
      try {
        return await work((tenant, above, ms) => this.#wait(tenant, above, ms));
      } finally {
        await this.#locks.unlock(place);
      }
    } finally {
      this.#entered--;
    }
  }

  /** A place is a lock, so that processes count together, and one that ends gives its places back. */
  async #takePlace(keyId: string): Promise<string | null> {
    for (let place = 1; place <= WAITING_OF_KEY_MAX; place++) {
      const name = `waiting ${keyId} ${place}`;
      if (await this.#locks.tryLock(name)) return name;
    }
    return null;
  }

  async #wait(tenant: Tenant, above: bigint, ms: number): Promise<bigint | null> {
    if (this.#stopping.signal.aborted) return null;
    const { promise, resolve } = Promise.withResolvers<bigint | null>();
    const waiter: Waiter = { tenant, above, wake: resolve };
    const timer = setTimeout(resolve, ms, null);
    this.#waiters.add(waiter);
    void this.#poll();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    }
  }

  /** Answers everybody now; for a service that stops. */
  stop(): void {
    this.#stopping.abort();
    for (const waiter of this.#waiters) waiter.wake(null);
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    while (this.#waiters.size > 0 && !this.#stopping.signal.aborted) {
      const waiters = [...this.#waiters];
      // A database that does not answer leaves them waiting: their own look, when the time is over, says so.
      const sequences = await listLastSequences(
        this.#database,
        waiters.map((waiter) => waiter.tenant),
      ).catch(() => []);
      sequences.forEach((sequence, index) => {
        const waiter = waiters[index]!;
        if (BigInt(sequence) > waiter.above) waiter.wake(BigInt(sequence));
      });
      await sleep(POLL_MS, null, { signal: this.#stopping.signal }).catch(() => undefined);
    }
    this.#polling = false;
  }
}
