import pg from "pg";
import type { Log } from "../lib/log.ts";
import { CONNECT_MS, createConnector } from "./connection.ts";
import { ATTEMPTS_MAX, ConnectionQueue, type ConnectionTimes } from "./connectionQueue.ts";
import { type Ask, createLender } from "./pool.ts";
import { prepare, type Sql } from "./sql.ts";
import { asUnavailable, DatabaseUnavailableError } from "./unavailable.ts";

/** Runs statements: a pool, or one connection inside a transaction. */
export interface Db {
  rows<Row>(statement: Sql): Promise<Row[]>;
  /** Returns the only row, or null. */
  row<Row>(statement: Sql): Promise<Row | null>;
  /** True if there is a row. */
  has(statement: Sql): Promise<boolean>;
}

export interface Database extends Db {
  /**
   * Runs `work` in one transaction. A deadlock or serialization failure is retried, at most three times in all, so `work`
   * must be free of effects elsewhere. Nothing remote is called inside.
   */
  transaction<Result>(work: (db: Db) => Promise<Result>): Promise<Result>;
  /** Opens a separate connection, for session locks, listening and DDL; the caller ends it. */
  connect(): Promise<Session>;
  close(): Promise<void>;
}

/** A connection outside the pool. It fails like a pool's: with {@link DatabaseUnavailableError} when it is lost. */
export interface Session {
  /** Runs a text unchanged and unprepared. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Called with the payload and the channel of each notification, after `listen`. */
  onNotification(heard: (payload: string, channel: string) => void): void;
  /** Resolves when the connection is lost or ended. */
  readonly over: Promise<void>;
  end(): Promise<void>;
}

export interface DatabaseOptions {
  readonly connection: pg.ClientConfig;
  readonly connectionsMax: number;
  readonly statementTimeoutMs: number;
  /** Undefined: those of §7.2.1. */
  readonly times?: ConnectionTimes;
  readonly log: Log;
  /** Called after the commit, with the topics that a statement or a transaction announces. */
  readonly onAnnounced?: (topics: readonly string[]) => void;
}

const TRIES_MAX = 3;
// 40001 and 40P01: the server resolved a conflict between two transactions; a retry may succeed.
const RETRYABLE = new Set(["40001", "40P01"]);

const TIMESTAMPTZ = 1184;
const UTC_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;
const readAnyTime: (text: string) => Date | null = pg.types.getTypeParser(TIMESTAMPTZ);

/** Date itself reads the usual spelling, in less than half the time of the parser for all spellings of ISO. */
function readTime(text: string): Date {
  const time = UTC_TIME.test(text) ? new Date(`${text}:00`) : readAnyTime(text);
  if (time === null) throw new Error(`The database wrote a time as no setting of ours does: ${text}`);
  return time;
}

/** The parsers of `pg` for returned values. */
const types = new pg.TypeOverrides();
types.setTypeParser(TIMESTAMPTZ, readTime);

const dbOf = (ask: Ask, announce: (topics: readonly string[]) => void): Db => {
  const rows = async <Row>(statement: Sql): Promise<Row[]> => {
    const found = (await ask(prepare(statement))).rows as Row[];
    if (statement.announces !== undefined) announce(statement.announces(found));
    return found;
  };
  const row = async <Row>(statement: Sql): Promise<Row | null> => {
    const found = await rows<Row>(statement);
    if (found.length > 1) throw new Error("A statement for one row returned several.");
    return found[0] ?? null;
  };
  return { rows, row, has: async (statement) => (await row(statement)) !== null };
};

const GOODBYE_MS = 1_000;

