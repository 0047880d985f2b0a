import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { openTestDatabase } from "../../../store/testing.ts";
import { claimSignatures, postponeSignatures, releaseSignatures } from "./queries.ts";

const bySlot = (one: string, other: string) => Number(one.slice(1)) - Number(other.slice(1));

const BACKLOG = 5_000;
const BATCH = 100;
const FAILED = 25;

/** Rows of the inbox that this connection has read. */
async function countReads(database: Database): Promise<number> {
  await database.rows(sql`select pg_stat_force_next_flush()`);
  const row = await database.row<{ rows: string }>(sql`
    select seq_tup_read + coalesce(idx_tup_fetch, 0) as rows from pg_stat_user_tables where relname = 'chain_inbox'`);
  return Number(row!.rows);
}

const addChain = (database: Database) =>
  database.rows(
    sql`insert into chains (environment, genesis_hash, program_id, operator) values ('test', 'genesis', 'program', 'operator')`,
  );

test("a step of the sweep reads its batch of the inbox and not the backlog, a part of it what failed before", async () => {
  await using opened = await openTestDatabase("", { connectionsMax: 1 });
  const { database } = opened;
  await addChain(database);
  await database.rows(sql`
    insert into chain_inbox (environment, signature, slot, failed, processed, attempts)
    select 'test', 's' || n, n, false, n % 10 = 9, (n % 3) from generate_series(1, ${BACKLOG}::integer) n`);
  await database.rows(sql`analyze chain_inbox`);

  const before = await countReads(database);
  const rows = await claimSignatures(database, "test", { limit: BATCH, failedLimit: FAILED }, 60_000);
  const reads = (await countReads(database)) - before;
  // Each row is found, locked and written.
  assert.ok(reads <= 3 * BATCH, `${reads} rows were read for a batch of ${BATCH}`);

  const open = Array.from({ length: BACKLOG }, (_, index) => index + 1).filter((n) => n % 10 !== 9);
  const expected = [
    ...open.filter((n) => n % 3 === 0).slice(0, BATCH - FAILED),
    // Those with fewer attempts come first.
    ...open.filter((n) => n % 3 === 1).slice(0, FAILED),
  ];
  assert.deepEqual(
    rows.map(({ signature }) => signature).toSorted(bySlot),
    expected.toSorted((a, b) => a - b).map((n) => `s${n}`),
  );
});

test("two workers never have the same signature; a lease that ran out, a release frees it, and a failed attempt after a wait", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await addChain(database);
  await database.rows(sql`
    insert into chain_inbox (environment, signature, slot, failed, processed)
    select 'test', 's' || n, n, false, false from generate_series(1, 10) n`);
  const claim = async (limit: number, leaseMs = 60_000) => {
    const rows = await claimSignatures(database, "test", { limit, failedLimit: limit }, leaseMs);
    return rows.map(({ signature }) => signature).toSorted(bySlot);
  };
  const both = await Promise.all([claim(5), claim(5)]);
  assert.deepEqual(
    both.flat().toSorted(bySlot),
    Array.from({ length: 10 }, (_, index) => `s${index + 1}`),
  );
  assert.deepEqual(await claim(10), []);

  await releaseSignatures(database, "test", ["s1"]);
  await postponeSignatures(database, "test", ["s2"]);
  assert.deepEqual(await claim(10), ["s1"], "the other waits");
  await database.rows(sql`update chain_inbox set leased_until = now() where signature = 's2'`);
  assert.deepEqual(await claim(10, 0), ["s2"]);
  assert.deepEqual(await claim(10), ["s2"], "its lease was over at once");

  await database.rows(sql`update chains set sweep_paused = true`);
  await releaseSignatures(database, "test", ["s3"]);
  assert.deepEqual(await claim(10), [], "the sweep is paused");
});
