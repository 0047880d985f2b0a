import type { Database } from "./database.ts";
import { sql } from "./sql.ts";
import { DatabaseUnavailableError } from "./unavailable.ts";

/** Rows that sort in more memory than the least that PostgreSQL gives, so that they go through a file beside the data. */
const SPILLED_ROWS = 200;

/** The page that asks is public: between two writes of a process it only reads. */
const WRITE_MS_MIN = 1_000;

/** A check that the database takes writes. While it does not, each check says so. */
export function createWriteCheck(database: Database): () => Promise<void> {
  let nextAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() < nextAt) return void (await database.rows(sql`select 1`));
    await proveWritable(database);
    nextAt = performance.now() + WRITE_MS_MIN;
  };
}

/**
 * Writes as a change does, and keeps nothing: an entry of the log, which the commit flushes, and a file that goes with the
 * statement. Throws {@link DatabaseUnavailableError} if the database only reads, or its disk is full.
 */
const proveWritable = (database: Database): Promise<void> =>
  database.transaction(async (db) => {
    await db.rows(sql`set local work_mem = '64kB'`);
    const row = await db.row<{ readsOnly: boolean }>(sql`
      select current_setting('transaction_read_only') = 'on' as "readsOnly",
        pg_logical_emit_message(true, 'readyz', '')::text as logged,
        (select sum(length(text))::integer from (
          select repeat('x', 1000) as text from generate_series(1, ${SPILLED_ROWS}::integer) n order by n desc offset 0) spilled)
          as spilled`);
    if (row!.readsOnly) throw new DatabaseUnavailableError("The database only reads.", "read-only");
  });
