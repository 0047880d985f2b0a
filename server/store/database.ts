import pg from "pg";
import { WAITING_MAX } from "../limits.ts";
import { prepare, type Sql } from "./sql.ts";

/** Where statements run: a pool, or one connection inside a transaction. */
export interface Db {
  rows<Row>(statement: Sql): Promise<Row[]>;
  /** The only row, or null. */
  row<Row>(statement: Sql): Promise<Row | null>;
}

export interface Database extends Db {
  /**
   * Runs `work` in one transaction. A deadlock or serialization failure is tried again, at most three times in all,
   * so `work` must be free of effects elsewhere. Nothing remote is called inside.
   */
  transaction<Result>(work: (db: Db) => Promise<Result>): Promise<Result>;
  /** One connection of its own, for session locks, listening and DDL; the caller ends it. */
  connect(): Promise<Session>;
  close(): Promise<void>;
}

/** A connection outside the pool. It fails as a pool's does: with {@link DatabaseUnavailable} when it is lost. */
export interface Session {
  /** Runs a text as it is, unprepared. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Called with the payload of each notification, after `listen`. */
  onNotification(heard: (payload: string) => void): void;
  /** Resolves when the connection is over, lost or ended. */
  readonly over: Promise<void>;
  end(): Promise<void>;
}

/** The database cannot be reached, or no connection came free or no answer in time. Callers answer 503 and may try again. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
}

export interface DatabaseOptions {
  readonly connection: pg.ClientConfig;
  readonly connectionsMax: number;
  readonly statementTimeoutMs: number;
  readonly log: (message: string) => void;
  /** Called after the commit of a statement or transaction that recorded events. */
  readonly onTold?: (businessIds: readonly string[]) => void;
}

const POOL_WAIT_MS = 2_000;
const TRANSACTION_TRIES = 3;
// 40001 and 40P01: the server broke a tie, and the same work may well succeed.
const RETRYABLE = new Set(["40001", "40P01"]);
// Classes 08 and 57P: connection lost, server shutting down or starting; 53300: too many connections; 57014: a statement
// that took too long, which whoever sent it may send again.
const UNREACHABLE = /^(08...|57P0[1-4]|53300|57014|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND)$/;
const UNREACHABLE_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout|not queryable/;

function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (UNREACHABLE.test(code) || UNREACHABLE_MESSAGE.test(error.message))
    return new DatabaseUnavailable(`The database did not answer: ${error.message}`, { cause: error });
  return error;
}

const TIMESTAMPTZ = 1184;
const UTC_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;
const readAnyTime: (text: string) => Date = pg.types.getTypeParser(TIMESTAMPTZ);

/** The usual spelling is read by Date itself, in less than half the time of the parser for all spellings. */
const readTime = (text: string): Date => (UTC_TIME.test(text) ? new Date(`${text}:00`) : readAnyTime(text));

/** How `pg` reads what comes back. */
const types = new pg.TypeOverrides();
types.setTypeParser(TIMESTAMPTZ, readTime);

/** Whom to wake: those the statement tells of, or, where its rows have a column `told`, only those named there. */
function wokenBy(tells: readonly string[], row: unknown): readonly string[] {
  const told = (row as { readonly told?: string | null } | undefined)?.told;
  if (told === undefined) return tells;
  return told === null ? [] : told.split(",");
}

type Ask = (statement: pg.QueryConfig) => Promise<{ rows: unknown[] }>;

const dbOf = (ask: Ask, told: (businessIds: readonly string[]) => void): Db => {
  const rows = async <Row>(statement: Sql): Promise<Row[]> => {
    const found = (await ask(prepare(statement))).rows as Row[];
    if (statement.tells !== undefined) told(wokenBy(statement.tells, found[0]));
    return found;
  };
  return {
    rows,
    row: async <Row>(statement: Sql) => {
      const found = await rows<Row>(statement);
      if (found.length > 1) throw new Error("A statement for one row returned several.");
      return found[0] ?? null;
    },
  };
};

