import assert from "node:assert/strict";
import { before, test } from "node:test";
import { latestBlockhash, type PaymentAction, readPayment } from "@holdfast/devnet/buyer.ts";
import { sendWire } from "@holdfast/devnet/client.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import { payOutInstructions, refundInstruction, releaseInstruction } from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import { act, advance, pauseSweep, pay, whilePaused } from "../harness/chain.ts";
import { awaitPaid, awaitPayment, checkSequences, expectEvents, listEvents } from "../harness/expectEvents.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type RunningService, standingService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

let service: RunningService;
let shop: Merchant;
before(async () => {
  service = await standingService();
  shop = await newMerchant(service);
});

const PAID = ["payment_intent.created", "payment.protected", "payment_intent.paid"] as const;
const DISPUTE_DAYS_MAX = 90;

async function paidIntent(): Promise<{ intent: Wire; payment: Wire }> {
  const created = await shop.create();
  await pay(service, created);
  const intent = await awaitPaid(shop, created.id);
  return { intent, payment: intent.payment };
}

const walletOf = (who: "buyer-1" | "arbiter" | "recipient") => service.wallets[who];

/** An update brings the decision if the account is read before the ruling's transaction. */
const isLateDecision = ({ type, data }: Wire): boolean =>
  type === "dispute.updated" && data.previousAttributes.decision === null;

/** The payment as every door shows it: alone, in its list, and inside its intent. */
async function shownEverywhere(id: string, intentId: string): Promise<Wire> {
  const payment = await shop.payment(id);
  const [listed] = (await shop.get(`/payments?intent=${intentId}`)).json.data;
  const { payment: embedded } = await shop.intent(intentId);
  const still = ({ checkedAt: _, nextActions: __, ...rest }: Wire) => rest;
  assert.deepEqual(still(listed), still(payment));
  assert.deepEqual(still(embedded), still(payment));
  return payment;
}

for (const [action, status, type] of [
  ["resolve_refund", "refunded", "payment.refunded"],
  ["resolve_release", "released", "payment.released"],
] as const)
  test(`§3 a disputed payment is ${status} by the arbiter, with an event for each step`, async () => {
    const { intent, payment } = await paidIntent();
    await act(service, walletOf("buyer-1"), "dispute", payment.id);
    const disputed = await awaitPayment(shop, payment.id, "disputed");
    assert.deepEqual([disputed.settledAt, disputed.refundedAt], [null, null]);
    assert.equal(Date.parse(disputed.resolveBy) - Date.parse(disputed.disputedAt), DISPUTE_DAYS_MAX * 86_400_000);

    await act(service, walletOf("arbiter"), action, payment.id);
    await awaitPayment(shop, payment.id, status);
    const ended = await shownEverywhere(payment.id, intent.id);
    assert.equal(ended.disputedAt, disputed.disputedAt, "disputedAt stays for ever");
    assert.equal(ended.resolveBy, null);
    assert.equal(ended.settledAt !== null, status === "released");
    assert.equal(ended.refundedAt !== null, status === "refunded");
    assert.equal((await shop.intent(intent.id)).status, "paid", "the intent stays paid");

    const events = await expectEvents(shop, intent.id, [...PAID, "payment.disputed", type]);
    const [dispute, end] = events.slice(3);
    assert.deepEqual(dispute.data.previousAttributes, {
      status: "protected",
      disputedAt: null,
      resolveBy: null,
    });
    assert.equal(end.data.previousAttributes.status, "disputed");
    assert.equal(end.data.previousAttributes.resolveBy, disputed.resolveBy);
    assert.equal(end.data.object.status, status);

    // §4.18: its dispute follows the chain.
    const told = await eventually("the decision is told of", async () => {
      const all = (await listEvents(shop, intent.id)).filter((event) => event.type.startsWith("dispute."));
      return all.at(-1)?.data.object.decision == null ? null : all.filter((event) => !isLateDecision(event));
    });
    assert.deepEqual(
      told.map(({ type, data }) => [type, data.object.status, data.object.turn]),
      [
        ["dispute.opened", "talking", "merchant"],
        ["dispute.decided", "decided", "nobody"],
        ["dispute.closed", "closed", "nobody"],
      ],
    );
    const [opened] = told.map(({ data }) => data.object);
    assert.deepEqual(
      [opened.payment, opened.intent, opened.openedAt, opened.resolveBy, opened.reason],
      [payment.id, intent.id, disputed.disputedAt, disputed.resolveBy, "not_given"],
    );
  });

