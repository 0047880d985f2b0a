import assert from "node:assert/strict";
import { test } from "node:test";
import { actOnPayment, type PaymentAction } from "@holdfast/devnet/buyer.ts";
import type { Intent } from "../../server/features/intents/intent.ts";
import { revertPayment } from "../../server/features/recording/finality/applyReversal.ts";
import { recordObserved } from "../../server/features/recording/finality/finalize.ts";
import { listUnfinalized } from "../../server/features/recording/finality/queries.ts";
import { sql } from "../../server/store/sql.ts";
import { Stage } from "./steppedService.ts";

const BOUND = ["payment_intent.created", "payment.protected", "payment_intent.paid"];
/** Past the rule's slots: the stage asks for 20 beyond the creating one, at `finalized`, which is 8 behind. */
const PAST_THE_RULE = 32;

/** A payment bound at `confirmed` and dropped by a fork. */
async function bindAndDrop(stage: Stage, intent: Intent, buyer = stage.net.wallets["buyer-1"]) {
  const made = await stage.pay(intent, buyer);
  stage.tick(2);
  assert.match(await stage.confirm(intent, made.signature), /^(bound|duplicate)$/);
  assert.ok(stage.net.controls.drop(made.signature));
  return made;
}

/** Reverted, and then bound in a second life. */
async function assertBoundAnew(stage: Stage, intent: Intent, payment: string): Promise<void> {
  assert.equal((await stage.payment(payment))!.generation, 2);
  assert.deepEqual(await stage.told(intent), [
    ...BOUND,
    "payment.reverted",
    "payment.protected",
    "payment_intent.paid",
  ]);
  await stage.assertSound();
}

test("contract §3 a payment that never finalizes is reverted by two reads, not by one; landing again it is a new generation", async () => {
  await using stage = await Stage.open({ nodes: ["one", "two"] });
  const intent = await stage.create();
  const { payment } = await bindAndDrop(stage, intent);
  stage.tick(PAST_THE_RULE);
  await stage.finalize();
  assert.notEqual((await stage.payment(payment))!.suspected_at, null, "one read is not enough");
  assert.equal((await stage.intent(intent)).status, "paid");
  await stage.finalize();
  assert.equal(await stage.payment(payment), null);
  assert.deepEqual(
    { ...(await stage.intent(intent)) },
    { status: "requires_payment", holds_reference: true, payment_address: null, canceled_at: null },
  );
  assert.deepEqual(await stage.told(intent), [...BOUND, "payment.reverted"]);
  await stage.assertSound();

  const again = await stage.pay(intent);
  assert.equal(again.payment, payment, "the same buyer's payment has the same address");
  await stage.settle();
  await assertBoundAnew(stage, intent, payment);
});

test("contract §3 nothing is reverted before the chain is final far enough past it, nor by two reads close together", async () => {
  await using stage = await Stage.open({ nodes: ["one", "two"], revertRule: { slots: 20, apartMs: 3_600_000 } });
  const intent = await stage.create();
  const { payment } = await bindAndDrop(stage, intent);
  stage.tick(24);
  await stage.finalize();
  assert.equal((await stage.payment(payment))!.suspected_at, null, "final 16 slots past it, and 20 are asked for");
  stage.tick(8);
  await stage.finalize();
  for (let reads = 0; reads < 5; reads++) await stage.finalize();
  assert.notEqual((await stage.payment(payment))!.suspected_at, null);
  await stage.database.rows(sql`update payments set suspected_at = suspected_at - interval '59 minutes'`);
  await stage.finalize();
  assert.equal((await stage.payment(payment))!.role, "primary");
  await stage.database.rows(sql`update payments set suspected_at = suspected_at - interval '2 minutes'`);
  await stage.finalize();
  assert.equal(await stage.payment(payment), null);
});

test("contract §3 reverted while a newer intent holds the reference: canceled, and told so; both may be paid in the end", async () => {
  await using stage = await Stage.open({ nodes: ["one", "two"] });
  const intent = await stage.create("order-of-two");
  const { payment } = await bindAndDrop(stage, intent);
  const newer = await stage.create("order-of-two");
  stage.tick(PAST_THE_RULE);
  await stage.finalize();
  await stage.finalize();
  assert.equal((await stage.intent(intent)).status, "canceled");
  assert.notEqual((await stage.intent(intent)).canceled_at, null);
  assert.deepEqual(await stage.told(intent), [...BOUND, "payment.reverted", "payment_intent.canceled"]);
  assert.equal((await stage.intent(newer)).holds_reference, true);
  await stage.assertSound();

  await stage.advance(2);
  const again = await stage.pay(intent);
  await stage.pay(newer, stage.net.wallets["buyer-2"]);
  await stage.settle();
  assert.equal(again.payment, payment);
  assert.deepEqual((await stage.told(intent)).slice(-2), ["payment.protected", "payment_intent.paid_late"]);
  assert.equal((await stage.intent(newer)).status, "paid");
  await stage.assertSound();
});

