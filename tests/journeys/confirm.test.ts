import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { draftPayment } from "@holdfast/devnet/buyer.ts";
import { sendWire } from "@holdfast/devnet/client.ts";
import { act, advance, newBuyer, pauseSweep, pay, payInVain, payTogether } from "../harness/chain.ts";
import { checkSequences, expectEvents, listEvents } from "../harness/expectEvents.ts";
import { assertError, type Merchant, newMerchant, untilTaken, type Wire } from "../harness/merchant.ts";
import { type RunningService, standingService } from "../harness/service.ts";

// The sweep rests through all of these, so confirm binds every payment.
let service: RunningService;
let shop: Merchant;
before(async () => {
  service = await standingService();
  shop = await newMerchant(service);
  await pauseSweep(service, true);
});
after(() => pauseSweep(service, false));

const confirmed = async (intent: Wire, signature: string, outcome: string): Promise<Wire> => {
  const answer = await shop.confirm(intent.id, signature);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.object, "confirmation");
  assert.equal(answer.json.outcome, outcome);
  return answer.json;
};

async function refused(intent: Wire, signature: string, reason: string, mismatch?: readonly string[]): Promise<void> {
  const error = assertError(await shop.confirm(intent.id, signature), 409, "signature_unverified");
  assert.equal(error.reason, reason);
  assert.deepEqual(error.mismatch, mismatch);
  assert.equal(error.retryable, reason === "not_found" || reason === "not_confirmed");
  const unpaid = await shop.intent(intent.id);
  assert.deepEqual([unpaid.status, unpaid.payment], ["requires_payment", null]);
  assert.deepEqual((await shop.get(`/payments?intent=${intent.id}`)).json.data, []);
}

test("§4.5 confirm binds at once, says already_recorded the second time, and duplicate for a second buyer", async () => {
  const intent = await shop.create();
  const first = await pay(service, intent);
  const bound = await confirmed(intent, first.signature, "bound");
  assert.equal(bound.intent.status, "paid");
  assert.equal(bound.payment.role, "primary");
  assert.equal(bound.payment.signature, first.signature);
  assert.deepEqual(bound.intent.payment, bound.payment);

  const again = await confirmed(intent, first.signature, "already_recorded");
  assert.equal(again.payment.id, first.payment);

  const second = await pay(service, intent, { buyer: service.wallets["buyer-2"] });
  const duplicate = await confirmed(intent, second.signature, "duplicate");
  assert.deepEqual([duplicate.payment.role, duplicate.payment.late], ["duplicate", false]);
  assert.equal(duplicate.payment.sender, service.wallets["buyer-2"].address);
  assert.equal(duplicate.intent.payment.id, first.payment, "the first one stays the primary");
  await confirmed(intent, second.signature, "already_recorded");

  await expectEvents(shop, intent.id, [
    "payment_intent.created",
    "payment.protected",
    "payment_intent.paid",
    "payment.protected",
    "payment_intent.duplicate_payment",
  ]);
});

test("§4.5 of ten confirms of one payment at once exactly one binds, with one event", async () => {
  const intent = await shop.create();
  const { signature } = await pay(service, intent);
  // On a slow machine a read of the chain may end at its deadline: such a confirm is repeated.
  const confirm = () => untilTaken(() => shop.confirm(intent.id, signature));
  const answers = await Promise.all(Array.from({ length: 10 }, confirm));
  assert.deepEqual(answers.map((answer) => answer.json.outcome).toSorted(), [
    ...Array<string>(9).fill("already_recorded"),
    "bound",
  ]);
  await expectEvents(shop, intent.id, ["payment_intent.created", "payment.protected", "payment_intent.paid"]);
});

test("§4.5.8 an unknown signature is not_found and worth a retry", async () => {
  await refused(await shop.create(), "1".repeat(64), "not_found");
});

test("§4.5.8 a transaction that was only just sent is not_confirmed, and confirms later", async () => {
  const intent = await shop.create();
  const { wire, signature } = await draftPayment(service, service.wallets["buyer-1"], intent);
  await sendWire(service.rpcUrl, wire);
  const answer = await shop.confirm(intent.id, signature);
  // Two slots later it is confirmed: a slow machine may be that late.
  if (answer.status === 409) assert.match(answer.json.error.reason, /^not_(confirmed|found)$/);
  else assert.equal(answer.json.outcome, "bound");
});

