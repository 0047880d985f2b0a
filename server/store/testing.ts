import { readdir, readFile } from "node:fs/promises";
import { createEmptyDatabase, createTestDatabase } from "@holdfast/embedded-postgres/testing.ts";
import pg from "pg";
import type { ConnectionTimes } from "./connectionQueue.ts";
import { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { LAST_IN_PLACE } from "./takeover.ts";

/** For tests that are not about outages: a busy machine may need long for a connection. */
export const PATIENT: ConnectionTimes = { waitMs: 10 * 60_000, slowMs: 10 * 60_000 };

/** An open fresh database of one test, which is dropped with it. */
export interface OpenTestDatabase extends AsyncDisposable {
  readonly url: string;
  readonly database: Database;
}

/** `planning`: the connection options of the service. */
export async function openTestDatabase(
  planning = "",
  options: Partial<Omit<DatabaseOptions, "connection">> = {},
): Promise<OpenTestDatabase> {
  const made = await createTestDatabase(migrate);
  const database = openDatabase({
    connection: { ...made.connection, options: planning },
    connectionsMax: 2,
    statementTimeoutMs: 120_000,
    times: PATIENT,
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

/**
 * A database as the version before left it, whose schema the earlier files made: the same schema, except for the names of
 * a few constraints. `last` is the newest of these files, and `rows` are statements that change it further.
 */
export async function openEarlierDatabase(rows: string, last = "0043_announced_and_renewed.sql") {
  const made = await createEmptyDatabase();
  const client = new pg.Client(made.connection);
  await client.connect();
  const folder = new URL("./migrations/", import.meta.url);
  // Later files run on a database that was taken over, as on any other.
  for (const name of (await readdir(folder)).sort().filter((name) => name <= LAST_IN_PLACE))
    await client.query(await readFile(new URL(name, folder), "utf8"));
  await client.query(`
    create table migrations (name text primary key, hash text not null, ran_at timestamptz not null default now());
    alter domain concurrency_limit rename constraint concurrency_limit_check to delivery_cap_check;
    alter domain delivery_priority rename constraint delivery_priority_check to lane_check;
    alter domain mismatch_count rename constraint mismatch_count_check to mismatches_check;
    alter domain stored_status rename constraint stored_status_check to kept_status_check;
    alter domain success_streak rename constraint success_streak_check to success_run_check;
    alter table payments rename constraint payments_disputed to payments_check2;
    alter table payments rename constraint payments_protected to payments_check3;
    alter table payments rename constraint payments_suspected to payments_check4;
    alter table webhook_permits rename constraint webhook_permits_pkey to webhook_flows_pkey;
    alter table webhook_permits rename constraint webhook_permits_check to webhook_flows_check;
    insert into migrations (name, hash) values ('0001_intents.sql', 'a'), ('0020_key_scopes.sql', 'b'), ('${last}', 'c');
    ${rows}`);
  return {
    url: made.url,
    client,
    [Symbol.asyncDispose]: async () => {
      await client.end();
      await made.drop();
    },
  };
}
