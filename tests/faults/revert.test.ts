import assert from "node:assert/strict";
import { test } from "node:test";
import { type ActOptions, actOnPayment, type PaymentAction } from "@holdfast/devnet/buyer.ts";
import { listCheckoutStates } from "../../server/features/checkout/page/queries.ts";
import type { Intent } from "../../server/features/intents/intent.ts";
import { revertPayment } from "../../server/features/recording/finality/applyReversal.ts";
import { listUnfinalized } from "../../server/features/recording/finality/queries.ts";
import { checkPayments } from "../../server/features/recording/finality/recheck.ts";
import { sql } from "../../server/store/sql.ts";
import { SteppedService } from "./steppedService.ts";

const BOUND = ["payment_intent.created", "payment.protected", "payment_intent.paid"];
/** More slots than the rule asks for: the stepped service needs 20 beyond the creating one, at `finalized`, which is 8 behind. */
const PAST_THE_RULE = 32;

/** A payment bound at `confirmed` and dropped by a fork. */
async function bindAndDrop(stepped: SteppedService, intent: Intent, buyer = stepped.net.wallets["buyer-1"]) {
  const made = await stepped.pay(intent, buyer);
  stepped.tick(2);
  assert.match(await stepped.confirm(intent, made.signature), /^(bound|duplicate)$/);
  assert.ok(stepped.net.controls.drop(made.signature));
  return made;
}

/** A payment that is reverted, and then bound in a second generation. */
async function assertBoundAgain(stepped: SteppedService, intent: Intent, payment: string): Promise<void> {
  assert.equal((await stepped.payment(payment))!.generation, 2);
  assert.deepEqual(await stepped.eventTypes(intent), [
    ...BOUND,
    "payment.reverted",
    "payment.protected",
    "payment_intent.paid",
  ]);
  await stepped.assertSound();
}

test("§3.3.1 two reads revert a payment that never finalizes; landing again it is a new generation, and a newer state", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const intent = await stepped.create();
  const versions: number[] = [];
  const noteVersion = async () => {
    const [state] = await listCheckoutStates(stepped.database, [intent.id]);
    versions.push(state!.version);
  };
  await noteVersion();
  const { payment } = await bindAndDrop(stepped, intent);
  const { receipt_key } = (await stepped.payment(payment))!;
  await noteVersion();
  stepped.tick(PAST_THE_RULE);
  await stepped.finalize();
  assert.notEqual((await stepped.payment(payment))!.suspected_at, null, "one read is not enough");
  assert.equal((await stepped.intent(intent)).status, "paid");
  await stepped.finalize();
  assert.equal(await stepped.payment(payment), null);
  assert.deepEqual(
    { ...(await stepped.intent(intent)) },
    { status: "requires_payment", holds_reference: true, payment_address: null, canceled_at: null },
  );
  assert.deepEqual(await stepped.eventTypes(intent), [...BOUND, "payment.reverted"]);
  await stepped.assertSound();
  await noteVersion();

  const again = await stepped.pay(intent);
  assert.equal(again.payment, payment, "the same buyer's payment has the same address");
  await stepped.settle();
  await assertBoundAgain(stepped, intent, payment);
  assert.equal((await stepped.payment(payment))!.receipt_key, receipt_key, "§2.2 the receipt has its address again");
  await noteVersion();
  assert.deepEqual(versions, [...new Set(versions)].sort(), "§12.4 of the checkout's states each is newer");
});

test("§3.3.1 nothing is reverted before finality has passed it, nor by two reads close together", async () => {
  await using stepped = await SteppedService.open({
    nodes: ["one", "two"],
    revertRule: { slots: 20, apartMs: 3_600_000 },
  });
  const intent = await stepped.create();
  const { payment } = await bindAndDrop(stepped, intent);
  stepped.tick(24);
  await stepped.finalize();
  assert.equal((await stepped.payment(payment))!.suspected_at, null, "final 16 slots past it, and 20 are asked for");
  stepped.tick(8);
  await stepped.finalize();
  for (let reads = 0; reads < 5; reads++) await stepped.finalize();
  assert.notEqual((await stepped.payment(payment))!.suspected_at, null);
  await stepped.database.rows(sql`update payments set suspected_at = suspected_at - interval '59 minutes'`);
  await stepped.finalize();
  assert.equal((await stepped.payment(payment))!.role, "primary");
  await stepped.database.rows(sql`update payments set suspected_at = suspected_at - interval '2 minutes'`);
  await stepped.finalize();
  assert.equal(await stepped.payment(payment), null);
});