test("contract §3 reverted with duplicates waiting: the oldest becomes the primary, by its own lateReason", async () => {
  await using stage = await Stage.open({ nodes: ["one", "two"] });
  const { "buyer-2": second, "buyer-3": third } = stage.net.wallets;
  const intent = await stage.create();
  const first = await bindAndDrop(stage, intent);
  const waiting = await stage.pay(intent, second);
  stage.tick(2);
  assert.equal(await stage.confirm(intent, waiting.signature), "duplicate");
  const younger = await stage.pay(intent, third);
  await stage.settle();
  stage.tick(PAST_THE_RULE);
  await stage.finalize();
  await stage.finalize();
  assert.equal(await stage.payment(first.payment), null);
  assert.equal((await stage.intent(intent)).payment_address, waiting.payment);
  assert.equal((await stage.payment(waiting.payment))!.role, "primary");
  assert.equal((await stage.payment(younger.payment))!.role, "duplicate");
  assert.deepEqual((await stage.told(intent)).slice(-2), ["payment.reverted", "payment_intent.paid"]);
  await stage.pay(intent);
  await stage.settle();
  assert.equal((await stage.payment(first.payment))!.role, "duplicate", "it comes back behind the others");
  await stage.assertSound();
});

test("contract §3 a duplicate that never finalizes is reverted alone", async () => {
  await using stage = await Stage.open({ nodes: ["one", "two"] });
  const intent = await stage.create();
  const kept = await stage.pay(intent);
  await stage.settle();
  const gone = await bindAndDrop(stage, intent, stage.net.wallets["buyer-2"]);
  stage.tick(PAST_THE_RULE);
  await stage.finalize();
  await stage.finalize();
  assert.equal(await stage.payment(gone.payment), null);
  assert.equal((await stage.intent(intent)).payment_address, kept.payment);
  assert.deepEqual((await stage.told(intent)).slice(-1), ["payment.reverted"]);
  await stage.assertSound();
});

test("contract §3 a node that lags, has pruned its history, or is wrong alone reverts nothing", async (t) => {
  await using stage = await Stage.open({ nodes: ["one", "two"] });
  const { controls } = stage.net;
  const intent = await stage.create();
  const { payment, signature } = await stage.pay(intent);
  stage.tick(2);
  assert.equal(await stage.confirm(intent, signature), "bound");
  const expectKept = async () => {
    for (let reads = 0; reads < 6; reads++) {
      stage.tick();
      await stage.finalize().catch(() => undefined);
    }
    assert.deepEqual([(await stage.payment(payment))?.role, await stage.told(intent)], ["primary", BOUND]);
  };
  // Finality is kept from being recorded, so that each node's word is asked for again and again.
  const forget = () =>
    stage.database.rows(sql`update payments set finalized = false, suspected_at = null, suspected_by_node = null`);
  stage.tick(PAST_THE_RULE);
  for (const [what, rule] of [
    ["lags", { mode: "stale_slot", slots: 60 }],
    ["lags far behind", { mode: "stale_slot", slots: 400 }],
    ["has pruned its history", { mode: "pruned", slots: 5 }],
    ["has never heard of the account", { mode: "ignorant", names: [payment] }],
    ["has never heard of account and signature", { mode: "ignorant", names: [payment, signature] }],
    ["answers nonsense", { mode: "malformed" }],
  ] as const)
    for (const node of ["one", "two"])
      await t.test(`node ${node} ${what}`, async () => {
        await forget();
        controls.faults({ ...rule, node });
        await expectKept();
        controls.faults({ mode: "none" });
      });
  await stage.settle();
  await stage.assertSound();
});

/** A step of the payment, by whom the action is for, in a slot of its own. */
async function act(stage: Stage, action: PaymentAction, payment: string): Promise<string> {
  const { "buyer-1": buyer, arbiter } = stage.net.wallets;
  const wallet = action.startsWith("resolve") ? arbiter : buyer;
  const { signature } = await actOnPayment(stage.net, wallet, action, payment as never, { until: "none" });
  stage.tick(2);
  return signature;
}

