import type { Client } from "pg";

/** A file of `migrations/`. */
export interface Migration {
  readonly name: string;
  readonly text: string;
  readonly hash: string;
}

/**
 * The files that made the schema before the present ones (one for each area): the first, the last, and the commit that has
 * them.
 */
const FIRST = "0001_intents.sql";
const LAST = "0043_announced_and_renewed.sql";
const COMMIT = "d325c36";
/** The last of the files that took their place. Later ones run on a database that was taken over, as on any other. */
export const LAST_IN_PLACE = "0009_staff.sql";

/** Renames constraints that were created under older names of their tables and domains. */
const RENAMES = `
  alter domain concurrency_limit rename constraint delivery_cap_check to concurrency_limit_check;
  alter domain delivery_priority rename constraint lane_check to delivery_priority_check;
  alter domain mismatch_count rename constraint mismatches_check to mismatch_count_check;
  alter domain stored_status rename constraint kept_status_check to stored_status_check;
  alter domain success_streak rename constraint success_run_check to success_streak_check;
  alter table payments rename constraint payments_check2 to payments_disputed;
  alter table payments rename constraint payments_check3 to payments_protected;
  alter table payments rename constraint payments_check4 to payments_suspected;
  alter table webhook_permits rename constraint webhook_flows_pkey to webhook_permits_pkey;
  alter table webhook_permits rename constraint webhook_flows_check to webhook_permits_check;`;

const SCRATCH = "holdfast_takeover";
const DIFFERENCES_SHOWN = 20;

/**
 * Takes over a database whose schema the earlier files made, within the transaction of the caller: compares its catalogue
 * with that of a new one, and replaces the names of the earlier files by the present ones. Returns these names; none for
 * any other database. Throws, before anything else runs, if the database is older or its catalogue differs.
 */
export async function takeOver(client: Client, all: readonly Migration[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>("select name from migrations order by name");
  if (!rows.some(({ name }) => name === FIRST)) return [];
  const newest = rows.at(-1)!.name;
  if (newest < LAST)
    throw new Error(
      `The database is too old for this version: its last migration is ${newest}. Start the version of commit ${COMMIT} on it first, then this one.`,
    );
  if (newest > LAST)
    throw new Error(
      `The database has the migration ${newest}, which this version does not know. Run the newer version.`,
    );

  if (!(await client.query("select has_database_privilege(current_database(), 'create') as may")).rows[0].may)
    throw new Error(
      "For this one start the database's user has to be allowed to create a schema: grant create on database … to …, and revoke it afterwards.",
    );
  const migrations = all.filter(({ name }) => name <= LAST_IN_PLACE);
  await client.query(RENAMES);
  const { path } = (await client.query("select current_setting('search_path') as path")).rows[0] as { path: string };
  const { schema } = (await client.query("select current_schema as schema")).rows[0] as { schema: string };
  const found = await listCatalogue(client, schema);
  await client.query(`create schema ${SCRATCH}`);
  await client.query(`set local search_path to ${SCRATCH}`);
  for (const { text } of migrations) await client.query(text);
  const wanted = await listCatalogue(client, SCRATCH);
  await client.query(`drop schema ${SCRATCH} cascade`);
  await client.query("select set_config('search_path', $1, true)", [path]);

  const differences = compareCatalogues(found, wanted);
  if (differences.length > 0)
    throw new Error(
      `The schema of the database is not the one that its migrations made, and nothing was changed. It differs in:\n${differences.slice(0, DIFFERENCES_SHOWN).join("\n")}`,
    );
  await client.query("delete from migrations");
  for (const { name, hash } of migrations)
    await client.query("insert into migrations (name, hash) values ($1, $2)", [name, hash]);
  return migrations.map(({ name }) => name);
}

/** The objects of a schema as texts, by the table or domain that each is a part of. */
type Catalogue = ReadonlyMap<string, ReadonlySet<string>>;

/** Objects that the service did not make, such as an operator's own table, are ignored. */
function compareCatalogues(found: Catalogue, wanted: Catalogue): string[] {
  const none: ReadonlySet<string> = new Set();
  return [...wanted].flatMap(([name, parts]) => {
    const there = found.get(name) ?? none;
    return [
      ...[...parts].filter((part) => !there.has(part)).map((part) => `missing: ${part}`),
      ...[...there].filter((part) => !parts.has(part)).map((part) => `not expected: ${part}`),
    ];
  });
}

/** Lists a schema's objects without partitions, which are created over time. The search path has to name the schema first. */
async function listCatalogue(client: Client, schema: string): Promise<Catalogue> {
  const { rows } = await client.query<{ name: string; part: string }>(
    `with tables as (
      select c.oid, c.relname as name, c.relkind, c.relpersistence, c.reloptions
      from pg_class c
      where c.relnamespace = $1::text::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migrations')
    select t.name, concat_ws(' ', 'table', t.name, t.relpersistence::text, t.reloptions::text, pg_get_partkeydef(t.oid)) as part
    from tables t
    union all
    select t.name, concat_ws(' ', 'column', t.name || '.' || a.attname,
      'at', row_number() over (partition by t.oid order by a.attnum), format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' end, 'collate ' || l.collname,
      case when a.attgenerated <> '' then 'generated' end, pg_get_expr(d.adbin, d.adrelid))
    from tables t
    join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    left join pg_collation l on l.oid = a.attcollation
    union all
    select t.name, concat_ws(' ', 'constraint', o.conname, 'of', t.name, pg_get_constraintdef(o.oid))
    from tables t join pg_constraint o on o.conrelid = t.oid where o.contype in ('c', 'f', 'p', 'u', 'x')
    union all
    select t.name, pg_get_indexdef(i.indexrelid) from tables t join pg_index i on i.indrelid = t.oid
    union all
    select y.typname, concat_ws(' ', 'domain', y.typname, format_type(y.typbasetype, y.typtypmod), 'collate ' || l.collname,
      o.conname, pg_get_constraintdef(o.oid))
    from pg_type y
    left join pg_constraint o on o.contypid = y.oid
    left join pg_collation l on l.oid = y.typcollation
    where y.typnamespace = $1::text::regnamespace and y.typtype = 'd'`,
    [schema],
  );
  const catalogue = new Map<string, Set<string>>();
  for (const { name, part } of rows) {
    const parts = catalogue.get(name) ?? new Set();
    parts.add(part.replaceAll(`${schema}.`, ""));
    catalogue.set(name, parts);
  }
  return catalogue;
}