test("§3.3.3 reverted while a newer intent holds the reference: canceled, with its event", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const intent = await stepped.create("order-of-two");
  const { payment } = await bindAndDrop(stepped, intent);
  const newer = await stepped.create("order-of-two");
  stepped.tick(PAST_THE_RULE);
  await stepped.finalize();
  await stepped.finalize();
  assert.equal((await stepped.intent(intent)).status, "canceled");
  assert.notEqual((await stepped.intent(intent)).canceled_at, null);
  assert.deepEqual(await stepped.eventTypes(intent), [...BOUND, "payment.reverted", "payment_intent.canceled"]);
  assert.equal((await stepped.intent(newer)).holds_reference, true);
  await stepped.assertSound();

  await stepped.advance(2);
  const again = await stepped.pay(intent);
  await stepped.pay(newer, stepped.net.wallets["buyer-2"]);
  await stepped.settle();
  assert.equal(again.payment, payment);
  assert.deepEqual((await stepped.eventTypes(intent)).slice(-2), ["payment.protected", "payment_intent.paid_late"]);
  assert.equal((await stepped.intent(newer)).status, "paid");
  await stepped.assertSound();
});

test("§3.3.2 reverted with duplicates waiting: the oldest becomes the primary, by its own lateReason", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const { "buyer-2": second, "buyer-3": third } = stepped.net.wallets;
  const intent = await stepped.create();
  const first = await bindAndDrop(stepped, intent);
  const waiting = await stepped.pay(intent, second);
  stepped.tick(2);
  assert.equal(await stepped.confirm(intent, waiting.signature), "duplicate");
  const younger = await stepped.pay(intent, third);
  await stepped.settle();
  stepped.tick(PAST_THE_RULE);
  await stepped.finalize();
  await stepped.finalize();
  assert.equal(await stepped.payment(first.payment), null);
  assert.equal((await stepped.intent(intent)).payment_address, waiting.payment);
  assert.equal((await stepped.payment(waiting.payment))!.role, "primary");
  assert.equal((await stepped.payment(younger.payment))!.role, "duplicate");
  assert.deepEqual((await stepped.eventTypes(intent)).slice(-2), ["payment.reverted", "payment_intent.paid"]);
  await stepped.pay(intent);
  await stepped.settle();
  assert.equal((await stepped.payment(first.payment))!.role, "duplicate", "it comes back behind the others");
  await stepped.assertSound();
});

test("§3.3.2 a duplicate that never finalizes is reverted alone", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const intent = await stepped.create();
  const kept = await stepped.pay(intent);
  await stepped.settle();
  const gone = await bindAndDrop(stepped, intent, stepped.net.wallets["buyer-2"]);
  stepped.tick(PAST_THE_RULE);
  await stepped.finalize();
  await stepped.finalize();
  assert.equal(await stepped.payment(gone.payment), null);
  assert.equal((await stepped.intent(intent)).payment_address, kept.payment);
  assert.deepEqual((await stepped.eventTypes(intent)).slice(-1), ["payment.reverted"]);
  await stepped.assertSound();
});