for (const [action, told] of [
  ["dispute", "payment.disputed"],
  ["release", "payment.released"],
] as const)
  test(`a ${action} that a fork took is taken back by two reads, and what happens then is told anew`, async () => {
    await using stage = await Stage.open({ nodes: ["one", "two"] });
    const intent = await stage.create();
    const { payment } = await stage.pay(intent);
    await stage.settle();
    const signature = await act(stage, action, payment);
    await stage.catchUp();
    assert.deepEqual(await stage.told(intent), [...BOUND, told]);
    assert.equal((await stage.payment(payment))!.finalized, false, "what is told last is not final");
    assert.ok(stage.net.controls.drop(signature));

    stage.tick(PAST_THE_RULE);
    await stage.finalize();
    assert.deepEqual(await stage.told(intent), [...BOUND, told], "one read is not enough");
    await stage.finalize();
    const { status, generation, finalized } = (await stage.payment(payment))!;
    assert.deepEqual([status, generation, finalized], ["protected", 2, true]);
    assert.deepEqual(await stage.told(intent), [...BOUND, told, "payment.protected"]);
    assert.equal((await stage.intent(intent)).status, "paid");
    await stage.assertSound();

    await act(stage, "dispute", payment);
    await stage.catchUp();
    await act(stage, "resolve_refund", payment);
    await stage.settle();
    await stage.settle();
    assert.deepEqual(await stage.told(intent), [
      ...[...BOUND, told, "payment.protected"],
      ...["payment.disputed", "payment.refunded"],
    ]);
    assert.equal((await stage.payment(payment))!.finalized, true);
    await stage.assertSound();
  });

test("a step that becomes final is told once, and its payment is final again", async () => {
  await using stage = await Stage.open({ nodes: ["one", "two"] });
  const intent = await stage.create();
  const { payment } = await stage.pay(intent);
  await stage.settle();
  await act(stage, "dispute", payment);
  await stage.catchUp();
  await stage.finalize();
  assert.equal((await stage.payment(payment))!.finalized, false, "the final account is older than the step");
  stage.tick(PAST_THE_RULE);
  for (let reads = 0; reads < 3; reads++) await stage.finalize();
  const { status, generation, finalized } = (await stage.payment(payment))!;
  assert.deepEqual([status, generation, finalized], ["disputed", 1, true]);
  assert.deepEqual(await stage.told(intent), [...BOUND, "payment.disputed"]);
  await stage.assertSound();
});

test("§4.5.3 after a fork the same buyer's payment of another amount, at the same address, is not taken for the first", async () => {
  await using stage = await Stage.open({ nodes: ["one", "two"] });
  const intent = await stage.create();
  const { payment } = await bindAndDrop(stage, intent);
  const less = await stage.pay({ ...intent, amount: "1" });
  assert.equal(less.payment, payment);
  stage.tick(2);
  await stage.catchUp();
  assert.deepEqual(await stage.told(intent), BOUND, "which of the two lasts is not known yet");
  stage.tick(PAST_THE_RULE);
  await stage.finalize();
  await stage.finalize();
  assert.equal(await stage.payment(payment), null);
  assert.equal((await stage.intent(intent)).status, "requires_payment");
  assert.deepEqual(await stage.told(intent), [...BOUND, "payment.reverted", "payment_intent.payment_mismatch"]);
  assert.equal(await stage.confirm(intent, less.signature), "signature_unverified");
  await stage.assertSound();

  await stage.pay(intent, stage.net.wallets["buyer-2"]);
  await stage.settle();
  assert.equal((await stage.intent(intent)).status, "paid");
  await stage.assertSound();
});

test("§2.2 after a fork the same payment made later has its own times, told once as such", async () => {
  await using stage = await Stage.open({ nodes: ["one", "two"] });
  const intent = await stage.create();
  const { payment } = await bindAndDrop(stage, intent);
  const read = () =>
    stage.database.row<{ created_at: Date; protection_deadline: Date; signature: string | null }>(
      sql`select created_at, protection_deadline, signature from payments where address = ${payment}`,
    );
  const before = (await read())!;
  await stage.advance(3_600);
  await stage.pay(intent);
  stage.tick(2);
  await stage.catchUp();
  stage.tick(PAST_THE_RULE);
  for (let reads = 0; reads < 3; reads++) await stage.finalize();
  const after = (await read())!;
  assert.ok(after.created_at.getTime() - before.created_at.getTime() >= 3_600_000);
  assert.equal(
    after.protection_deadline.getTime() - before.protection_deadline.getTime(),
    after.created_at.getTime() - before.created_at.getTime(),
  );
  assert.notEqual(after.signature, before.signature);
  assert.deepEqual(await stage.told(intent), [...BOUND, "payment.protected"]);
  await stage.assertSound();
});

