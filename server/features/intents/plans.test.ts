import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { seedBusinesses } from "../../../tests/bench/seed.ts";
import { hashSecretKey } from "../../domain/secretKeys.ts";
import type { Database } from "../../store/database.ts";
import { KEYED_PLANNING } from "../../store/planSettings.ts";
import { sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { admitRequests } from "../keys/admission.ts";
import { draftCreation, insertIntents } from "./createIntent.ts";
import { aNewIntent } from "./fixtures.ts";
import { findIntents } from "./queries.ts";

const BUSINESSES = 2_000;
const AT_ONCE = 8;
/** More rounds than PostgreSQL needs to decide on a generic plan. */
const ROUNDS = 8;

/** Rows that this connection has read, of all tables, and custom plans that it has made. */
async function effort(database: Database): Promise<{ rows: number; plans: number }> {
  await database.rows(sql`select pg_stat_force_next_flush()`);
  const row = await database.row<{ rows: string; plans: string }>(sql`
    select (select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) from pg_stat_user_tables) as rows,
      (select sum(custom_plans) from pg_prepared_statements) as plans`);
  return { rows: Number(row!.rows), plans: Number(row!.plans) };
}

test("decision 19: requests of one moment are planned once and read only the rows they are about, however small the tables", async () => {
  await using opened = await openTestDatabase(KEYED_PLANNING, { connectionsMax: 1 });
  const { database } = opened;
  const hashes = (await seedBusinesses(database, BUSINESSES)).slice(0, AT_ONCE).map((key) => hashSecretKey(key)!);
  const now = new Date();
  let orders = 0;

  const round = async () => {
    const admissions = await admitRequests(database, hashes);
    const creations = admissions.map((admission) => {
      const { caller } = admission!;
      const merchantReference = `order-${++orders}`;
      const request = { tenant: caller, key: merchantReference, fingerprint: hash("sha256", "x", "buffer") };
      const settings = { checkoutUrl: "https://pay.example.com", lifetimeMs: 60_000 };
      const key = { request, locked: false, sealing: null };
      return draftCreation(settings, caller, aNewIntent({ merchantReference }), now, key);
    });
    const outcomes = await insertIntents(database, creations);
    assert.ok(outcomes.every(({ keyState, made }) => keyState === "free" && made));
    const refs = creations.map(({ intent }) => ({ tenant: intent, id: intent.id }));
    assert.ok((await findIntents(database, refs)).every((found) => found !== null));
  };

  for (let rounds = 0; rounds < ROUNDS; rounds++) await round();
  const before = await effort(database);
  await round();
  const { rows, plans } = await effort(database);
  assert.equal(plans, before.plans, "a plan was made for one batch");
  assert.ok(
    rows - before.rows < BUSINESSES / 2,
    `${rows - before.rows} rows were read for ${AT_ONCE} creates and reads`,
  );
});
