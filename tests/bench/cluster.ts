import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@holdfast/embedded-postgres/postgres.ts";
import pg from "pg";
import { openDatabase } from "../../server/store/database.ts";
import { migrate } from "../../server/store/migrate.ts";
import { sql } from "../../server/store/sql.ts";
import { BUSINESSES, SEEDING, seedHistory } from "./history.ts";
import { seedBusinesses } from "./seed.ts";

/** Intents, and finished deliveries, of the two databases. */
export const SIZES = [10_000, 10_000_000] as const;

/** Makes the cluster with both databases, or takes the one that an earlier run has left in the folder. */
export async function seedCluster(dataDir: string, recipient: string, asset: string): Promise<void> {
  if (existsSync(join(dataDir, "seeded"))) return;
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, settings: SEEDING });
  for (const rows of SIZES) {
    const startedAt = performance.now();
    const url = await createDatabase(postgres.url, `rows_${rows}`);
    const database = openDatabase({
      connection: { connectionString: url },
      connectionsMax: 1,
      statementTimeoutMs: 60_000,
      log: () => undefined,
    });
    writeFileSync(join(dataDir, `keys_${rows}.json`), JSON.stringify(await seedBusinesses(database, BUSINESSES)));
    await seedHistory({ url, rows, recipient, asset });
    const size = await database.row<{ size: string }>(
      sql`select pg_size_pretty(pg_database_size(current_database())) as size`,
    );
    await database.close();
    console.log(
      `${rows} intents and as many finished deliveries: ${size!.size} in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s.`,
    );
  }
  // Stop in order: the memory goes to disk.
  await postgres.stop();
  writeFileSync(join(dataDir, "seeded"), "");
}

/** Creates a migrated database of this name; returns its URL. */
async function createDatabase(server: string, name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const client = new pg.Client({ connectionString: databaseUrl(server, name) });
  await client.connect();
  await migrate(client);
  await client.end();
  return databaseUrl(server, name);
}

/** The small database is measured on a copy: the rows of a run's creates would soon outnumber its own. */
export async function databaseOf(server: string, rows: number): Promise<string> {
  if (rows !== SIZES[0]) return databaseUrl(server, `rows_${rows}`);
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query("drop database if exists small");
  await admin.query(`create database small template rows_${rows}`);
  await admin.end();
  return databaseUrl(server, "small");
}

const databaseUrl = (server: string, name: string): string =>
  Object.assign(new URL(server), { pathname: `/${name}` }).href;
