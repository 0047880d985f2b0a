import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../server/store/sql.ts";
import { SteppedService } from "./steppedService.ts";

const PAYMENTS = 6;

async function payMany(stepped: SteppedService) {
  const made = [];
  for (let count = 0; count < PAYMENTS; count++) {
    const intent = await stepped.create();
    made.push({ intent, ...(await stepped.pay(intent)) });
  }
  stepped.tick(2);
  await stepped.feed();
  return made;
}

test("a payment that cannot be recorded does not keep those found with it from being bound", async () => {
  await using stepped = await SteppedService.open();
  const made = await payMany(stepped);
  const stuck = made[2]!.intent;
  const key = sql`business_id = ${stepped.business} and object_id = ${stuck.id} and transition = 'payment_intent.paid'`;
  await stepped.database.rows(sql`
    insert into event_keys (business_id, object_id, generation, transition)
    values (${stepped.business}, ${stuck.id}, 1, 'payment_intent.paid')`);
  await stepped.sweep();
  for (const { intent } of made)
    assert.equal((await stepped.intent(intent)).status, intent === stuck ? "requires_payment" : "paid");
  assert.ok(
    stepped.lines.some((line) => line.includes("observed_payments")),
    "the log says so",
  );

  await stepped.database.rows(sql`delete from event_keys where ${key}`);
  await stepped.settle();
  assert.equal((await stepped.intent(stuck)).status, "paid");
  await stepped.assertSound();
});

test("sweeps, confirms and an expiry of the same payments at once bind each once, with one set of events", async () => {
  await using stepped = await SteppedService.open();
  const made = await payMany(stepped);
  await Promise.all([
    stepped.sweep(),
    stepped.sweep(),
    ...made.map(({ intent, signature }) => stepped.confirm(intent, signature)),
    stepped.expire(),
  ]);
  for (const { intent } of made)
    assert.deepEqual(await stepped.eventTypes(intent), [
      "payment_intent.created",
      "payment.protected",
      "payment_intent.paid",
    ]);
  await stepped.settle();
  await stepped.assertSound();
});
