import { EVENTS, type EventType } from "../../features/events/eventTypes.ts";
import { NO_ADDRESSES, PAID_EXAMPLE } from "../../features/intents/schema.ts";
import { PAYMENT_EXAMPLE } from "../../features/payments/schema.ts";
import { dataOfDispute } from "./disputeStory.ts";
import { EVENT_EXAMPLES, type EventExample } from "./examples.ts";

/** The members of a body besides its type. */
type Example = Pick<EventExample, "data"> & Partial<Pick<EventExample, "sequence">>;

const PAYMENT = PAYMENT_EXAMPLE;
const CHECKOUT_URL = `https://pay.shop-demo.com/pay/i/${PAYMENT.intent}`;
const ADDRESSES = { checkoutUrl: CHECKOUT_URL, x402Url: `${CHECKOUT_URL}/x402` };
const OPEN = { ...PAID_EXAMPLE, status: "requires_payment", payment: null, ...ADDRESSES };
const CANCELED_AT = "2026-11-21T02:58:21.902Z";
const DISPUTED = {
  ...PAYMENT,
  status: "disputed",
  disputedAt: "2026-11-21T02:58:42.000Z",
  resolveBy: "2027-02-19T02:58:42.000Z",
  checkedAt: "2026-11-21T02:58:43.309Z",
};
/** A payment after a step, with the previous values of the changed fields. */
const step = (before: object, changes: object, checkedAt: string) => ({
  data: {
    object: { ...before, ...changes, checkedAt },
    previousAttributes: Object.fromEntries(Object.keys(changes).map((name) => [name, (before as never)[name]])),
  },
});

/** The example of each type in docs/events.md, where that of its body is not its own. */
const EXAMPLES: Readonly<Partial<Record<EventType, Example>>> = {
  "payment_intent.created": { data: { object: OPEN } },
  "payment_intent.paid": {
    data: {
      object: PAID_EXAMPLE,
      previousAttributes: { status: "requires_payment", payment: null, ...ADDRESSES },
    },
  },
  "payment_intent.paid_late": {
    data: {
      object: {
        ...PAID_EXAMPLE,
        payment: { ...PAYMENT, late: true, lateReason: "paid_after_cancel" },
        canceledAt: CANCELED_AT,
      },
      previousAttributes: { status: "canceled", payment: null },
    },
  },
  "payment_intent.duplicate_payment": {
    data: {
      object: {
        ...PAYMENT,
        id: "4GouboJY8LHNHSUQZWv41qZxDr3XpW9JdFGte66vv1s8",
        role: "duplicate",
        sender: "DzQqdrkK853LubQ1BL36abHiQ5GpgLQWPTwQ72cHRPau",
        signature: "3x7EDKg3oouSwsZPn3zRkJLFZBAAMWMu4BCeuJSpu6nHcegz8xGt2F34CqTHK2mX5USKQhnRjChvMAfEAmSH9SYT",
        createdAt: "2026-11-21T02:58:51.000Z",
        protectionDeadline: "2026-11-28T02:58:51.000Z",
        checkedAt: "2026-11-21T02:58:51.935Z",
      },
    },
  },
  "payment_intent.payment_mismatch": { data: { ...EVENT_EXAMPLES.PaymentMismatchEvent.data, object: OPEN } },
  "payment_intent.expired": {
    data: {
      object: { ...OPEN, status: "expired", ...NO_ADDRESSES },
      previousAttributes: { status: "requires_payment", ...ADDRESSES },
    },
  },
  "payment_intent.canceled": {
    data: {
      object: { ...OPEN, status: "canceled", canceledAt: CANCELED_AT, ...NO_ADDRESSES },
      previousAttributes: { status: "requires_payment", canceledAt: null, ...ADDRESSES },
    },
  },
  "payment.disputed": step(
    PAYMENT,
    { status: "disputed", disputedAt: DISPUTED.disputedAt, resolveBy: DISPUTED.resolveBy },
    DISPUTED.checkedAt,
  ),
  "payment.released": step(
    PAYMENT,
    { status: "released", settledAt: "2026-11-21T02:58:40.000Z", amountReleased: "5000000", outcome: "settled" },
    "2026-11-21T02:58:41.184Z",
  ),
  "payment.refunded": step(
    DISPUTED,
    {
      status: "refunded",
      refundedAt: "2026-11-21T02:58:44.000Z",
      resolveBy: null,
      amountRefunded: "5000000",
      refundTotal: "5000000",
      outcome: "resolved",
    },
    "2026-11-21T02:58:45.336Z",
  ),
  "payment.partially_refunded": step(
    PAYMENT,
    { refundedAt: "2026-11-21T02:58:30.000Z", amountRefunded: "1000000", refundTotal: "1000000" },
    "2026-11-21T02:58:31.429Z",
  ),
  "payment.decided": step(
    DISPUTED,
    { resolveBy: null, refundTotal: "2000000", outcome: "resolved" },
    "2026-11-21T02:58:45.242Z",
  ),
  "payment.settleable": step(PAYMENT, { settleable: true }, "2026-11-28T02:58:26.705Z"),
};

export const exampleOf = (type: EventType): Example =>
  EXAMPLES[type] ?? dataOfDispute(type) ?? EVENT_EXAMPLES[EVENTS[type].body];

/** The type of test deliveries. Event lists never contain it. */
export const TEST_EVENT_TEXT =
  "Sent to one endpoint when you ask for it (`npm run admin -- webhook test <endpoint id>`), whatever it subscribes to: one attempt, signed like any other. It has no `sequence` and is not recorded, so `GET /events` never shows it. The whole body:";

/** The complete body at the top of the page. */
export const BODY_EXAMPLE = {
  ...EVENT_EXAMPLES.PaymentEvent,
  type: "payment.disputed",
  sequence: "4",
  occurredAt: DISPUTED.disputedAt,
  createdAt: DISPUTED.checkedAt,
  data: exampleOf("payment.disputed").data,
};