function sessionOf(client: pg.Client): Session {
  const over = new Promise<void>((resolve) => {
    client.once("end", resolve).once("error", () => resolve());
  });
  return {
    query: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) => {
      try {
        return (await client.query<Row>(text, [...values])).rows;
      } catch (error) {
        const failure = asUnavailable(error);
        // One that did not answer in time would keep every later query waiting behind that one.
        if (failure instanceof DatabaseUnavailable) void client.end().catch(() => undefined);
        throw failure;
      }
    },
    onNotification: (heard) => void client.on("notification", ({ payload = "" }) => heard(payload)),
    over,
    end: () => client.end(),
  };
}

/** A connection of the pool, and since when it has owed an answer. */
interface Line {
  readonly client: pg.PoolClient;
  askedAt: number | null;
}

/**
 * By callback: to give a promise, or a time-out, `pg` assigns a function to a property, which V8 makes old at birth; all
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
function createLender(pool: pg.Pool, answerMsMax: number) {
  const lines = new Map<pg.PoolClient, Line>();
  // One that breaks in the very packet that made it ready raises its error before whoever waited for it can listen.
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    lines.set(client, { client, askedAt: null });
  });
  pool.on("remove", (client) => void lines.delete(client));
  const watch = setInterval(() => {
    const overdue = performance.now() - answerMsMax;
    // Ending it cuts the connection, and fails what waits on it.
    for (const { client, askedAt } of lines.values())
      if (askedAt !== null && askedAt < overdue) void client.end().catch(() => undefined);
  }, WATCH_MS).unref();

  return {
    /** Runs `work` on a connection that comes free, or fails with {@link DatabaseUnavailable}; one that failed is replaced. */
    async lend<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
      if (pool.waitingCount >= WAITING_MAX)
        throw new DatabaseUnavailable("More statements wait for a connection than could have one in time.");
      let client: pg.PoolClient;
      try {
        client = await pool.connect();
      } catch (error) {
        throw asUnavailable(error);
      }
      const line = lines.get(client)!;
      let isBroken = false;
      try {
        return await work(async (statement) => {
          line.askedAt = performance.now();
          try {
            return await run(client, statement);
          } catch (error) {
            const failure = asUnavailable(error);
            isBroken ||= failure instanceof DatabaseUnavailable;
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

/** Connections that stay open when nothing is asked: a first request after a pause need not connect and plan anew. */
const CONNECTIONS_KEPT = 2;
/** How often answers that are overdue are looked for. */
const WATCH_MS = 500;

/** Opens a pool. Nothing connects until the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const answerMsMax = options.statementTimeoutMs + 2_000;
  const pool = new pg.Pool({
    ...options.connection,
    application_name: "holdfast",
    types,
    max: options.connectionsMax,
    min: CONNECTIONS_KEPT,
    connectionTimeoutMillis: POOL_WAIT_MS,
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
  });
  const told = (businessIds: readonly string[]) => {
    if (businessIds.length > 0) options.onTold?.(businessIds);
  };
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on("error", (error) => options.log(`An idle database connection broke: ${error.message}`));
  const { lend, close } = createLender(pool, answerMsMax);

  const once = <Result>(work: (db: Db) => Promise<Result>): Promise<Result> =>
    lend(async (ask) => {
      const tells: string[] = [];
      const noteTold = (businessIds: readonly string[]) => void tells.push(...businessIds);
      try {
        await ask({ text: "begin" });
        const result = await work(dbOf(ask, noteTold));
        await ask({ text: "commit" });
        if (tells.length > 0) told(tells);
        return result;
      } catch (error) {
        await ask({ text: "rollback" }).catch(() => undefined);
        throw error;
      }
    });

  return {
    ...dbOf((statement) => lend((ask) => ask(statement)), told),
    transaction: async (work) => {
      for (let tries = 1; ; tries++) {
        try {
          return await once(work);
        } catch (error) {
          const code = error instanceof Error && "code" in error ? String(error.code) : "";
          if (tries >= TRANSACTION_TRIES || !RETRYABLE.has(code)) throw error;
        }
      }
    },
    connect: async () => {
      const client = new pg.Client({
        ...options.connection,
        application_name: "holdfast session",
        keepAlive: true,
        connectionTimeoutMillis: POOL_WAIT_MS,
        query_timeout: answerMsMax,
      });
      client.on("error", (error) => options.log(`A database connection of its own broke: ${error.message}`));
      try {
        await client.connect();
      } catch (error) {
        throw asUnavailable(error);
      }
      return sessionOf(client);
    },
    close,
  };
}
