import type pg from "pg";
import { CONNECTIONS_MAX, SLOW_CONNECTIONS_MAX } from "../domain/limits.ts";
import { QUEUE_PLANNING } from "../features/webhooks/delivery/claims.ts";
import { RECORDING_PLANNING } from "../features/webhooks/delivery/completions.ts";
import { log } from "../lib/log.ts";
import { CONNECT_MS, createConnector } from "../store/connection.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { migrate } from "../store/migrate.ts";
import { KEYED_PLANNING, ORDERED_PLANNING } from "../store/planSettings.ts";
import { requireSessionMode } from "../store/sessionMode.ts";
import { DatabaseUnavailableError } from "../store/unavailable.ts";
import type { Databases } from "./context.ts";
import type { Run } from "./run.ts";

const STATEMENT_MS_MAX = 5_000;
const SLOW_STATEMENT_MS_MAX = 15_000;
const QUEUE_CONNECTIONS_MAX = 4;
const RECORDING_CONNECTIONS_MAX = 3;

export function openDatabases(run: Run, connection: pg.ClientConfig): Databases {
  const database = open(run, connection, CONNECTIONS_MAX, STATEMENT_MS_MAX, KEYED_PLANNING);
  const slowDatabase = open(run, connection, SLOW_CONNECTIONS_MAX, SLOW_STATEMENT_MS_MAX, ORDERED_PLANNING);
  run.shutdown.add("database", () => Promise.all([database.close(), slowDatabase.close()]));
  return { database, slowDatabase };
}

export interface WebhookDatabases {
  /** For claims of the queue. */
  readonly database: Database;
  /** For results of deliveries. */
  readonly recording: Database;
}

export function openWebhookDatabases(run: Run, connection: pg.ClientConfig): WebhookDatabases {
  const database = open(run, connection, QUEUE_CONNECTIONS_MAX, SLOW_STATEMENT_MS_MAX, QUEUE_PLANNING);
  const recording = open(run, connection, RECORDING_CONNECTIONS_MAX, SLOW_STATEMENT_MS_MAX, RECORDING_PLANNING);
  run.shutdown.add("database of deliveries", () => Promise.all([database.close(), recording.close()]));
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

const open = (
  { config, eventsRecorded }: Run,
  connection: pg.ClientConfig,
  connectionsMax: number,
  statementTimeoutMs: number,
  planning: string,
): Database =>
  openDatabase({
    connection: { ...connection, options: `${planning} ${PLAN_MODES[config.databasePlanMode]}` },
    log,
    onAnnounced: eventsRecorded.call,
    connectionsMax,
    statementTimeoutMs,
  });

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