test("§3.3.1 a node that lags, has pruned its history, or is wrong alone reverts nothing", async (t) => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const { controls } = stepped.net;
  const intent = await stepped.create();
  const { payment, signature } = await stepped.pay(intent);
  stepped.tick(2);
  assert.equal(await stepped.confirm(intent, signature), "bound");
  const expectKept = async () => {
    for (let reads = 0; reads < 6; reads++) {
      stepped.tick();
      await stepped.finalize().catch(() => undefined);
    }
    assert.deepEqual([(await stepped.payment(payment))?.role, await stepped.eventTypes(intent)], ["primary", BOUND]);
  };
  // Keeps the step from recording finality, so that it asks each node again and again.
  const forget = () =>
    stepped.database.rows(sql`update payments set finalized = false, suspected_at = null, suspected_by_node = null`);
  stepped.tick(PAST_THE_RULE);
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
  await stepped.settle();
  await stepped.assertSound();
});

/** Takes a step of the payment, by its actor, in a slot of its own. */
async function act(
  stepped: SteppedService,
  action: PaymentAction,
  payment: string,
  options: ActOptions = {},
): Promise<string> {
  const { "buyer-1": buyer, arbiter, recipient } = stepped.net.wallets;
  const wallet = action.startsWith("resolve") ? arbiter : action === "refund" ? recipient : buyer;
  const { signature } = await actOnPayment(stepped.net, wallet, action, payment as never, {
    until: "none",
    ...options,
  });
  stepped.tick(2);
  return signature;
}

for (const [action, stepType] of [
  ["dispute", "payment.disputed"],
  ["release", "payment.released"],
] as const)
  test(`a ${action} that a fork took is reverted by two reads, and later steps get events again`, async () => {
    await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
    const intent = await stepped.create();
    const { payment } = await stepped.pay(intent);
    await stepped.settle();
    const signature = await act(stepped, action, payment);
    await stepped.catchUp();
    assert.deepEqual(await stepped.eventTypes(intent), [...BOUND, stepType]);
    assert.equal((await stepped.payment(payment))!.finalized, false, "the last step is not final");
    assert.ok(stepped.net.controls.drop(signature));

    stepped.tick(PAST_THE_RULE);
    await stepped.finalize();
    assert.deepEqual(await stepped.eventTypes(intent), [...BOUND, stepType], "one read is not enough");
    await stepped.finalize();
    const { status, generation, finalized } = (await stepped.payment(payment))!;
    assert.deepEqual([status, generation, finalized], ["protected", 2, true]);
    assert.deepEqual(await stepped.eventTypes(intent), [...BOUND, stepType, "payment.protected"]);
    assert.equal((await stepped.intent(intent)).status, "paid");
    await stepped.assertSound();

    await act(stepped, "dispute", payment);
    await stepped.catchUp();
    await act(stepped, "resolve_refund", payment);
    await stepped.settle();
    await stepped.settle();
    assert.deepEqual(await stepped.eventTypes(intent), [
      ...[...BOUND, stepType, "payment.protected"],
      ...["payment.disputed", "payment.refunded"],
    ]);
    assert.equal((await stepped.payment(payment))!.finalized, true);
    // §4.18.7: the dispute that the fork took waits for the second one.
    const waited = action === "dispute" ? ["opened talking", "updated paused", "updated talking"] : ["opened talking"];
    assert.deepEqual(
      await stepped.disputeEvents(intent),
      [...waited, "decided decided", "closed closed"].map((event) => `dispute.${event}`),
    );
    await stepped.assertSound();
  });

