import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../store/sql.ts";
import { openTestDatabase } from "../../../store/testing.ts";
import { insertIntent, insertPayment } from "../../staff/testing/objects.ts";
import { createDisputeOpener } from "./openDisputes.ts";

const TENANT = { businessId: "biz_1", environment: "test" } as const;

test("§4.18.12 a dispute begins with the operator's waits of that time, and keeps them", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await database.rows(sql`insert into businesses (id, name, created_at) values ('biz_1', 'Shop', now())`);
  const dispute = async () => {
    const { intent } = await insertIntent(database, TENANT);
    const address = await insertPayment(database, intent);
    await database.rows(sql`
      update payments set status = 'disputed', disputed_at = date_trunc('second', now()) where address = ${address}`);
    await createDisputeOpener({ database, log: (line) => assert.fail(line) }, "test")();
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
