import type { Database } from "../../server/store/database.ts";
import { type Sql, sql } from "../../server/store/sql.ts";

const names = (text: string): Sql => ({ strings: [text], values: [] });

/**
 * Copies all rows of a database, like `pg_dump`; returns a function that restores them, like `pg_restore` into an empty
 * database, while nothing else uses it. It needs no program that the bundled PostgreSQL lacks.
 */
export async function copyBooks(database: Database): Promise<() => Promise<void>> {
  const rows = await database.rows<{ name: string; columns: string }>(sql`
    select quote_ident(c.relname) as name, string_agg(quote_ident(a.attname), ',' order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition group by c.relname`);
  const tables = rows.map((row) => ({ name: names(row.name), columns: names(row.columns) }));
  await database.transaction(async (db) => {
    await db.rows(sql`set transaction isolation level repeatable read`);
    await db.rows(sql`create schema copied`);
    for (const { name, columns } of tables)
      await db.rows(sql`create table copied.${name} as select ${columns} from public.${name}`);
  });
  return () =>
    database.transaction(async (db) => {
      await db.rows(sql`set local session_replication_role = replica`);
      for (const { name } of tables) await db.rows(sql`truncate public.${name} cascade`);
      for (const { name, columns } of tables)
        await db.rows(sql`insert into public.${name} (${columns}) table copied.${name}`);
    });
}
