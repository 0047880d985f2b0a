import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createEmptyDatabase } from "@holdfast/embedded-postgres/testing.ts";
import pg from "pg";
import { migrate } from "./migrate.ts";
import { openEarlierDatabase } from "./testing.ts";

const NAMES = (await readdir(new URL("./migrations/", import.meta.url))).sort();
const ROWS = `
  insert into businesses (id, name, created_at) values ('biz_1', 'Fernweh Coffee', now());
  insert into event_counters (business_id, environment, last_sequence) values ('biz_1', 'test', 1);`;

const listRan = async (client: pg.Client) =>
  (await client.query("select name, ran_at from migrations order by name")).rows as { name: string; ran_at: Date }[];
const namesOf = (ran: readonly { name: string }[]) => ran.map(({ name }) => name);
const listColumns = async (client: pg.Client) =>
  (
    await client.query(
      `select table_name, column_name, domain_name from information_schema.columns
       where table_schema = 'public' order by 1, 2`,
    )
  ).rows;
const listSchemas = async (client: pg.Client) =>
  (await client.query("select nspname from pg_namespace where nspname like 'holdfast%'")).rows;

async function openEmpty() {
  const made = await createEmptyDatabase();
  const client = new pg.Client(made.connection);
  await client.connect();
  return {
    client,
    [Symbol.asyncDispose]: async () => {
      await client.end();
      await made.drop();
    },
  };
}

