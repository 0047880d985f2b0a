import type pg from "pg";
import { WAITING_MAX } from "../domain/limits.ts";
import { CONNECT_MS } from "./connection.ts";
import { asUnavailable, DatabaseUnavailableError } from "./unavailable.ts";

/** How often answers that are overdue are looked for. */
const WATCH_MS = 500;

/** Runs a statement on a lent connection; fails with {@link DatabaseUnavailableError} when no answer comes in time. */
export type Ask = (statement: pg.QueryConfig) => Promise<{ rows: unknown[] }>;

const NOTHING: pg.QueryConfig = { text: "" };

/** Since when a connection of the pool has owed an answer. */
interface Line {
  askedAt: number | null;
}

/**
 * By callback: to give a promise, or a time-out, `pg` assigns a function to a property, which V8 makes old at creation; all
 * that the function can see, the statement's values first, then outlives a young collection.
 */
const run = (client: pg.PoolClient, statement: pg.QueryConfig): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    client.query(statement, (error: Error | null, result) => {
      if (error === null || error === undefined) return resolve(result);
      Error.captureStackTrace(error);
      reject(error);
    });
  });

/**
 * Lends the connections of a pool. The deadline of an answer is the client's own, since a commit that waits for a dead
 * standby ignores statement_timeout; one watch looks after all connections.
 */
export function createLender(pool: pg.Pool, answerMsMax: number, servers: number) {
  const lines = new Map<pg.PoolClient, Line>();
  // A connection that breaks in the packet that made it ready raises its error before the waiting caller can listen.
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    lines.set(client, { askedAt: null });
  });
  pool.on("remove", (client) => void lines.delete(client));
  const watch = setInterval(() => {
    const overdue = performance.now() - answerMsMax;
    // Ending it cuts the connection, and fails what waits on it.
    for (const [client, { askedAt }] of lines)
      if (askedAt !== null && askedAt < overdue) void client.end().catch(() => undefined);
  }, WATCH_MS).unref();

  /** A server that is away is passed over by its error; the next is tried while the caller's time lasts. */
  const connect = async (): Promise<pg.PoolClient> => {
    const until = performance.now() + CONNECT_MS;
    for (let tries = servers; ; tries--)
      try {
        return await pool.connect();
      } catch (error) {
        const failure = asUnavailable(error);
        if (tries <= 1 || performance.now() >= until || !(failure instanceof DatabaseUnavailableError)) throw failure;
      }
  };

  return {
    /** Runs `work` on a connection that comes free, or fails with {@link DatabaseUnavailableError}; one that failed is replaced. */
    async lend<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
      if (pool.waitingCount >= WAITING_MAX)
        throw new DatabaseUnavailableError(
          "More statements wait for a connection than could have one in time.",
          "slow",
        );
      const client = await connect();
      const line = lines.get(client)!;
      let isBroken = false;
      try {
        return await work(async (statement) => {
          line.askedAt = performance.now();
          try {
            return await run(client, statement);
          } catch (error) {
            const failure = asUnavailable(error);
            isBroken ||= failure instanceof DatabaseUnavailableError;
            // The server says what went wrong before it has given back the statement's locks; this it answers after.
            if (!isBroken) await run(client, NOTHING).catch(() => undefined);
            throw failure;
          } finally {
            line.askedAt = null;
          }
        });
      } finally {
        client.release(isBroken);
      }
    },
    async close(): Promise<void> {
      await pool.end();
      clearInterval(watch);
    },
  };
}