test("a payment that lands again between two looks is bound anew by the sweep, with its own signature", async () => {
  await using stage = await Stage.open({ nodes: ["one", "two"] });
  const intent = await stage.create();
  const { payment } = await bindAndDrop(stage, intent);
  stage.tick(PAST_THE_RULE);
  await stage.finalize();
  assert.notEqual((await stage.payment(payment))!.suspected_at, null);
  await stage.advance(5);
  const { signature } = await stage.pay(intent);
  stage.tick(2);
  await stage.catchUp();
  assert.equal(
    await stage.confirm(intent, signature),
    "signature_unverified",
    "which of the two lasts is not known yet",
  );
  await stage.finalize();
  assert.equal(await stage.payment(payment), null, "what is final has neither yet");
  await stage.catchUp();
  assert.equal(await stage.confirm(intent, signature), "already_recorded");
  await stage.settle();
  await assertBoundAnew(stage, intent, payment);
});

test("a payment seen alive between the second look and its end is not given up", async () => {
  await using stage = await Stage.open({ nodes: ["one", "two"] });
  const intent = await stage.create();
  const { signature, payment } = await stage.pay(intent);
  stage.tick(2);
  await stage.confirm(intent, signature);
  const [missed] = await listUnfinalized(stage.database, "test", 1);
  await stage.database.rows(sql`update payments set suspected_at = now(), suspected_by_node = 0`);
  await recordObserved(stage.sweeping, [payment]);
  await revertPayment(stage.sweeping, "test", missed!);
  assert.deepEqual(await stage.told(intent), BOUND);
  await stage.settle();
  await stage.assertSound();
});

test("contract §7 a sender's mismatch is told once, also after a revert of another's payment", async () => {
  await using stage = await Stage.open({ nodes: ["one", "two"] });
  const intent = await stage.create();
  const wrong = await stage.pay({ ...intent, amount: "1" }, stage.net.wallets["buyer-2"]);
  await stage.settle();
  await bindAndDrop(stage, intent);
  stage.tick(PAST_THE_RULE);
  for (let reads = 0; reads < 2; reads++) await stage.finalize();
  assert.equal((await stage.told(intent)).at(-1), "payment.reverted");
  assert.equal(await stage.confirm(intent, wrong.signature), "signature_unverified");
  await stage.reconcile();
  const told = await stage.told(intent);
  assert.equal(told.filter((type) => type === "payment_intent.payment_mismatch").length, 1);
  await stage.assertSound();
});

test("a payment of the wrong terms that a fork took is kept no longer; one node's word is not enough; landed again it is kept", async () => {
  await using stage = await Stage.open({ nodes: ["one", "two"] });
  const intent = await stage.create();
  const wrong = { ...intent, amount: "1" };
  const unmatched = () => stage.database.rows(sql`select 1 from unmatched_payments`);
  const { signature, payment } = await stage.pay(wrong);
  stage.tick(2);
  await stage.catchUp();
  stage.tick(PAST_THE_RULE);
  stage.net.controls.faults({ mode: "ignorant", node: "one", names: [payment] });
  await stage.forgetLost();
  assert.equal((await unmatched()).length, 1);
  stage.net.controls.faults({ mode: "none" });
  await stage.assertSound();

  const later = await stage.pay({ ...wrong, amount: "2" }, stage.net.wallets["buyer-2"]);
  stage.tick(2);
  await stage.catchUp();
  assert.equal((await unmatched()).length, 2);
  assert.equal(stage.net.controls.drop(signature), null, "the first is final");
  assert.ok(stage.net.controls.drop(later.signature));
  await stage.forgetLost();
  assert.equal((await unmatched()).length, 2, "not before the chain is final far enough past it");
  stage.tick(PAST_THE_RULE);
  await stage.forgetLost();
  assert.equal((await unmatched()).length, 1);
  await stage.assertSound();
  await stage.pay({ ...wrong, amount: "2" }, stage.net.wallets["buyer-2"]);
  await stage.settle();
  assert.equal((await unmatched()).length, 2);
  await stage.assertSound();
});
