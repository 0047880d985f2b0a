import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { openTestDatabase } from "../../../store/testing.ts";
import { listUnprocessed } from "./queries.ts";

const BACKLOG = 5_000;
const BATCH = 100;

/** Rows of the inbox that this connection has read. */
async function countReads(database: Database): Promise<number> {
  await database.rows(sql`select pg_stat_force_next_flush()`);
  const row = await database.row<{ rows: string }>(sql`
    select seq_tup_read + coalesce(idx_tup_fetch, 0) as rows from pg_stat_user_tables where relname = 'chain_inbox'`);
  return Number(row!.rows);
}

test("a step of the sweep reads its batch of the inbox and not the backlog, failed attempts behind the others", async () => {
  await using opened = await openTestDatabase("", { connectionsMax: 1 });
  const { database } = opened;
  await database.rows(sql`
    insert into chain_inbox (environment, signature, slot, failed, processed, attempts)
    select 'test', 's' || n, n, false, n % 10 = 9, (n % 3) from generate_series(1, ${BACKLOG}::integer) n`);
  await database.rows(sql`analyze chain_inbox`);

  const before = await countReads(database);
  const rows = await listUnprocessed(database, "test", BATCH);
  const reads = (await countReads(database)) - before;
  assert.ok(reads <= 2 * BATCH, `${reads} rows were read for a batch of ${BATCH}`);

  const fresh = Array.from({ length: BACKLOG }, (_, index) => index + 1).filter((n) => n % 10 !== 9 && n % 3 === 0);
  assert.deepEqual(
    rows.map(({ signature }) => signature),
    fresh.slice(0, BATCH).map((n) => `s${n}`),
  );
});
