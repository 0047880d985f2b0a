import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../../lib/log.ts";
import type { Database, Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";

/** Called when deliveries may be due: of these businesses, or of any. */
export type Wake = (businessIds?: readonly string[]) => void;

const CHANNEL = "holdfast_deliveries";
const COALESCE_MS = 2;
const RETRY_MS = 1_000;
/** PostgreSQL allows slightly less than 8,000 bytes. */
const PAYLOAD_MAX = 7_000;

/**
 * Notifies the workers of all processes that deliveries may be due, of these businesses or of any. This must be a
 * separate statement: at its commit, a transaction that notifies takes a lock that all such commits share.
 */
export const notifyWorkers = (db: Db, businessIds: readonly string[] = []) => {
  const names = businessIds.join(",");
  return db.rows(sql`select pg_notify(${CHANNEL}, ${names.length > PAYLOAD_MAX ? "" : names})`);
};

/**
 * The first call notifies at once; calls made until 2 ms after it has ended are combined into one. Polling makes up
 * for a lost notification, so a failure costs half a second at most; the first of several in a row is logged.
 */
export function createNotifier(database: Db, log: Log): (businessIds: readonly string[]) => void {
  const waiting = new Set<string>();
  let busy = false;
  let failing = false;
  const run = async () => {
    while (waiting.size > 0) {
      const names = [...waiting];
      waiting.clear();
      try {
        await notifyWorkers(database, names);
        failing = false;
      } catch (error) {
        if (!failing) log("The workers could not be notified of new deliveries; they find them by polling.", error);
        failing = true;
      }
      await sleep(COALESCE_MS);
    }
    busy = false;
  };
  return (businessIds) => {
    for (const id of businessIds) waiting.add(id);
    if (busy) return;
    busy = true;
    void run();
  };
}

/** The channel of acts at the command line, which workers log (§13.6 stores those that concern a business). */
const ACTS = "holdfast_acts";
const ACT_MAX = 500;

/** Lets the workers of all processes log an act at the command line. */
export const announceAct = (db: Db, sentence: string) =>
  db.rows(sql`select pg_notify(${ACTS}, ${sentence.slice(0, ACT_MAX)})`);

/**
 * Calls `wake` on every notification of deliveries and whenever it begins to listen, also after an outage of the
 * database. Logs notified acts.
 */
export function listenForWork(database: Database, wake: Wake, log: Log): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let lastError: string | null = null;
  const listening = () => {
    lastError = null;
    wake();
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      await listenOnce(database, { wake, listening, onAct: (sentence) => log(sentence) }, stopping.signal).catch(
        (error: Error) => {
          if (!stopping.signal.aborted && error.message !== lastError)
            log(`Listening for webhook deliveries failed: ${error.message}`, error);
          lastError = error.message;
        },
      );
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

interface Listener {
  readonly wake: Wake;
  /** Called when notifications arrive from now on. Earlier ones are lost. */
  readonly listening: () => void;
  /** Called with a sentence about an act at the command line. */
  readonly onAct: (sentence: string) => void;
}

async function listenOnce(
  database: Database,
  { wake, listening, onAct }: Listener,
  signal: AbortSignal,
): Promise<void> {
  const session = await database.connect();
  try {
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
    session.onNotification((payload, channel) => {
      if (channel === ACTS) onAct(payload);
      else wake(payload === "" ? undefined : payload.split(","));
    });
    await session.query(`listen ${CHANNEL}; listen ${ACTS}`);
    listening();
    await Promise.race([session.over, stopped]);
  } finally {
    await session.end().catch(() => undefined);
  }
}
