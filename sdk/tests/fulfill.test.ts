import assert from "node:assert/strict";
import { test } from "node:test";
import { type FulfillOptions, type PaymentIntent, shouldFulfill, type WebhookEvent } from "../index.ts";

type Changes = Readonly<Record<string, unknown>>;

const PAYMENT = {
  ...{ object: "payment", id: "9XU3", intent: "pi_live_1", role: "primary", status: "protected", disputedAt: null },
  ...{ outcome: null, refundTotal: "0", overLimit: false },
};
const REFUNDED = { status: "refunded", outcome: "refunded_by_recipient", refundTotal: "5000000" };
const RELEASED = { status: "released", outcome: "released_by_sender" };
const DISPUTED = { status: "disputed", disputedAt: "2026-11-21T02:58:42.000Z" };

const anIntent = (payment: Changes | null = {}, more: Changes = {}) =>
  ({ object: "payment_intent", id: "pi_live_1", payment: payment && { ...PAYMENT, ...payment }, ...more }) as unknown;
const eventOf = (type: string, sequence: string, object: unknown, environment = "live") =>
  ({ object: "event", type, sequence, environment, data: { object } }) as unknown as WebhookEvent;
const paid = (payment: Changes = {}, environment = "live") =>
  eventOf("payment_intent.paid", "10", anIntent(payment), environment);
const ofPayment = (type: string, sequence: string, changes: Changes = {}) =>
  eventOf(`payment.${type}`, sequence, { ...PAYMENT, ...changes });
const decide = (event: WebhookEvent, options: Partial<FulfillOptions> = {}) =>
  shouldFulfill(event, { environment: "live", others: [], ...options } as FulfillOptions);

test("§6.5.7 only payment_intent.paid of the environment, whole and within the seats, fulfils an order", () => {
  assert.equal(decide(paid()), true);
  assert.equal(decide(paid({ late: true, lateReason: "found_after_expiry" })), true);
  for (const changes of [
    REFUNDED,
    DISPUTED,
    RELEASED,
    { refundTotal: "1" },
    { overLimit: true },
    { role: "duplicate" },
  ])
    assert.equal(decide(paid(changes)), false, JSON.stringify(changes));
  assert.equal(decide(paid({}, "test")), false);
  for (const type of ["created", "paid_late", "duplicate_payment", "payment_mismatch", "expired", "canceled"])
    assert.equal(decide(eventOf(`payment_intent.${type}`, "10", anIntent())), false, type);
  for (const type of ["protected", "disputed", "released", "settleable", "reverted"])
    assert.equal(decide(ofPayment(type, "10")), false, type);
});

test("§6.5.7 the newest event of its payment decides, in whichever order they came; other payments' events do not", () => {
  const later = (...others: WebhookEvent[]) => decide(paid(), { others });
  assert.equal(later(ofPayment("refunded", "11", REFUNDED)), false);
  assert.equal(later(ofPayment("partially_refunded", "11", { refundTotal: "1" })), false);
  assert.equal(later(ofPayment("disputed", "11", DISPUTED)), false);
  assert.equal(later(ofPayment("reverted", "11")), false);
  assert.equal(later(ofPayment("released", "11", RELEASED)), true);
  assert.equal(later(ofPayment("protected", "9"), ofPayment("refunded", "11", { ...REFUNDED, id: "another" })), true);
  // A fork took the dispute back.
  assert.equal(later(ofPayment("protected", "12"), ofPayment("disputed", "11", DISPUTED)), true);
  assert.equal(later(ofPayment("released", "13", { ...RELEASED, ...DISPUTED, status: "released" })), false);
  assert.equal(later(ofPayment("reverted", "100"), ofPayment("protected", "99")), false);
});

test("§6.5.7 the intent as it is now decides as well; without it and without the stored events nothing is decided", () => {
  const now = (intent: unknown) => decide(paid(), { intent: intent as PaymentIntent });
  assert.equal(now(anIntent()), true);
  assert.equal(now(anIntent(RELEASED)), true);
  for (const intent of [
    ...[anIntent(REFUNDED), anIntent(DISPUTED), anIntent(null), anIntent({ id: "another" })],
    anIntent({}, { id: "pi_live_2" }),
  ])
    assert.equal(now(intent), false, JSON.stringify(intent));
  assert.throws(() => shouldFulfill(paid(), { environment: "live" } as unknown as FulfillOptions), TypeError);
});
