import { setTimeout as sleep } from "node:timers/promises";
import type { Tenant } from "../../domain/callers.ts";
import { log } from "../../lib/log.ts";
import type { Database } from "../../store/database.ts";
import type { SessionLocks } from "../../store/locks.ts";
import { DatabaseUnavailableError } from "../../store/unavailable.ts";
import { listLastSequences } from "./queries.ts";

/** The interval at which one statement reads the counters of all waiting requests. */
const POLL_MS = 100;
/** Waiting requests per process, and per key in all processes. Any further one is answered at once. */
const WAITING_MAX = 1_000;
const WAITING_OF_KEY_MAX = 2;

/** Resolves with the newest sequence once it is above `above`; null when the time is over or the client has gone. */
type Wait = (tenant: Tenant, above: bigint, ms: number, hangUp: AbortSignal) => Promise<bigint | null>;
const NO_WAIT: Wait = async () => null;

interface Waiter {
  readonly tenant: Tenant;
  readonly above: bigint;
  readonly wake: (newest: bigint | null) => void;
}

/**
 * Holds requests open until their business has an event above a sequence. One poll serves all of them; none runs while
 * no request waits.
 */
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

  /** Runs `work` in one of the key's slots, with a {@link Wait}. If no slot is free, the wait ends at once. */
  async inSlot<Result>(keyId: string, work: (wait: Wait) => Promise<Result>): Promise<Result> {
    if (this.#entered >= WAITING_MAX) return work(NO_WAIT);
    this.#entered++;
    try {
      const slot = await this.#takeSlot(keyId);
      if (slot === null) return await work(NO_WAIT);
      try {
        return await work((tenant, above, ms, hangUp) => this.#wait(tenant, above, ms, hangUp));
      } finally {
        await this.#locks.unlock(slot);
      }
    } finally {
      this.#entered--;
    }
  }

  /** A slot is a lock, so all processes share one count, and a process that ends frees its slots. */
  async #takeSlot(keyId: string): Promise<string | null> {
    for (let slot = 1; slot <= WAITING_OF_KEY_MAX; slot++) {
      const name = `waiting ${keyId} ${slot}`;
      if (await this.#locks.tryLock(name)) return name;
    }
    return null;
  }

  async #wait(tenant: Tenant, above: bigint, ms: number, hangUp: AbortSignal): Promise<bigint | null> {
    if (this.#stopping.signal.aborted || hangUp.aborted) return null;
    const { promise, resolve } = Promise.withResolvers<bigint | null>();
    const waiter: Waiter = { tenant, above, wake: resolve };
    const timer = setTimeout(resolve, ms, null);
    hangUp.addEventListener("abort", () => resolve(null), { once: true });
    this.#waiters.add(waiter);
    void this.#poll();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    }
  }

  /** Ends every wait now, when the service stops. */
  stop(): void {
    this.#stopping.abort();
    for (const waiter of this.#waiters) waiter.wake(null);
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    while (this.#waiters.size > 0 && !this.#stopping.signal.aborted) {
      const waiters = [...this.#waiters];
      // While the database is unavailable, keep waiting: each request's own query reports it when its time is over.
      const sequences = await listLastSequences(
        this.#database,
        waiters.map((waiter) => waiter.tenant),
      ).catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailableError)) {
          log("The sequences that requests wait for could not be read; their waits end.", error);
          for (const waiter of waiters) waiter.wake(null);
        }
        return [];
      });
      sequences.forEach((sequence, index) => {
        const waiter = waiters[index]!;
        if (BigInt(sequence) > waiter.above) waiter.wake(BigInt(sequence));
      });
      await sleep(POLL_MS, null, { signal: this.#stopping.signal }).catch(() => undefined);
    }
    this.#polling = false;
  }
}