for (const [what, who, action, status, type] of [
  ["the buyer releases early", "buyer-1", "release", "released", "payment.released"],
  ["the recipient refunds", "recipient", "refund", "refunded", "payment.refunded"],
] as const)
  test(`§3.2.1 ${what}: ${status} from protected, in one step`, async () => {
    const { intent, payment } = await paidIntent();
    await act(service, walletOf(who), action, payment.id);
    const ended = await awaitPayment(shop, payment.id, status);
    await shownEverywhere(payment.id, intent.id);
    assert.deepEqual([ended.disputedAt, ended.resolveBy, ended.settleable], [null, null, false]);
    const time = status === "released" ? "settledAt" : "refundedAt";
    assert.ok(ended[time] >= ended.createdAt && ended[time] < ended.protectionDeadline);
    const events = await expectEvents(shop, intent.id, [...PAID, type]);
    const before = status === "released" ? { amountReleased: "0" } : { amountRefunded: "0", refundTotal: "0" };
    assert.deepEqual(events[3].data.previousAttributes, {
      status: "protected",
      [time]: null,
      ...before,
      outcome: null,
    });
    const { amount, amountReleased, amountRefunded } = ended;
    assert.deepEqual([amountReleased, amountRefunded], status === "released" ? [amount, "0"] : ["0", amount]);
    assert.equal(ended.outcome, status === "released" ? "released_by_sender" : "refunded_by_recipient");
  });

test("§3.2.7 the recipient gives back a part, the rest stays protected, and the buyer releases it", async () => {
  const { intent, payment } = await paidIntent();
  await act(service, walletOf("recipient"), "refund", payment.id, { total: 1_000_000n });
  const partly = await eventually("a part went back", async () => {
    const shown = await shop.payment(payment.id);
    return shown.amountRefunded === "1000000" && shown;
  });
  assert.deepEqual([partly.status, partly.outcome, partly.refundTotal], ["protected", null, "1000000"]);
  assert.ok(partly.refundedAt !== null && partly.settledAt === null && partly.amount === payment.amount);
  await act(service, walletOf("buyer-1"), "release", payment.id);
  await awaitPayment(shop, payment.id, "released");
  const ended = await shownEverywhere(payment.id, intent.id);
  const rest = String(BigInt(payment.amount) - 1_000_000n);
  assert.deepEqual([ended.amountReleased, ended.amountRefunded], [rest, "1000000"]);
  assert.equal(ended.refundedAt, partly.refundedAt);
  const events = await expectEvents(shop, intent.id, [...PAID, "payment.partially_refunded", "payment.released"]);
  const before = { refundedAt: null, amountRefunded: "0", refundTotal: "0" };
  assert.deepEqual(events[3].data.previousAttributes, before);
});

test("§3.2.12 a recipient gives back in five steps, and each part leaves without a wait for the one before", async () => {
  const { intent, payment } = await paidIntent();
  const { amount } = payment;
  for (let step = 1n; step <= 5n; step++) {
    const total = (BigInt(amount) * step) / 10n;
    await act(service, walletOf("recipient"), "refund", payment.id, { total, decideOnly: true });
    await eventually(`the keeper sent part ${step}`, async () => {
      const { amountRefunded } = await shop.payment(payment.id);
      return amountRefunded === String(total);
    });
  }
  await expectEvents(shop, intent.id, [...PAID, ...Array<string>(5).fill("payment.partially_refunded")]);
});

test("§6.6.8 a refund that is bound first and leaves later: its event holds what the event before showed", async () => {
  const { intent, payment } = await paidIntent();
  await act(service, walletOf("recipient"), "refund", payment.id, { total: 1_000n, decideOnly: true });
  await eventually("the refund is bound", async () => (await shop.payment(payment.id)).refundTotal === "1000");
  // The keeper sends the part.
  const events = await expectEvents(shop, intent.id, [...PAID, "payment.partially_refunded"]);
  assert.deepEqual(events[3].data.previousAttributes, { refundedAt: null, amountRefunded: "0", refundTotal: "0" });
});

test("§6.5.5 a refund and a release that one check passes are one step: released, with a part for each side", async () => {
  const { intent, payment } = await paidIntent();
  const [buyer, recipient] = [walletOf("buyer-1"), walletOf("recipient")];
  const { rpcUrl, programId } = service;
  const account = (await readPayment(rpcUrl, payment.id))!;
  const given = { programId: programId as Address, payment: { ...account, address: payment.id as Address } };
  const payOut = (side: "sender" | "recipient") =>
    payOutInstructions({ ...given, side, accountPayer: recipient.address });
  const { wire } = signTransaction({
    instructions: [
      refundInstruction({ ...given, total: 3_000_000n }),
      releaseInstruction({ ...given, total: 3_000_000n }),
      ...(await payOut("sender")),
      ...(await payOut("recipient")),
    ],
    wallets: [recipient, buyer],
    blockhash: await latestBlockhash(rpcUrl),
  });
  await sendWire(rpcUrl, wire);
  await awaitPayment(shop, payment.id, "released");
  const { amountReleased, amountRefunded, refundTotal, outcome } = await shownEverywhere(payment.id, intent.id);
  const rest = String(BigInt(payment.amount) - 3_000_000n);
  assert.deepEqual(
    [amountReleased, amountRefunded, refundTotal, outcome],
    [rest, "3000000", "3000000", "released_by_sender"],
  );
  await expectEvents(shop, intent.id, [...PAID, "payment.released"]);
});

