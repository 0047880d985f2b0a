import assert from "node:assert/strict";
import { test } from "node:test";
import { actOnPayment } from "@holdfast/devnet/buyer.ts";
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
  const giveBack = await stepped.takeKey(stuck.id, "payment_intent.paid");
  await stepped.sweep();
  for (const { intent } of made)
    assert.equal((await stepped.intent(intent)).status, intent === stuck ? "requires_payment" : "paid");
  assert.ok(
    stepped.lines.some((line) => line.includes("observed_payments")),
    "the log says so",
  );

  await giveBack();
  await stepped.settle();
  assert.equal((await stepped.intent(stuck)).status, "paid");
  await stepped.assertSound();
});

test("§3.2.4 a payment whose settleable event cannot be recorded does not hold up the others", async () => {
  await using stepped = await SteppedService.open();
  const made = await payMany(stepped);
  await stepped.settle();
  const due = await stepped.database.rows<{ address: string; intent_id: string }>(
    sql`select address, intent_id from payments order by protection_deadline`,
  );
  await stepped.takeKey(due[0]!.address, "payment.settleable");
  await stepped.advance(86_400 + 60);
  await stepped.announceSettleable();
  for (const { intent } of made) {
    const isAnnounced = (await stepped.eventTypes(intent)).includes("payment.settleable");
    assert.equal(isAnnounced, intent.id !== due[0]!.intent_id);
  }
  assert.ok(
    stepped.lines.some((line) => line.includes(due[0]!.address)),
    "the log names it",
  );
});

test("§3.3.1 a payment whose step cannot be recorded keeps no other from being reverted, nor those of no intent unread", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const { database, net } = stepped;
  const [stuck, lost, other] = [await stepped.create(), await stepped.create(), await stepped.create()];
  const { payment } = await stepped.pay(stuck);
  const gone = await stepped.pay(lost);
  const unmatched = await stepped.pay({ ...other, amount: "1" }, net.wallets["buyer-2"]);
  stepped.tick(2);
  await stepped.catchUp();
  const giveBack = await stepped.takeKey(payment, "payment.disputed");
  await actOnPayment(net, net.wallets["buyer-1"], "dispute", payment as never, { until: "none" });
  assert.ok(net.controls.drop(gone.signature));
  stepped.tick(32);
  for (let reads = 0; reads < 2; reads++) await assert.rejects(stepped.finalize());
  assert.equal(await stepped.payment(gone.payment), null);
  const readAt = async () =>
    (await database.row<{ at: Date }>(
      sql`select checked_at as at from unmatched_payments where address = ${unmatched.payment}`,
    ))!.at;
  const before = await readAt();
  await assert.rejects(stepped.recheck());
  assert.ok((await readAt()) > before);

  await giveBack();
  await stepped.settle();
  assert.equal((await stepped.payment(payment))!.status, "disputed");
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