test("§4.5.8 a failed transaction pays nothing", async () => {
  const intent = await shop.create();
  await refused(intent, (await payInVain(service, intent)).signature, "failed");
});

test("§4.5.6 a transaction that made no payment, or that of another intent, is no_payment_for_intent", async () => {
  const [intent, other] = [await shop.create(), await shop.create()];
  const elsewhere = await pay(service, other);
  await refused(intent, elsewhere.signature, "no_payment_for_intent");
  const error = (await shop.confirm(intent.id, elsewhere.signature)).text;
  assert.ok(!error.includes(other.id) && !error.includes(other.paymentId), "nothing of the other intent is named");
  await confirmed(other, elsewhere.signature, "bound");

  const dispute = await act(service, service.wallets["buyer-1"], "dispute", elsewhere.payment);
  await refused(intent, dispute.signature, "no_payment_for_intent");
});

test("§4.5.8 wrong terms are a mismatch that names them, in the document's order", async () => {
  const EURC = "HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr";
  const buyer = await newBuyer(service, EURC);
  const recipient = service.wallets.authority.address;
  for (const [changed, mismatch] of [
    [{ recipient }, ["recipient"]],
    [{ amount: "4999999" }, ["amount"]],
    [{ amount: "5000001" }, ["amount"]],
    [{ asset: EURC, buyer }, ["asset"]],
    [{ protectionPeriod: "oneDay" }, ["protectionPeriod"]],
    [
      { recipient, amount: "1", asset: EURC, protectionPeriod: "oneHour", buyer },
      ["recipient", "amount", "asset", "protectionPeriod"],
    ],
  ] as const) {
    const intent = await shop.create();
    const { signature } = await pay(service, intent, changed);
    await refused(intent, signature, "mismatch", mismatch);
  }
});

test("§4.5.4 of two payments for one intent in one transaction the first instruction's is the primary", async () => {
  const intent = await shop.create();
  const { "buyer-1": one, "buyer-2": two } = service.wallets;
  const { signature, payments } = await payTogether(service, [
    { intent, buyer: two },
    { intent, buyer: one },
  ]);
  const bound = await confirmed(intent, signature, "bound");
  assert.equal(bound.payment.id, payments[0]);
  const recorded = (await shop.get(`/payments?intent=${intent.id}`)).json.data;
  assert.deepEqual(
    recorded.map((payment: Wire) => [payment.id, payment.role, payment.signature]),
    [
      [payments[1], "duplicate", signature],
      [payments[0], "primary", signature],
    ],
  );
});

test("§4.5.4 one transaction that pays two intents confirms for each of them", async () => {
  const [left, right] = [await shop.create(), await shop.create()];
  const buyer = service.wallets["buyer-1"];
  const { signature, payments } = await payTogether(service, [
    { intent: left, buyer },
    { intent: right, buyer },
  ]);
  assert.equal((await confirmed(right, signature, "bound")).payment.id, payments[1]);
  assert.equal((await shop.intent(left.id)).status, "requires_payment", "what is another intent's stays its own");
  assert.equal((await confirmed(left, signature, "bound")).payment.id, payments[0]);
});

test("§4.5.5 confirm works in every status: canceled, expired, paid", async () => {
  const canceled = await shop.create();
  assert.equal((await shop.cancel(canceled.id)).status, 200);
  await advance(service, 2);
  const late = await pay(service, canceled);
  const afterCancel = await confirmed(canceled, late.signature, "bound");
  assert.equal(afterCancel.payment.lateReason, "paid_after_cancel");
  assert.notEqual(afterCancel.intent.canceledAt, null, "canceledAt stays");

  const expired = await shop.create();
  await advance(service, 86_402);
  assert.equal((await shop.intent(expired.id)).status, "expired");
  const later = await pay(service, expired);
  assert.equal((await confirmed(expired, later.signature, "bound")).payment.lateReason, "paid_after_expiry");
});

test("§3 while the sweep is paused only confirm binds, and no event number is missing", async () => {
  const intent = await shop.create();
  await pay(service, intent);
  assert.equal((await shop.intent(intent.id)).status, "requires_payment");
  assert.equal((await listEvents(shop, intent.id)).length, 1);
  assert.ok((await checkSequences(shop)) > 30);
});
