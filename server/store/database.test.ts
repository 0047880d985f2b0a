import assert from "node:assert/strict";
import { test } from "node:test";
import { type Database, DatabaseUnavailable, openDatabase } from "./database.ts";
import { createTestDatabase } from "./embedded/testing.ts";
import { SessionLocks } from "./locks.ts";
import { migrate } from "./migrate.ts";
import { sql } from "./sql.ts";

async function open() {
  const made = await createTestDatabase(migrate);
  const database = openDatabase({
    connection: made.connection,
    connectionsMax: 4,
    statementTimeoutMs: 500,
    log: () => undefined,
  });
  return {
    database,
    [Symbol.asyncDispose]: async () => {
      await database.close();
      await made.drop();
    },
  };
}

const cut = (database: Database) =>
  database.rows(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'holdfast session'`,
  );

const isAsleep = async (database: Database) => {
  const row = await database.row(sql`
    select from pg_stat_activity where query = 'select pg_sleep(60)' and wait_event = 'PgSleep'`);
  return row !== null;
};

test("a connection of its own that is cut in the middle of a query fails as unavailable, not as a bug", async () => {
  await using opened = await open();
  const { database } = opened;
  const session = await database.connect();
  const failing = session.query("select pg_sleep(60)").catch((error: unknown) => error);
  while (!(await isAsleep(database)));
  await cut(database);
  assert.ok((await failing) instanceof DatabaseUnavailable);
  await session.over;
});

test("a connection of its own that does not answer in time is given up", async () => {
  await using opened = await open();
  const session = await opened.database.connect();
  await assert.rejects(session.query("select pg_sleep(60)"), DatabaseUnavailable);
  await session.over;
  await assert.rejects(session.query("select 1"), DatabaseUnavailable);
});

test("session locks are had anew after their connection was cut", async () => {
  await using opened = await open();
  const { database } = opened;
  const [ours, others] = [new SessionLocks(database), new SessionLocks(database)];
  assert.equal(await ours.tryLock("name"), true);
  assert.equal(await others.tryLock("name"), false);
  await cut(database);
  await ours.unlock("name");
  const again = async (): Promise<boolean> => others.tryLock("name").catch(() => false);
  while (!(await again()));
  assert.equal(await ours.tryLock("name").catch(() => false), false);
  await Promise.all([ours.close(), others.close()]);
});
