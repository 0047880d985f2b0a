import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../store/sql.ts";
import { openTestDatabase } from "../../../store/testing.ts";
import { insertIntent, someAddress } from "../../staff/testing/objects.ts";
import { testContext } from "../../testing.ts";
import { anObservedPayment } from "../fixtures.ts";
import { recordAccounts } from "./record.ts";

const TENANT = { businessId: "biz_1", environment: "test" } as const;

test("§4.18.12 a dispute begins with the operator's waits of that time, and keeps them", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await database.rows(sql`insert into businesses (id, name, created_at) values ('biz_1', 'Shop', now())`);
  const dispute = async () => {
    const { intent } = await insertIntent(database, TENANT);
    const { paymentId, recipient, amount, asset, protectionPeriod } = intent;
    const address = someAddress();
    const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    const times = { createdAt: now, disputedAt: now, protectionDeadline: new Date(now.getTime() + 86_400_000) };
    const terms = { paymentId, recipient, amount, asset, protectionPeriod };
    const observed = anObservedPayment({ address, ...terms, ...times, status: "disputed" });
    await recordAccounts(testContext({ database, log: (line) => assert.fail(line) }), "test", [observed]);
    return address;
  };
  const first = await dispute();
  await database.rows(sql`insert into dispute_waits values ('test', 12, 20, 4, now())`);
  const second = await dispute();
  const rows = await database.rows<{ payment: string; days: number; waits: string }>(sql`
    select payment_address as payment, extract(epoch from answer_by - opened_at)::float / 86400 as days,
      concat_ws(' ', answer_days, decide_days, agreement_days) as waits from disputes`);
  assert.deepEqual(
    new Map(rows.map(({ payment, days, waits }) => [payment, `${days}: ${waits}`])),
    new Map([
      [first, "5: 5 14 7"],
      [second, "12: 12 20 4"],
    ]),
  );
});
