import type pg from "pg";
import { CONNECTIONS_MAX, SLOW_CONNECTIONS_MAX } from "../domain/limits.ts";
import { QUEUE_PLANNING } from "../features/webhooks/delivery/claims.ts";
import { RECORDING_PLANNING } from "../features/webhooks/delivery/completions.ts";
import { CONNECT_MS, createConnector } from "../store/connection.ts";
import { ConnectionLimit } from "../store/connectionLimit.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { migrate } from "../store/migrate.ts";
import { openMovable, type Place } from "../store/place.ts";
import { KEYED_PLANNING, ORDERED_PLANNING } from "../store/planSettings.ts";
import { requireSessionMode } from "../store/sessionMode.ts";
import { DatabaseUnavailableError } from "../store/unavailable.ts";
import type { CellRun, ConnectionLimits, Databases, Pool } from "./run.ts";

const SLOW_STATEMENT_MS_MAX = 15_000;
const REQUESTS: Pool = { connectionsMax: CONNECTIONS_MAX, statementTimeoutMs: 5_000, planning: KEYED_PLANNING };
const slow = (connectionsMax: number, planning: string): Pool => ({
  connectionsMax,
  statementTimeoutMs: SLOW_STATEMENT_MS_MAX,
  planning,
});
const LISTS = slow(SLOW_CONNECTIONS_MAX, ORDERED_PLANNING);
const QUEUE = slow(4, QUEUE_PLANNING);
const RECORDING = slow(3, RECORDING_PLANNING);
const POOLS = [REQUESTS, LISTS, QUEUE, RECORDING];

/** The limits of connections that several cells share; none for a single cell. */
export const limitsOf = (cells: number): ConnectionLimits =>
  new Map(cells === 1 ? [] : POOLS.map((pool) => [pool, new ConnectionLimit(pool.connectionsMax)]));

export function openDatabases(cell: CellRun): Databases {
  const [database, slowDatabase] = [open(cell, REQUESTS), open(cell, LISTS)];
  cell.run.shutdown.add("database", () => Promise.all([database.close(), slowDatabase.close()]));
  return { database, slowDatabase };
}

export interface WebhookDatabases {
  /** For claims of the queue. */
  readonly database: Database;
  /** For results of deliveries. */
  readonly recording: Database;
}

export function openWebhookDatabases(cell: CellRun): WebhookDatabases {
  const [database, recording] = [open(cell, QUEUE), open(cell, RECORDING)];
  cell.run.shutdown.add("database of deliveries", () => Promise.all([database.close(), recording.close()]));
  return { database, recording };
}

/**
 * Added behind the options of a planning: the later of two values counts. `generic` adds nothing, since every planning
 * here sets it.
 */
const PLAN_MODES = {
  generic: "",
  auto: "-c plan_cache_mode=auto",
  custom: "-c plan_cache_mode=force_custom_plan",
} as const;

/** Opens a pool. Nothing connects until the first statement. */
function open(cell: CellRun, pool: Pool): Database {
  const { config, limits } = cell.run;
  const { planning, ...options } = pool;
  const openAt = ({ connection, schema }: Place) =>
    openDatabase({
      ...options,
      connection: { ...connection, options: `${planning} ${PLAN_MODES[config.databasePlanMode]}` },
      schema,
      limit: limits.get(pool),
      log: cell.log,
      onAnnounced: cell.eventsRecorded.call,
    });
  if (cell.number === 0) return openAt(cell.place);
  const movable = openMovable(openAt, cell.place);
  cell.movable.push(movable);
  return movable;
}

/** Throws if a pooler shares its connections. If the database cannot be reached, the next step reports that. */
export async function requireSessions(connection: pg.ClientConfig): Promise<void> {
  const connector = createConnector(connection);
  const open = () => connector.connect({ query_timeout: CONNECT_MS }, () => undefined);
  await requireSessionMode(open).catch((error: unknown) => {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
  });
}

/** Brings the schema up to date; returns the names of the migrations that ran. */
export async function migrateDatabase(connection: pg.ClientConfig): Promise<readonly string[]> {
  // A lost connection fails the running query, which reports it.
  const client = await createConnector(connection)
    .connect({}, () => undefined)
    .catch((error: Error) => {
      throw new Error(`The database cannot be reached: ${error.message}. Check DATABASE_URL.`, { cause: error });
    });
  try {
    return await migrate(client);
  } finally {
    await client.end();
  }
}
