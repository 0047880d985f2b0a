import type pg from "pg";
import { WAITING_MAX } from "../domain/limits.ts";
import type { ConnectionQueue } from "./connectionQueue.ts";
import { asUnavailable, DatabaseUnavailableError } from "./unavailable.ts";

/** The interval of the check for overdue answers. */
const WATCH_MS = 500;

/** Runs a statement on a lent connection; fails with {@link DatabaseUnavailableError} when no answer comes in time. */
export type Ask = (statement: pg.QueryConfig) => Promise<{ rows: unknown[] }>;

const NOTHING: pg.QueryConfig = { text: "" };

/** The time since which a connection of the pool has owed an answer. */
interface Line {
  askedAt: number | null;
}

/**
 * Uses a callback. For a promise, or a time-out, `pg` assigns a function to a property, which V8 makes old at creation;
 * everything in its scope, the statement's values first, then outlives a young collection.
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
 * Lends the connections of a pool. The client itself enforces the deadline of an answer, since a commit that waits for a
 * dead standby ignores statement_timeout; one timer watches all connections.
 */
export function createLender(pool: pg.Pool, queue: ConnectionQueue, answerMsMax: number) {
  const lines = new Map<pg.PoolClient, Line>();
  // A connection that breaks in the packet that made it ready raises its error before the waiting caller can listen.
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    lines.set(client, { askedAt: null });
  });
  pool.on("remove", (client) => void lines.delete(client));
  const watch = setInterval(() => {
    const overdue = performance.now() - answerMsMax;
    // Cutting the connection fails the statements that wait on it. A goodbye alone may never be answered.
    for (const [client, { askedAt }] of lines)
      if (askedAt !== null && askedAt < overdue) {
        void client.end().catch(() => undefined);
        client.connection.stream.destroy();
      }
  }, WATCH_MS).unref();

  return {
    /** Runs `work` on a free connection, or fails with {@link DatabaseUnavailableError}. A connection that failed is replaced. */
    async lend<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
      if (queue.waitingCount >= WAITING_MAX)
        throw new DatabaseUnavailableError(
          "More statements wait for a connection than could have one in time.",
          "slow",
        );
      const client = await queue.take();
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
            // The server reports an error before it has released the statement's locks; it answers this query after.
            if (!isBroken) await run(client, NOTHING).catch(() => undefined);
            throw failure;
          } finally {
            line.askedAt = null;
          }
        });
      } finally {
        client.release(isBroken);
        queue.serve();
      }
    },
    async close(): Promise<void> {
      await queue.close();
      clearInterval(watch);
    },
  };
}