for (const [what, options, before, announced, takenBack] of [
  ["partial refund", { total: 1n }, [], ["payment.partially_refunded"], ["payment.protected"]],
  ["refund that is bound and has not left, and that no event showed,", { total: 1n, decideOnly: true }, [], [], []],
  [
    "ruling whose parts have not left",
    { total: 1n, decideOnly: true },
    ["payment.disputed"],
    ["payment.decided"],
    ["payment.disputed"],
  ],
] as const)
  test(`a ${what}, taken by a fork, is taken back in the books`, async () => {
    await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
    const intent = await stepped.create();
    const { payment } = await stepped.pay(intent);
    await stepped.settle();
    if (before.length > 0) await act(stepped, "dispute", payment);
    await stepped.settle();
    stepped.tick(PAST_THE_RULE);
    for (let reads = 0; reads < 3; reads++) await stepped.finalize();
    const signature = await act(stepped, before.length > 0 ? "resolve_split" : "refund", payment, options);
    await stepped.catchUp();
    // A bound refund changes the payment and has no event; the service still reads the account.
    assert.equal((await stepped.payment(payment))!.refund_total, "1");
    assert.deepEqual(await stepped.eventTypes(intent), [...BOUND, ...before, ...announced]);
    assert.equal((await stepped.payment(payment))!.finalized, false, "the last step is not final");
    await stepped.assertSound();
    assert.ok(stepped.net.controls.drop(signature));

    stepped.tick(PAST_THE_RULE);
    for (let reads = 0; reads < 2; reads++) await stepped.finalize();
    const { refund_total, amount_refunded, outcome, generation } = (await stepped.payment(payment))!;
    assert.deepEqual([refund_total, amount_refunded, outcome, generation], ["0", "0", null, 1 + takenBack.length]);
    assert.deepEqual(await stepped.eventTypes(intent), [...BOUND, ...before, ...announced, ...takenBack]);
    await stepped.assertSound();
  });

test("a step that becomes final has one event, and its payment is final again", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const intent = await stepped.create();
  const { payment } = await stepped.pay(intent);
  await stepped.settle();
  await act(stepped, "dispute", payment);
  await stepped.catchUp();
  await stepped.finalize();
  assert.equal((await stepped.payment(payment))!.finalized, false, "the final account is older than the step");
  stepped.tick(PAST_THE_RULE);
  for (let reads = 0; reads < 3; reads++) await stepped.finalize();
  const { status, generation, finalized } = (await stepped.payment(payment))!;
  assert.deepEqual([status, generation, finalized], ["disputed", 1, true]);
  assert.deepEqual(await stepped.eventTypes(intent), [...BOUND, "payment.disputed"]);
  await stepped.assertSound();
});

test("§4.5.3 after a fork a payment of another amount at the same address is another payment", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const intent = await stepped.create();
  const { payment } = await bindAndDrop(stepped, intent);
  const less = await stepped.pay({ ...intent, amount: "1" });
  assert.equal(less.payment, payment);
  stepped.tick(2);
  await stepped.catchUp();
  assert.deepEqual(await stepped.eventTypes(intent), BOUND, "which of the two lasts is not known yet");
  stepped.tick(PAST_THE_RULE);
  await stepped.finalize();
  await stepped.finalize();
  assert.equal(await stepped.payment(payment), null);
  assert.equal((await stepped.intent(intent)).status, "requires_payment");
  assert.deepEqual(await stepped.eventTypes(intent), [...BOUND, "payment.reverted", "payment_intent.payment_mismatch"]);
  assert.equal(await stepped.confirm(intent, less.signature), "signature_unverified");
  await stepped.assertSound();

  await stepped.pay(intent, stepped.net.wallets["buyer-2"]);
  await stepped.settle();
  assert.equal((await stepped.intent(intent)).status, "paid");
  await stepped.assertSound();
});

test("§2.2 after a fork the same payment made later has its own times, with one event", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const intent = await stepped.create();
  const { payment } = await bindAndDrop(stepped, intent);
  const read = () =>
    stepped.database.row<{ created_at: Date; protection_deadline: Date; signature: string | null }>(
      sql`select created_at, protection_deadline, signature from payments where address = ${payment}`,
    );
  const before = (await read())!;
  await stepped.advance(3_600);
  await stepped.pay(intent);
  stepped.tick(2);
  await stepped.catchUp();
  stepped.tick(PAST_THE_RULE);
  for (let reads = 0; reads < 3; reads++) await stepped.finalize();
  const after = (await read())!;
  assert.ok(after.created_at.getTime() - before.created_at.getTime() >= 3_600_000);
  assert.equal(
    after.protection_deadline.getTime() - before.protection_deadline.getTime(),
    after.created_at.getTime() - before.created_at.getTime(),
  );
  assert.notEqual(after.signature, before.signature);
  assert.deepEqual(await stepped.eventTypes(intent), [...BOUND, "payment.protected"]);
  await stepped.assertSound();
});

