import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../../../store/database.ts";
import { ORDERED_PLANNING } from "../../../store/planSettings.ts";
import { sql } from "../../../store/sql.ts";
import { openTestDatabase } from "../../../store/testing.ts";
import { aPayment } from "../../payments/fixtures.ts";
import { anObservedPayment } from "../fixtures.ts";
import { touchUnchanged } from "./queries.ts";

const PAYMENTS = 5_000;
const CHECKED = 100;

/** Rows of these tables that this connection has read. */
async function countReads(database: Database): Promise<number> {
  await database.rows(sql`select pg_stat_force_next_flush()`);
  const row = await database.row<{ rows: string }>(sql`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as rows from pg_stat_user_tables
    where relname = 'payments'`);
  return Number(row!.rows);
}

test("a check of many payments reads those and not the books, and leaves any difference alone", async () => {
  await using opened = await openTestDatabase(ORDERED_PLANNING, { connectionsMax: 1 });
  const { database } = opened;
  const payment = aPayment();
  await database.rows(sql`insert into businesses (id, name, created_at) values (${payment.businessId}, 'Shop', now())`);
  await database.rows(sql`
    insert into payments (business_id, address, environment, intent_id, generation, recorded_sequence, role, status, sender, recipient, amount,
      asset, protection_period, merchant_reference, created_at, protection_deadline, checked_at, observed_slot, finalized, refund_total,
      amount_refunded, amount_released, arbiter)
    select ${payment.businessId}, 'payment-' || n, 'test', 'intent-' || n, 1, n, 'primary', 'protected', ${payment.sender}, ${payment.recipient},
      ${payment.amount}::numeric, ${payment.asset}, ${payment.protectionPeriod}, 'reference', ${payment.createdAt}, ${payment.protectionDeadline},
      '2020-01-01', 1, false, 0, 0, 0, ${payment.arbiter}
    from generate_series(1, ${PAYMENTS}::integer) n`);
  await database.rows(sql`analyze payments`);

  const observed = Array.from({ length: CHECKED }, (_, n) => anObservedPayment({ address: `payment-${n + 1}` }));
  const odd = [
    { outcome: "settled" as const },
    { amountReleased: "1" },
    { disputedAt: new Date(payment.createdAt.getTime() + 1000) },
    { termsHash: "ab" },
  ];
  const before = await countReads(database);
  const touched = await touchUnchanged(
    database,
    "test",
    observed.map((one, index) => ({ ...one, payment: { ...one.payment, ...odd[index] } })),
    new Date(),
  );
  const reads = (await countReads(database)) - before;
  assert.deepEqual(
    touched.map(({ address }) => address).toSorted(),
    observed
      .slice(odd.length)
      .map((one) => one.payment.address)
      .toSorted(),
  );
  // Each address is looked up, and its payment found and written.
  assert.ok(reads <= 4 * CHECKED, `${reads} rows were read for a check of ${CHECKED}`);

  const [alone] = observed.slice(-1);
  assert.deepEqual(await touchUnchanged(database, "test", [alone!], new Date()), [{ address: alone!.payment.address }]);
});
