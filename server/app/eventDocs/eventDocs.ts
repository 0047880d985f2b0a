import type { EventType } from "../../features/events/event.ts";
import { NO_ADDRESSES, PAID_EXAMPLE } from "../../features/intents/schema.ts";
import { PAYMENT_EXAMPLE } from "../../features/payments/schema.ts";
import { dataOfDispute } from "./disputeStory.ts";
import { EVENT_EXAMPLES } from "./examples.ts";

/** The part of docs/events.md about one type. */
export interface EventDoc {
  /** Markdown that the page adds after the type's own text. */
  readonly more: string;
  /** The members of the example's body besides its type. */
  readonly example: { readonly data: object; readonly sequence?: string | null };
}

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
const dataOf = (component: string) => EVENT_EXAMPLES[component] as EventDoc["example"];

export const EVENT_DOCS: Readonly<Record<EventType, EventDoc>> = {
  "payment_intent.created": { more: "`checkoutUrl` is where to send the buyer.", example: { data: { object: OPEN } } },
  "payment_intent.paid": {
    more: "This is the event to fulfil an order on, [if nothing is on its way back](#when-to-ship). The payment stands in `data.object.payment`. Where a payment made in time was found only after the intent expired, `lateReason` is `found_after_expiry`.",
    example: {
      data: {
        object: PAID_EXAMPLE,
        previousAttributes: { status: "requires_payment", payment: null, ...ADDRESSES },
      },
    },
  },
  "payment_intent.paid_late": {
    more: "`payment.lateReason` says which: `paid_after_expiry`, `paid_after_cancel`, or `found_after_cancel` (made before you canceled, found after). You may have sold the goods to somebody else: decide before you ship ([what to look at](#when-to-ship)), and otherwise refund.",
    example: {
      data: {
        object: {
          ...PAID_EXAMPLE,
          payment: { ...PAYMENT, late: true, lateReason: "paid_after_cancel" },
          canceledAt: CANCELED_AT,
        },
        previousAttributes: { status: "canceled", payment: null },
      },
    },
  },
  "payment_intent.duplicate_payment": {
    more: "It is by another wallet, has the role `duplicate` and a life of its own: it is protected, can be disputed, and settles to the recipient unless somebody refunds it. What to do: [refund it](how-to/give-back-a-part.md).",
    example: {
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
  },
  "payment_intent.payment_mismatch": {
    more: "The intent stays as it was. `data.mismatch` lists the terms that differ, `data.observed` shows what was paid. The funds are in the escrow on the terms the sender chose. An intent has at most three such events, and one per sender; further ones are kept, and the operator can find them (`unmatched_payments`). So do not take three of them for all there is: when a buyer says that they paid, ask for the signature and [confirm](how-to/run-your-own-checkout.md) it, which answers with the terms that differ.",
    example: { data: { ...dataOf("PaymentMismatchEvent").data, object: OPEN } },
  },
  "payment_intent.expired": {
    more: "`expiresAt` has passed, and everything that happened on chain until then is processed: had somebody paid in time, you would have heard of it first. Reading the intent says `expired` from the first millisecond past `expiresAt`; this event comes a little later.",
    example: {
      data: {
        object: { ...OPEN, status: "expired", ...NO_ADDRESSES },
        previousAttributes: { status: "requires_payment", ...ADDRESSES },
      },
    },
  },
  "payment_intent.canceled": {
    more: "You canceled it. Also sent in one rare case: the intent's payment was reverted, and its `merchantReference` is in use by another intent by then.",
    example: {
      data: {
        object: { ...OPEN, status: "canceled", canceledAt: CANCELED_AT, ...NO_ADDRESSES },
        previousAttributes: { status: "requires_payment", canceledAt: null, ...ADDRESSES },
      },
    },
  },
  "payment.protected": {
    more: `The funds are in the escrow until \`protectionDeadline\`.

A \`payment.protected\` with \`previousAttributes\` is never a new payment: it takes something back. The chain dropped a dispute, a partial refund, a release or a refund that was announced before it was final, or it dropped the payment itself and included it again later. The event shows the last state that still holds; where the payment is still disputed, it is a second [\`payment.disputed\`](#paymentdisputed). Further steps follow with their own events. This is very rare. On a chain that runs Alpenglow, or with \`BIND_COMMITMENT=finalized\`, it takes a restart of the cluster, or a node that showed what was not there.`,
    example: { data: { object: PAYMENT } },
  },
  "payment.disputed": {
    more: "A dispute is opened before the deadline. The funds then stay until the arbiter resolves it, the recipient refunds or the buyer releases. From `resolveBy` (90 days later) anybody may have them sent back to the buyer.",
    example: step(
      PAYMENT,
      { status: "disputed", disputedAt: DISPUTED.disputedAt, resolveBy: DISPUTED.resolveBy },
      DISPUTED.checkedAt,
    ),
  },
  "payment.released": {
    more: "It was settled after the deadline, released early by the buyer, or awarded in a dispute. `settledAt` says when. Of a split, the buyer's part has left too: see `amountReleased` and `amountRefunded`. A payment that is paid out has exactly one of `payment.released` and `payment.refunded`.",
    example: step(
      PAYMENT,
      { status: "released", settledAt: "2026-11-21T02:58:40.000Z", amountReleased: "5000000", outcome: "settled" },
      "2026-11-21T02:58:41.184Z",
    ),
  },
  "payment.refunded": {
    more: "It was refunded by the recipient, awarded in a dispute, or a dispute stayed unresolved. `refundedAt` says when; `settledAt` stays null. See `role` before you take an order back: of a refunded `duplicate` the order stays paid by its `primary` payment.",
    example: step(
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
  },
  "payment.partially_refunded": {
    more: "The recipient gave it back, or it is the buyer's part of a split whose other part has yet to leave. The status is as before; `refundedAt` is when the latest part left.",
    example: step(
      PAYMENT,
      { refundedAt: "2026-11-21T02:58:30.000Z", amountRefunded: "1000000", refundTotal: "1000000" },
      "2026-11-21T02:58:31.429Z",
    ),
  },
  "payment.decided": {
    more: "`refundTotal` is what the buyer has in the end. Nothing can be disputed or settled any more, so `settleable` is false and `resolveBy` null; the status is as before. `payment.released` or `payment.refunded` follows with the last part. The recipient's part has no event of its own where it leaves first: `amountReleased` and `settledAt` of `GET /payments/{id}` show it as of `checkedAt`, and its `nextActions` then name only the part that has yet to leave. Where a decision and its parts are one transaction, there is no such event.",
    example: step(
      DISPUTED,
      { resolveBy: null, refundTotal: "2000000", outcome: "resolved" },
      "2026-11-21T02:58:45.242Z",
    ),
  },
  "payment.settleable": {
    more: "Anybody may have it settled to the recipient. Where the service runs a keeper, it does so by itself and `payment.released` follows. It cannot while the recipient has no token account for the asset, or a frozen one: nobody makes that account by itself, so the payment stays `protected` and `settleable`. `GET /payments?settleable=true` lists such payments; make the recipient's associated token account (any wallet can receive or create it) and they are settled. The status is still `protected`; `settleable` is true. A payment with an `outcome` gets no such event.",
    example: step(PAYMENT, { settleable: true }, "2026-11-28T02:58:26.705Z"),
  },
  "payment.reverted": {
    more: "On a chain that does not run Alpenglow, payments are bound as soon as their transaction is confirmed, which on rare occasions is undone: the transaction never becomes final. On every chain a payment may also vanish with a restart of the cluster, or turn out to be one that only a wrong node showed. After a strict check (account and signature both gone on two reads at least 30 seconds apart, 300 finalized slots later) the payment is reverted, and this event holds its last snapshot. It leaves the lists, and reading it says `not_found`. The intent returns to what its times give, or its oldest duplicate becomes primary (then `payment_intent.paid` or `.paid_late` follows). If you fulfilled the order ([when to ship](#when-to-ship)), you have not been paid.",
    example: { data: { object: PAYMENT } },
  },
  "dispute.opened": {
    more: "It follows `payment.disputed`, and has no text: the buyer's reason comes later, if at all, with `dispute.updated`. From `answerBy` on the arbiter decides. A dispute that was opened with any other tool has one too.",
    example: dataOfDispute("dispute.opened"),
  },
  "dispute.updated": {
    more: "Read `turn` and `status`, then the dispute itself for the texts. The chain may take a dispute back: it is `paused` until it lands again, with its texts kept.",
    example: dataOfDispute("dispute.updated"),
  },
  "dispute.decided": {
    more: "It follows the event of the payment that shows the ruling. `dispute.closed` follows once both parts have left.",
    example: dataOfDispute("dispute.decided"),
  },
  "dispute.closed": {
    more: "A release, a refund of the whole amount, a lapse, or both parts of a ruling have left. `agreement.executes` is empty if it was what both had agreed.",
    example: dataOfDispute("dispute.closed"),
  },
  "webhook_endpoint.disabled": {
    more: "The endpoint is `failing` and gets nothing until it is enabled. The business's other endpoints get this event. An endpoint that a person disables causes none.",
    example: dataOf("WebhookEndpointEvent"),
  },
  "events.restored": {
    more: `The database was restored from a copy that is older than the newest events. Every endpoint gets this event, whatever types it has chosen, and in the sequence it stands above the gap, before everything else. No event has a number between \`after\` and \`before\`, and numbers you saw in between are not used again.

What to do:

1. Go on from this event as from any other. If you check that sequences have no gaps, this one is named here.
2. What was on chain is found again and announced again, with new event ids and \`"restored": true\`. Deduplicating by event id does not catch it; [fulfilling once per intent id](#when-to-ship) does.
3. What was not on chain is gone: intents created after the copy was made, cancellations, and the answers kept under an \`Idempotency-Key\`. Compare the intents you created since then with \`GET /payment-intents\`, cancel again what you had canceled, and ask the operator about payments of intents that are gone.`,
    example: dataOf("SequenceGapEvent"),
  },
};

/** The type of test deliveries. Event lists never contain it. */
export const TEST_EVENT_DOC: EventDoc = {
  more: "Sent to one endpoint when you ask for it (`npm run admin -- webhook test <endpoint id>`), whatever it subscribes to: one attempt, signed like any other. It has no `sequence` and is not recorded, so `GET /events` never shows it. The whole body:",
  example: dataOf("TestEvent"),
};

/** The complete body at the top of the page. */
export const BODY_EXAMPLE = {
  ...EVENT_EXAMPLES.PaymentEvent,
  type: "payment.disputed",
  sequence: "4",
  occurredAt: DISPUTED.disputedAt,
  createdAt: DISPUTED.checkedAt,
  data: EVENT_DOCS["payment.disputed"].example.data,
};
