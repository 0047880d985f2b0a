import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createEmptyDatabase } from "@holdfast/embedded-postgres/testing.ts";
import pg from "pg";
import { listPending, migrate } from "./migrate.ts";

const listRan = async (client: pg.Client) =>
  (await client.query("select name, ran_at from migrations order by name")).rows as { name: string; ran_at: Date }[];
const listColumns = async (client: pg.Client) =>
  (
    await client.query(
      `select table_name, column_name, domain_name from information_schema.columns
       where table_schema = 'public' order by 1, 2`,
    )
  ).rows;

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
  await using folder = await openFolder({ ...ONE, "0002_two.sql": "create table two (id text)" });
  const { client } = empty;
  await migrate(client, folder.url);
  await folder.add("0002_two.sql", "create table two (id integer)");
  await assert.rejects(migrate(client, folder.url), /0002_two\.sql was changed after it ran/);
  await using older = await openFolder(ONE);
  await assert.rejects(migrate(client, older.url), /0002_two\.sql, which this version does not know\. Run the newer/);
});

test("a database that was made before 0.1.0 is refused with what to do, and nothing in it is changed", async () => {
  const BUSINESSES = "create table businesses (id text primary key, name text);";
  const ranBefore = (rows: string) => `${BUSINESSES}
    create table migrations (name text primary key, hash text not null, ran_at timestamptz not null default now());
    insert into migrations (name, hash) values ${rows};`;
  for (const made of [
    BUSINESSES,
    ranBefore("('0001_intents.sql', 'a'), ('0043_announced_and_renewed.sql', 'b')"),
    ranBefore("('0001_values.sql', '8f3c'), ('0009_staff.sql', 'b'), ('0047_watermark_holds.sql', 'c')"),
  ]) {
    await using empty = await openEmpty();
    const { client } = empty;
    await client.query(`${made} insert into businesses values ('biz_1', 'Fernweh Coffee')`);
    const read = async () => [
      await listColumns(client),
      made === BUSINESSES || (await listRan(client)),
      (await client.query("select * from businesses")).rows,
    ];
    const found = await read();
    const refusal = /^Error: This database was made before version 0\.1\.0 .* start with an empty one/;
    await assert.rejects(migrate(client), refusal);
    await assert.rejects(listPending(client), refusal);
    assert.deepEqual(await read(), found);
  }
});
