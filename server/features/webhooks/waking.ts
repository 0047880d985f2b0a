import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../lib/log.ts";
import type { Database, Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

const CHANNEL = "holdfast_deliveries";
const COALESCE_MS = 2;
const RETRY_MS = 1_000;

/** Tells workers of other processes that something may be due. Its own statement: inside a transaction it takes a lock that all commits share. */
export const notifyWorkers = (db: Db) => db.rows(sql`select pg_notify(${CHANNEL}, '')`);

/** The first call notifies at once; while that is under way and for 2 ms after, all others become one. A lost one is made up for by polling. */
export function createNotifier(database: Db): () => void {
  let busy = false;
  let again = false;
  const run = async () => {
    do {
      again = false;
      await notifyWorkers(database).catch(() => undefined);
      await sleep(COALESCE_MS);
    } while (again);
    busy = false;
  };
  return () => {
    if (busy) again = true;
    else {
      busy = true;
      void run();
    }
  };
}

/** Calls `wake` on every notification, and whenever it starts to listen again after the database was away. */
export function listenForWork(database: Database, wake: () => void, log: Log): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      await listenOnce(database, wake, stopping.signal).catch((error: Error) => {
        if (!stopping.signal.aborted) log(`Listening for webhook deliveries failed: ${error.message}`);
      });
      await sleep(RETRY_MS, null, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const ended = run();
  return {
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}

async function listenOnce(database: Database, wake: () => void, signal: AbortSignal): Promise<void> {
  const client = await database.connect();
  try {
    const over = new Promise<void>((resolve) => {
      client.once("end", () => resolve());
      client.once("error", () => resolve());
      signal.addEventListener("abort", () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
    client.on("notification", wake);
    await client.query(`listen ${CHANNEL}`);
    wake();
    await over;
  } finally {
    await client.end().catch(() => undefined);
  }
}