test("§3.2.10 a split that nobody pays out: decided, not settleable, and the keeper sends both parts", async () => {
  const { intent, payment } = await paidIntent();
  await act(service, walletOf("buyer-1"), "dispute", payment.id);
  await awaitPayment(shop, payment.id, "disputed");
  await act(service, walletOf("arbiter"), "resolve_split", payment.id, { total: 2_000_000n, decideOnly: true });
  await awaitPayment(shop, payment.id, "released");
  const ended = await shownEverywhere(payment.id, intent.id);
  const rest = String(BigInt(payment.amount) - 2_000_000n);
  const { amountReleased, amountRefunded, outcome, settledAt, refundedAt } = ended;
  assert.deepEqual([amountReleased, amountRefunded, outcome], [rest, "2000000", "resolved"]);
  assert.ok(settledAt !== null && refundedAt !== null);
  const types = [...PAID, "payment.disputed", "payment.decided", "payment.released"];
  const [decided] = (await expectEvents(shop, intent.id, types)).slice(4);
  const { object, previousAttributes } = decided.data;
  assert.deepEqual(
    [object.status, object.outcome, object.refundTotal, object.settleable, object.resolveBy],
    ["disputed", "resolved", "2000000", false, null],
  );
  assert.deepEqual(Object.keys(previousAttributes), ["resolveBy", "refundTotal", "outcome"]);
});

test("§3.2.3 steps that one check passes at once become events in order: disputed, then refunded", async () => {
  const { intent, payment } = await paidIntent();
  await whilePaused(service, async () => {
    await act(service, walletOf("buyer-1"), "dispute", payment.id);
    await advance(service, 60);
    await act(service, walletOf("arbiter"), "resolve_refund", payment.id);
    assert.equal((await shop.payment(payment.id)).status, "protected");
  });
  const refunded = await awaitPayment(shop, payment.id, "refunded");
  assert.ok(refunded.disputedAt < refunded.refundedAt);
  await expectEvents(shop, intent.id, [...PAID, "payment.disputed", "payment.refunded"]);
});

test("§3.2.3 a payment that is over when it is found gets all its events at once", async () => {
  const intent = await shop.create();
  const payment = await whilePaused(service, async () => {
    const done = await pay(service, intent);
    for (const [who, action] of [
      ["buyer-1", "dispute"],
      ["arbiter", "resolve_release"],
    ] as const satisfies readonly (readonly [string, PaymentAction])[])
      await act(service, walletOf(who), action, done.payment);
    return done.payment;
  });
  await awaitPayment(shop, payment, "released");
  const events = await expectEvents(shop, intent.id, [...PAID, "payment.disputed", "payment.released"]);
  assert.equal(events[1].data.object.status, "protected");
});

test("§3.1.9 a duplicate goes through every state of a payment; its intent stays as it is", async () => {
  const { intent, payment } = await paidIntent();
  const { payment: second } = await pay(service, intent, { buyer: service.wallets["buyer-2"] });
  await awaitPayment(shop, second);
  await act(service, walletOf("recipient"), "refund", second);
  assert.equal((await awaitPayment(shop, second, "refunded")).role, "duplicate");
  const after = await shop.intent(intent.id);
  assert.deepEqual([after.status, after.payment.id, after.payment.status], ["paid", payment.id, "protected"]);
  await expectEvents(shop, intent.id, [
    ...PAID,
    "payment.protected",
    "payment_intent.duplicate_payment",
    "payment.refunded",
  ]);
});

test("§3.2.5 a disputed payment is not settled at its deadline; after 90 days anyone may refund it", async () => {
  const created = await shop.create({ protectionPeriod: "oneHour" });
  await pay(service, created);
  const { payment } = await awaitPaid(shop, created.id);
  await act(service, walletOf("buyer-1"), "dispute", payment.id);
  await awaitPayment(shop, payment.id, "disputed");
  await pauseSweep(service, true);
  await advance(service, DISPUTE_DAYS_MAX * 86_400);
  const waiting = await shop.payment(payment.id);
  assert.deepEqual([waiting.status, waiting.settleable], ["disputed", false]);
  await pauseSweep(service, false);
  // The keeper sends it too: the second of the two comes too late.
  await act(service, service.wallets["buyer-3"], "refund_unresolved", payment.id).catch((error: unknown) =>
    assert.match(String(error), /already_paid_out/),
  );
  await awaitPayment(shop, payment.id, "refunded");
  await expectEvents(shop, created.id, [...PAID, "payment.disputed", "payment.refunded"]);
  await checkSequences(shop);
});