function sessionOf(client: pg.PoolClient): Session {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  let isReleased = false;
  /** Takes the connection out of its pool, which ends it. */
  const release = () => {
    if (isReleased) return;
    isReleased = true;
    client.release(true);
    resolve();
  };
  client.once("end", release).once("error", release);
  return {
    query: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) => {
      try {
        return (await client.query<Row>(text, [...values])).rows;
      } catch (error) {
        const failure = asUnavailable(error);
        // After a query that did not answer in time, every later one would wait behind it.
        if (failure instanceof DatabaseUnavailableError) release();
        throw failure;
      }
    },
    onNotification: (heard) => void client.on("notification", ({ payload = "", channel }) => heard(payload, channel)),
    over,
    end: async () => {
      release();
      // The other side may have vanished: its network answers no goodbye for a quarter of an hour.
      const cut = setTimeout(() => client.connection.stream.destroy(), GOODBYE_MS);
      await client.end().finally(() => clearTimeout(cut));
    },
  };
}

/** The most separate connections; a process has a handful. */
const SESSIONS_MAX = 50;
/** Idle connections that stay open, so that the first request after a pause need not connect and plan again. */
const CONNECTIONS_KEPT = 2;

/** Time-outs of the server itself: for a statement, and for a transaction that was left open. */
const timeoutsOf = ({ statementTimeoutMs }: DatabaseOptions) =>
  [
    ["statement_timeout", String(statementTimeoutMs)],
    ["idle_in_transaction_session_timeout", "10000"],
  ] as const;

/** Retries work that lost a deadlock or a serialization conflict. */
async function withRetries<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (tries >= TRIES_MAX || !RETRYABLE.has(code)) throw error;
    }
  }
}

/** Logs every lost connection as an outage: a stopped server breaks all of them, and that is one line. */
function logLost(log: Log, error: Error): void {
  const message = `Lost a connection to the database: ${error.message}`;
  log(message, new DatabaseUnavailableError(message, "away", { cause: error }));
}

/** Opens a pool. Nothing connects until the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const answerMsMax = options.statementTimeoutMs + 2_000;
  const connection = { ...options.connection, types, keepAlive: true };
  const connector = createConnector(connection, timeoutsOf(options));
  const pool = new pg.Pool({
    ...connector.pooling,
    application_name: "holdfast",
    connectionTimeoutMillis: CONNECT_MS,
    max: options.connectionsMax + ATTEMPTS_MAX,
    min: CONNECTIONS_KEPT,
  });
  const queue = new ConnectionQueue(pool, connector, options.connectionsMax, options.times);
  const sessionConnector = createConnector(connection);
  const sessionPool = new pg.Pool({
    ...sessionConnector.pooling,
    application_name: "holdfast session",
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: answerMsMax,
    max: SESSIONS_MAX + ATTEMPTS_MAX,
  });
  const sessions = new ConnectionQueue(sessionPool, sessionConnector, SESSIONS_MAX, options.times);
  const announce = (topics: readonly string[]) => {
    if (topics.length > 0) options.onAnnounced?.(topics);
  };
  let isClosed = false;
  // After the end connections may break: PostgreSQL may be stopped next.
  const onLost = (error: Error) => {
    if (!isClosed) logLost(options.log, error);
  };
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on("error", onLost);
  sessionPool.on("error", onLost).on("connect", (client) => void client.on("error", () => undefined));
  const { lend, close } = createLender(pool, queue, answerMsMax);

  const once = <Result>(work: (db: Db) => Promise<Result>): Promise<Result> =>
    lend(async (ask) => {
      const topics: string[] = [];
      const collect = (more: readonly string[]) => void topics.push(...more);
      try {
        await ask({ text: "begin" });
        const result = await work(dbOf(ask, collect));
        await ask({ text: "commit" });
        announce(topics);
        return result;
      } catch (error) {
        await ask({ text: "rollback" }).catch(() => undefined);
        throw error;
      }
    });

  return {
    // A failed statement was undone as a whole, so a retry is as safe as that of a transaction.
    ...dbOf((statement) => withRetries(() => lend((ask) => ask(statement))), announce),
    transaction: (work) => withRetries(() => once(work)),
    connect: async () => sessionOf((await sessions.take()).on("error", onLost)),
    close: () => {
      isClosed = true;
      // Its end waits for those who have sessions.
      void sessions.close();
      return close();
    },
  };
}
