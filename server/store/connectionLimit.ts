import type pg from "pg";
import { WAITING_MAX } from "../domain/limits.ts";
import { DatabaseUnavailableError } from "./unavailable.ts";

interface Waiting {
  readonly pool: pg.Pool;
  readonly go: () => void;
}

/** Idle connections that stay open for each pool: a new one costs more than many statements. */
const KEPT_OF_POOL = 4;

/**
 * One limit for the connections of several pools, those of the cells. No pool has more than half of those in use, so that a
 * cell whose server hangs leaves some to the others. Some more may be open and idle; beyond these, a pool that needs a
 * connection closes an idle one of another.
 */
export class ConnectionLimit {
  readonly #max: number;
  /** The connections that each pool has lent. */
  readonly #lent = new Map<pg.Pool, number>();
  readonly #waiting: Waiting[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  get ofPoolMax(): number {
    return Math.ceil(this.#max / 2);
  }

  add(pool: pg.Pool): void {
    this.#lent.set(pool, 0);
  }

  remove(pool: pg.Pool): void {
    this.#lent.delete(pool);
  }

  /** Lends a connection of the pool, by `connect`. After it was given back, the caller calls {@link free}. */
  async lend(pool: pg.Pool, connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    await this.#admit(pool);
    try {
      if (pool.idleCount === 0 && this.#open >= this.#max + KEPT_OF_POOL * this.#lent.size) await this.#closeIdle(pool);
      return await connect();
    } catch (error) {
      this.free(pool);
      throw error;
    }
  }

  free(pool: pg.Pool): void {
    this.#count(pool, -1);
    const next = this.#waiting.findIndex((one) => this.#mayLend(one.pool));
    if (next === -1) return;
    const [waiting] = this.#waiting.splice(next, 1);
    this.#count(waiting!.pool, 1);
    waiting!.go();
  }

  async #admit(pool: pg.Pool): Promise<void> {
    if (this.#mayLend(pool)) return this.#count(pool, 1);
    if (this.#waiting.length >= WAITING_MAX)
      throw new DatabaseUnavailableError("More statements wait for a connection than could have one in time.", "slow");
    await new Promise<void>((go) => void this.#waiting.push({ pool, go }));
  }

  #mayLend(pool: pg.Pool): boolean {
    let lent = 0;
    for (const count of this.#lent.values()) lent += count;
    return lent < this.#max && (this.#lent.get(pool) ?? 0) < this.ofPoolMax;
  }

  #count(pool: pg.Pool, change: number): void {
    this.#lent.set(pool, (this.#lent.get(pool) ?? 0) + change);
  }

  get #open(): number {
    let open = 0;
    for (const { totalCount } of this.#lent.keys()) open += totalCount;
    return open;
  }

  async #closeIdle(wanting: pg.Pool): Promise<void> {
    for (const pool of this.#lent.keys())
      if (pool !== wanting && pool.idleCount > 0) return (await pool.connect()).release(true);
  }
}