test("a payment that lands again between two reads is bound again, with its own signature", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const intent = await stepped.create();
  const { payment } = await bindAndDrop(stepped, intent);
  stepped.tick(PAST_THE_RULE);
  await stepped.finalize();
  assert.notEqual((await stepped.payment(payment))!.suspected_at, null);
  await stepped.advance(5);
  const { signature } = await stepped.pay(intent);
  stepped.tick(2);
  await stepped.catchUp();
  assert.equal(
    await stepped.confirm(intent, signature),
    "signature_unverified",
    "which of the two lasts is not known yet",
  );
  await stepped.finalize();
  assert.equal(await stepped.payment(payment), null, "what is final has neither yet");
  await stepped.catchUp();
  assert.equal(await stepped.confirm(intent, signature), "already_recorded");
  await stepped.settle();
  await assertBoundAgain(stepped, intent, payment);
});

test("a payment observed after the second read but before the revert is not reverted", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const intent = await stepped.create();
  const { signature, payment } = await stepped.pay(intent);
  stepped.tick(2);
  await stepped.confirm(intent, signature);
  const [missed] = await listUnfinalized(stepped.database, "test", 2, 1);
  await stepped.database.rows(sql`update payments set suspected_at = now(), suspected_by_node = 0`);
  await checkPayments(stepped.ctx, [payment]);
  await revertPayment(stepped.ctx, "test", missed!);
  assert.deepEqual(await stepped.eventTypes(intent), BOUND);
  await stepped.settle();
  await stepped.assertSound();
});

test("§6.5.2 a sender's mismatch has one event, also after a revert of another's payment", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const intent = await stepped.create();
  const wrong = await stepped.pay({ ...intent, amount: "1" }, stepped.net.wallets["buyer-2"]);
  await stepped.settle();
  await bindAndDrop(stepped, intent);
  stepped.tick(PAST_THE_RULE);
  for (let reads = 0; reads < 2; reads++) await stepped.finalize();
  assert.equal((await stepped.eventTypes(intent)).at(-1), "payment.reverted");
  assert.equal(await stepped.confirm(intent, wrong.signature), "signature_unverified");
  await stepped.reconcile();
  const types = await stepped.eventTypes(intent);
  assert.equal(types.filter((type) => type === "payment_intent.payment_mismatch").length, 1);
  await stepped.assertSound();
});

test("an unmatched payment that a fork took is dropped by two nodes, and kept when it lands again", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const intent = await stepped.create();
  const wrong = { ...intent, amount: "1" };
  const unmatched = () => stepped.database.rows(sql`select 1 from unmatched_payments`);
  const { signature, payment } = await stepped.pay(wrong);
  stepped.tick(2);
  await stepped.catchUp();
  stepped.tick(PAST_THE_RULE);
  stepped.net.controls.faults({ mode: "ignorant", node: "one", names: [payment] });
  await stepped.pruneUnmatched();
  assert.equal((await unmatched()).length, 1);
  stepped.net.controls.faults({ mode: "none" });
  await stepped.assertSound();

  const later = await stepped.pay({ ...wrong, amount: "2" }, stepped.net.wallets["buyer-2"]);
  stepped.tick(2);
  await stepped.catchUp();
  assert.equal((await unmatched()).length, 2);
  assert.equal(stepped.net.controls.drop(signature), null, "the first is final");
  assert.ok(stepped.net.controls.drop(later.signature));
  await stepped.pruneUnmatched();
  assert.equal((await unmatched()).length, 2, "not before the chain is final far enough past it");
  stepped.tick(PAST_THE_RULE);
  await stepped.pruneUnmatched();
  assert.equal((await unmatched()).length, 1);
  await stepped.assertSound();
  await stepped.pay({ ...wrong, amount: "2" }, stepped.net.wallets["buyer-2"]);
  await stepped.settle();
  assert.equal((await unmatched()).length, 2);
  await stepped.assertSound();
});