/** Makes a folder of migrations: its files by name. */
async function openFolder(files: Readonly<Record<string, string>>) {
  const path = await mkdtemp(join(tmpdir(), "migrations-"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return {
    add: (name: string, text: string) => writeFile(join(path, name), text),
    url: pathToFileURL(`${path}/`),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}
const ONE = { "0001_one.sql": "create table one (id text)" };

test("a database that a migration refuses is left as it was, so that the older version starts on it again", async () => {
  await using empty = await openEmpty();
  await using folder = await openFolder(ONE);
  const { client } = empty;
  await migrate(client, folder.url);
  const [ran, columns] = [await listRan(client), await listColumns(client)];
  await folder.add("0002_two.sql", "create table two (id text)");
  await folder.add("0003_three.sql", "alter table none add column id text");
  await assert.rejects(
    migrate(client, folder.url),
    /0003_three\.sql failed, and nothing was changed: .*"none" does not/,
  );
  assert.deepEqual(await listRan(client), ran);
  assert.deepEqual(await listColumns(client), columns);
});

test("all that an older database lacks commits together, and then nothing more is due", async () => {
  await using empty = await openEmpty();
  await using folder = await openFolder(ONE);
  const { client } = empty;
  assert.deepEqual(await migrate(client, folder.url), ["0001_one.sql"]);
  await folder.add("0002_two.sql", "create table two (id text)");
  await folder.add("0003_three.sql", "create table three (id text)");
  assert.deepEqual(await migrate(client, folder.url), ["0002_two.sql", "0003_three.sql"]);
  const ran = await listRan(client);
  // Each value is the time at which its transaction began.
  assert.equal(new Set(ran.slice(1).map(({ ran_at }) => ran_at.getTime())).size, 1);
  assert.deepEqual(await migrate(client, folder.url), []);
});

test("a migration that changed after it ran, and one that this version does not know, are refused", async () => {
  await using empty = await openEmpty();
  await using folder = await openFolder(ONE);
  const { client } = empty;
  await migrate(client, folder.url);
  await folder.add("0001_one.sql", "create table one (id integer)");
  await assert.rejects(migrate(client, folder.url), /0001_one\.sql was changed after it ran/);
  await using other = await openFolder({});
  await assert.rejects(migrate(client, other.url), /0001_one\.sql, which this version does not know/);
});

test("a database of the version before is taken over with its rows, and is then as a new one", async () => {
  await using earlier = await openEarlierDatabase(ROWS);
  const { client } = earlier;
  assert.deepEqual(await migrate(client), NAMES);
  assert.deepEqual(namesOf(await listRan(client)), NAMES);
  assert.equal((await client.query("select from event_counters where last_sequence = 1")).rowCount, 1);
  const { rows } = await client.query(
    "select conname from pg_constraint where conname in ('payments_disputed', 'concurrency_limit_check', 'delivery_priority_check')",
  );
  assert.equal(rows.length, 3);
  assert.equal((await client.query("show search_path")).rows[0].search_path, '"$user", public');
  assert.deepEqual(await listSchemas(client), []);
  assert.deepEqual(await migrate(client), []);
});

test("a migration that is later than the takeover runs on a database that is taken over", async () => {
  await using earlier = await openEarlierDatabase(ROWS);
  const files = NAMES.map(async (name) => [
    name,
    await readFile(new URL(`./migrations/${name}`, import.meta.url), "utf8"),
  ]);
  await using folder = await openFolder(Object.fromEntries(await Promise.all(files)));
  await folder.add(
    "9999_later.sql",
    "update businesses set name = 'Later Coffee'; alter table businesses add column later text",
  );
  const { client } = earlier;
  assert.deepEqual(await migrate(client, folder.url), [...NAMES, "9999_later.sql"]);
  assert.equal((await client.query("select later from businesses where name = 'Later Coffee'")).rowCount, 1);
});

test("partitions, and tables and domains that the service did not make, are of no matter to a takeover", async () => {
  await using earlier = await openEarlierDatabase(`
    create table request_log_later partition of request_log for values from ('2100-01-01') to ('2100-01-02');
    create domain notes as text; create table notes_of_mine (id notes); create index on notes_of_mine (id);`);
  assert.deepEqual(await migrate(earlier.client), NAMES);
});

test("a database whose schema is another is not taken over: the differences are named, and nothing is changed", async () => {
  await using earlier = await openEarlierDatabase(`
    drop index payments_keeper;
    alter table intents drop constraint intents_check1;
    alter table intents alter column canceled_at set default now();
    alter table members alter column role drop not null;
    alter table intents add column colour text;
    create unique index mine on intents (asset);
    alter domain lamports drop constraint lamports_check;
    alter table webhook_queue set (fillfactor = 100);
    alter table event_counters drop constraint event_counters_business_id_fkey;`);
  const { client } = earlier;
  const ran = await listRan(client);
  await assert.rejects(migrate(client), (error: Error) => {
    for (const difference of [
      /nothing was changed/,
      /missing: CREATE INDEX payments_keeper ON payments/,
      /missing: constraint intents_check1 of intents/,
      /not expected: column intents\.canceled_at at 18/,
      /missing: column members\.role/,
      /not expected: column intents\.colour at 22 text/,
      /not expected: CREATE UNIQUE INDEX mine/,
      /missing: domain lamports bigint lamports_check/,
      /missing: table webhook_queue/,
      /missing: constraint event_counters_business_id_fkey/,
    ])
      assert.match(error.message, difference);
    return true;
  });
  assert.deepEqual(await listRan(client), ran);
  assert.deepEqual(await listSchemas(client), []);
  assert.equal((await client.query("select from pg_constraint where conname = 'webhook_flows_pkey'")).rowCount, 1);
});

test("a database that is older than the version before is refused with the commit to go through, a newer one with what to run", async () => {
  for (const [last, reason] of [
    [
      "0042_endpoint_health.sql",
      /its last migration is 0042_endpoint_health\.sql\. Start the version of commit \w{7} on it/,
    ],
    ["0044_later.sql", /0044_later\.sql, which this version does not know\. Run the newer version/],
  ] as const) {
    await using earlier = await openEarlierDatabase("", last);
    const ran = await listRan(earlier.client);
    await assert.rejects(migrate(earlier.client), reason);
    assert.deepEqual(await listRan(earlier.client), ran);
  }
});

test("a database with more than one cell is refused, by its directory and by its schemas", async () => {
  await using empty = await openEmpty();
  await using folder = await openFolder({});
  const copy = async (name: string) =>
    folder.add(name, await readFile(new URL(`./migrations/${name}`, import.meta.url), "utf8"));
  await Promise.all(NAMES.filter((name) => name < "0045").map(copy));
  const { client } = empty;
  await migrate(client, folder.url);
  await Promise.all(NAMES.map(copy));
  for (const [made, undone] of [
    ["insert into cells (number, server) values (1, 'two')", "delete from cells"],
    ["create schema cell_1", "drop schema cell_1"],
  ] as const) {
    await client.query(made);
    await assert.rejects(migrate(client, folder.url), /more than one cell \(cell_1\), and this version serves only/);
    await client.query(undone);
  }
  assert.deepEqual(
    await migrate(client, folder.url),
    NAMES.filter((name) => name >= "0045"),
  );
});

test("a takeover by a user who may not create a schema says which right is missing", async () => {
  await using earlier = await openEarlierDatabase("");
  const { client } = earlier;
  const role = `limited_${process.pid}`;
  await client.query(
    `create role ${role}; grant all on schema public to ${role}; grant all on all tables in schema public to ${role}`,
  );
  try {
    await client.query(`set role ${role}`);
    await assert.rejects(migrate(client), /grant create on database/);
  } finally {
    await client.query(`reset role; drop owned by ${role}; drop role ${role}`);
  }
});
