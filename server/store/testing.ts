import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createEmptyDatabase, createTestDatabase } from "@holdfast/embedded-postgres/testing.ts";
import pg from "pg";
import { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";

/** A fresh database of one test, opened; dropped with it. */
export interface OpenTestDatabase extends AsyncDisposable {
  readonly url: string;
  readonly database: Database;
}

/** `planning`: options of the connections, as the service gives them. */
export async function openTestDatabase(
  planning = "",
  options: Partial<Omit<DatabaseOptions, "connection">> = {},
): Promise<OpenTestDatabase> {
  const made = await createTestDatabase(migrate);
  const database = openDatabase({
    connection: { ...made.connection, options: planning },
    connectionsMax: 2,
    statementTimeoutMs: 30_000,
    log: () => undefined,
    ...options,
  });
  return {
    url: made.url,
    database,
    [Symbol.asyncDispose]: async () => {
      await database.close();
      await made.drop();
    },
  };
}

const MIGRATIONS = new URL("./migrations/", import.meta.url);
export const MIGRATION_NAMES: readonly string[] = readdirSync(MIGRATIONS).sort();

/** A database as an older release left it: the migrations up to one of them, and rows of that time. */
export async function openOlderDatabase(last: string, rows: string) {
  const made = await createEmptyDatabase();
  const client = new pg.Client(made.connection);
  await client.connect();
  await client.query(
    "create table migrations (name text primary key, hash text not null, ran_at timestamptz not null default now())",
  );
  for (const name of MIGRATION_NAMES.slice(0, MIGRATION_NAMES.indexOf(last) + 1)) {
    const text = readFileSync(new URL(name, MIGRATIONS), "utf8");
    await client.query(text);
    const hash = createHash("sha256").update(text).digest("hex");
    await client.query("insert into migrations (name, hash) values ($1, $2)", [name, hash]);
  }
  await client.query(rows);
  return {
    url: made.url,
    client,
    [Symbol.asyncDispose]: async () => {
      await client.end();
      await made.drop();
    },
  };
}
