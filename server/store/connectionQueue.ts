import type pg from "pg";
import type { Connector } from "./connection.ts";
import { asAway, DatabaseUnavailableError } from "./unavailable.ts";

export interface ConnectionTimes {
  /** The longest wait of a caller for a connection. */
  readonly waitMs: number;
  /** The time after which an attempt to connect is slow: callers no longer count on it. */
  readonly slowMs: number;
}

/** §7.2.1. */
const TIMES: ConnectionTimes = { waitMs: 2_000, slowMs: 2_000 };
/** Attempts of one pool at once: those that are not slow, and all. A starved server must not fork for hundreds. */
const BRISK_ATTEMPTS_MAX = 4;
export const ATTEMPTS_MAX = 10;
/**
 * The wait between attempts once they fail or are slow: it doubles, and half of it is random, so that processes do not
 * attempt in step.
 */
const PAUSE_MS_MIN = 50;
const PAUSE_MS_MAX = 5_000;

interface Waiting {
  readonly resolve: (client: pg.PoolClient | Promise<pg.PoolClient>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The callers that wait for a connection of a pool, and the attempts to make one. An attempt belongs to no caller: it goes
 * on when the wait of the one that caused it is over, and its connection serves the next. Otherwise a server that needs
 * longer for a connection than a caller waits would only ever see connections that are given up.
 */
export class ConnectionQueue {
  readonly #pool: pg.Pool;
  readonly #connector: Connector;
  readonly #connectionsMax: number;
  readonly #times: ConnectionTimes;
  readonly #waiting = new Set<Waiting>();
  #attempts = 0;
  #slowAttempts = 0;
  /** Failed and slow attempts since the last connection, and the time of the next attempt, by `performance.now()`. */
  #failures = 0;
  #nextAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: pg.Pool, connector: Connector, connectionsMax: number, times = TIMES) {
    this.#pool = pool;
    this.#connector = connector;
    this.#connectionsMax = connectionsMax;
    this.#times = times;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Fails with {@link DatabaseUnavailableError} when no connection comes free in time, or none can be made. */
  async take(): Promise<pg.PoolClient> {
    if (this.#pool.ending) throw new DatabaseUnavailableError("The connections to the database are closed.", "away");
    if (this.#waiting.size === 0 && this.#idle > 0) return this.#pool.connect();
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
    const waiting = { resolve, reject };
    this.#waiting.add(waiting);
    const timer = setTimeout(() => {
      this.#waiting.delete(waiting);
      reject(new DatabaseUnavailableError("No connection to the database came free in time.", "away"));
    }, this.#times.waitMs);
    this.serve();
    return promise.finally(() => clearTimeout(timer));
  }

  /** Lends idle connections to those that wait, and makes further ones. */
  serve(): void {
    for (const waiting of this.#waiting) {
      if (this.#idle <= 0) break;
      this.#waiting.delete(waiting);
      waiting.resolve(this.#pool.connect());
    }
    while (this.#shouldAttempt()) void this.#attempt();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const ended = this.#pool.end();
    this.#connector.abandon();
    this.#refuse(new DatabaseUnavailableError("The connections to the database are closed.", "away"));
    await ended;
  }

  /** A connection that was asked for is still counted as idle until the next tick. */
  get #idle(): number {
    return this.#pool.idleCount - this.#pool.waitingCount;
  }

  #shouldAttempt(): boolean {
    const brisk = this.#attempts - this.#slowAttempts;
    if (this.#pool.ending || this.#waiting.size <= brisk || this.#attempts >= ATTEMPTS_MAX) return false;
    if (brisk >= (this.#failures === 0 ? BRISK_ATTEMPTS_MAX : 1)) return false;
    if (this.#pool.totalCount - this.#slowAttempts >= this.#connectionsMax) return false;
    const pauseMs = this.#nextAt - performance.now();
    if (pauseMs <= 0) return true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.serve(), pauseMs);
    return false;
  }

  async #attempt(): Promise<void> {
    this.#attempts++;
    let isSlow = false;
    const slow = setTimeout(() => {
      isSlow = true;
      this.#slowAttempts++;
      this.#pause();
      this.serve();
    }, this.#times.slowMs);
    const outcome = await this.#connect().then(
      (client) => ({ client }),
      (failure: DatabaseUnavailableError) => ({ failure }),
    );
    clearTimeout(slow);
    this.#attempts--;
    if (isSlow) this.#slowAttempts--;
    if ("client" in outcome) {
      this.#failures = 0;
      this.#nextAt = 0;
      // Slow attempts are more than the pool has connections for.
      outcome.client.release(this.#pool.totalCount - this.#attempts > this.#connectionsMax);
    } else {
      this.#pause();
      if (this.#pool.totalCount === 0) this.#refuse(outcome.failure);
    }
    this.serve();
  }

  /** A server that is down is skipped because of its error. */
  async #connect(): Promise<pg.PoolClient> {
    for (let tries = this.#connector.servers; ; tries--)
      try {
        return await this.#pool.connect();
      } catch (error) {
        if (tries <= 1) throw asAway(error);
      }
  }

  #pause(): void {
    const pauseMs = Math.min(PAUSE_MS_MIN * 2 ** this.#failures++, PAUSE_MS_MAX);
    this.#nextAt = performance.now() + pauseMs * (0.5 + Math.random() / 2);
  }

  #refuse(failure: DatabaseUnavailableError): void {
    for (const { reject } of this.#waiting) reject(failure);
    this.#waiting.clear();
  }
}
