import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
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

/** The columns into which a row is written, with commas. */
const listWritable = async (client: pg.Client, table: string): Promise<string> => {
  const { rows } = await client.query<{ column: string }>(
    `select quote_ident(column_name) as column from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  return rows.map(({ column }) => column).join(", ");
};
/** Counts the rows of all tables but the migrations' and those whose rows others say as well. */
const countRows = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(
    `select sum((xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || c.oid::regclass, false, true, '')))[1]::text::bigint) as count
     from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in ('migrations', 'payment_ids')`,
  );
  return Number(rows[0]!.count);
};

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

/** The last migration of 0.1.0, and the hash of its migrations: they are never edited. */
const BASELINE = {
  last: "0014_emails.sql",
  sha256: "d0e988595028d360543983c1d4e30573eb61d26b6e5512808912557b81e8415d",
};
/** Rows of a database of 0.1.0 after a payment, a dispute, a refund, a checkout and a webhook, by table. */
const ROWS = new URL("./baseline.json", import.meta.url);
/** Tables of 0.1.0 that nobody may wait for while all their rows are read. */
const MANY_ROWS = ["intents", "payments", "payment_links", "events", "sessions"];
/** Constraints of migrations that are not edited any more. */
const VALIDATED = ["payments_keeper_refused_side_check"];
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

test("a database of 0.1.0 is upgraded with its rows, which nothing edits, and its constraints hold", async () => {
  const folder = new URL("./migrations/", import.meta.url);
  const names = (await readdir(folder)).filter((name) => name <= BASELINE.last).sort();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), "utf8")));
  assert.equal(createHash("sha256").update(texts.join("")).digest("hex"), BASELINE.sha256);
  await using older = await openFolder(Object.fromEntries(names.map((name, index) => [name, texts[index]!])));
  await using empty = await openEmpty();
  const { client } = empty;
  await migrate(client, older.url);

  const rows: Readonly<Record<string, readonly object[]>> = JSON.parse(await readFile(ROWS, "utf8"));
  // Rows come in the order of the tables' names, before those that they point to, so nothing is checked yet.
  await client.query("set session_replication_role = replica");
  for (const [table, values] of Object.entries(rows)) {
    const columns = await listWritable(client, table);
    await client.query(`delete from ${table}`);
    await client.query(
      `insert into ${table} (${columns}) overriding system value select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(values)],
    );
  }
  await client.query("set session_replication_role = origin");
  const before = await countRows(client);
  const listConstraints = async () => {
    const found = await client.query<{ id: string; name: string; relation: string; validated: boolean }>(`
      select oid::text as id, conname as name, conrelid::regclass::text as relation, convalidated as validated from pg_constraint
      where contype in ('c', 'f') and conrelid <> 0 and conparentid = 0 and connamespace = 'public'::regnamespace`);
    return found.rows;
  };
  const known = new Set((await listConstraints()).map(({ id }) => id));

  assert.ok((await migrate(client)).length > 0);
  assert.ok((await countRows(client)) >= before, "no row is lost");
  const constraints = await listConstraints();
  const scanned = constraints.filter(
    ({ id, name, relation, validated }) =>
      validated && !known.has(id) && MANY_ROWS.includes(relation) && !VALIDATED.includes(name),
  );
  assert.deepEqual(scanned, [], "no upgrade reads a large table under its lock: add the constraint as not valid");
  for (const { name, relation } of constraints) {
    await client.query(`update pg_constraint set convalidated = false where conname = $1 and conrelid = $2::regclass`, [
      name,
      relation,
    ]);
    await client.query(`alter table ${relation} validate constraint ${name}`);
  }
});
