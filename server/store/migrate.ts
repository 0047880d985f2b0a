import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { Client } from "pg";

const FOLDER = new URL("./migrations/", import.meta.url);
/** An arbitrary number, the same in every process: only one migrates at a time. */
const MIGRATION_LOCK = 7_246_001;
/** Older processes still run, and may lock tables in another order. */
const TRIES_MAX = 3;
const DEADLOCK = "40P01";
const MADE_BEFORE =
  "This database was made before version 0.1.0 and cannot be upgraded: start with an empty one (in a local run, remove the folder .data).";

/** A file of `migrations/`. */
interface Migration {
  readonly name: string;
  readonly text: string;
  readonly hash: string;
}
/** The hashes of the migrations that have run, by name. */
type Ran = ReadonlyMap<string, string>;

/**
 * Brings the schema up to date: each file of `migrations/` once, in order, forward only. All due files commit together: if
 * the database refuses one of them, the older version can still serve it. Throws when a file changed after it ran, or when
 * the database is newer than this program, or was made before 0.1.0.
 */
export async function migrate(client: Client, folder = FOLDER): Promise<string[]> {
  const migrations = await readMigrations(folder);
  await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
  try {
    for (let tries = 1; ; tries++)
      try {
        return await runTogether(client, migrations);
      } catch (error) {
        const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
        if ((code ?? cause?.code) !== DEADLOCK || tries === TRIES_MAX) throw error;
      }
  } finally {
    await client.query("select pg_advisory_unlock($1)", [MIGRATION_LOCK]).catch(() => undefined);
  }
}

/**
 * Lists the migrations that the next start runs; null: the database is empty. Throws if the database is not one of this
 * version. Changes nothing.
 */
export async function listPending(client: Client, folder = FOLDER): Promise<readonly string[] | null> {
  const ran = await readRan(client);
  return ran === null ? null : listDue(ran, await readMigrations(folder)).map(({ name }) => name);
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), "utf8");
      return { name, text, hash: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

async function runTogether(client: Client, migrations: readonly Migration[]): Promise<string[]> {
  await client.query("begin");
  try {
    const ran = await readRan(client);
    if (ran === null)
      await client.query(
        "create table migrations (name text primary key, hash text not null, ran_at timestamptz not null default now())",
      );
    const due = ran === null ? migrations : listDue(ran, migrations);
    for (const { name, text, hash } of due)
      try {
        await client.query(text);
        await client.query("insert into migrations (name, hash) values ($1, $2)", [name, hash]);
      } catch (error) {
        throw new Error(`The migration ${name} failed, and nothing was changed: ${(error as Error).message}`, {
          cause: error,
        });
      }
    await client.query("commit");
    return due.map(({ name }) => name);
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

const FIND_TABLES = `
  select to_regclass('migrations') is not null as migrations, to_regclass('businesses') is not null as businesses,
    (select min(m.schemaname) from pg_tables m join pg_tables b on b.schemaname = m.schemaname
      where m.tablename = 'migrations' and b.tablename = 'idempotency_keys') as elsewhere`;

/** Null: the database is empty. */
async function readRan(client: Client): Promise<Ran | null> {
  const { rows: tables } = await client.query<{
    migrations: boolean;
    businesses: boolean;
    elsewhere: string | null;
  }>(FIND_TABLES);
  const { migrations, businesses, elsewhere } = tables[0]!;
  if (!migrations && businesses) throw new Error(MADE_BEFORE);
  if (!migrations && elsewhere !== null)
    throw new Error(`The service's tables are in the schema ${elsewhere}. Move them to the schema public.`);
  if (!migrations) return null;
  const { rows } = await client.query<Pick<Migration, "name" | "hash">>("select name, hash from migrations");
  return new Map(rows.map(({ name, hash }) => [name, hash]));
}

/** Lists the migrations that have not run. */
function listDue(ran: Ran, migrations: readonly Migration[]): readonly Migration[] {
  const [first] = migrations;
  // Databases of before have other first files.
  if (first !== undefined && ran.get(first.name) !== first.hash) throw new Error(MADE_BEFORE);
  for (const name of ran.keys())
    if (!migrations.some((one) => one.name === name))
      throw new Error(
        `The database has the migration ${name}, which this version does not know. Run the newer version.`,
      );
  for (const { name, hash } of migrations)
    if (ran.has(name) && ran.get(name) !== hash)
      throw new Error(`The migration ${name} was changed after it ran. Add a new file instead.`);
  return migrations.filter(({ name }) => !ran.has(name));
}
