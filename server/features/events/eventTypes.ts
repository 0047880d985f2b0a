/** What an event is about: the component that its body is in the API document. */
export type EventBody =
  | "PaymentIntentEvent"
  | "PaymentEvent"
  | "PaymentMismatchEvent"
  | "DisputeEvent"
  | "WebhookEndpointEvent"
  | "SequenceGapEvent";

interface EventDeclaration {
  readonly body: EventBody;
  /** When it is recorded. */
  readonly text: string;
  /** Markdown that docs/events.md adds to the text. */
  readonly more: string;
}

/** All event types (§6.5), in the order of the documents. `webhook.test` is never recorded. */
export const EVENTS = {
  "payment_intent.created": {
    body: "PaymentIntentEvent",
    text: "An intent was created.",
    more: "`checkoutUrl` is where to send the buyer.",
  },
  "payment_intent.paid": {
    body: "PaymentIntentEvent",
    text: 'An intent was paid, or was found to have been paid in time. Fulfil the order once per intent, when `environment` is the one you sell in, `payment.status` `protected`, `outcome` null, `refundTotal` "0" and `overLimit` false, and no later event of the payment says otherwise. Read the intent and check this again before you ship goods that cannot be called back.',
    more: "This is the event to fulfil an order on, [if nothing is on its way back](#when-to-ship). The payment stands in `data.object.payment`. Where a payment made in time was found only after the intent expired, `lateReason` is `found_after_expiry`.",
  },
  "payment_intent.paid_late": {
    body: "PaymentIntentEvent",
    text: "An intent was paid after it had expired, or found paid after it was canceled. Decide by hand whether it is fulfilled or refunded.",
    more: "`payment.lateReason` says which: `paid_after_expiry`, `paid_after_cancel`, or `found_after_cancel` (made before you canceled, found after). You may have sold the goods to somebody else: decide before you ship ([what to look at](#when-to-ship)), and otherwise refund.",
  },
  "payment_intent.duplicate_payment": {
    body: "PaymentEvent",
    text: "A further payment of an intent that is already paid. Refund it, as a rule.",
    more: "It is by another wallet, has the role `duplicate` and a life of its own: it is protected, can be disputed, and settles to the recipient unless somebody refunds it. What to do: [refund it](how-to/give-back-a-part.md).",
  },
  "payment_intent.payment_mismatch": {
    body: "PaymentMismatchEvent",
    text: "A payment on chain carries the intent's paymentId on other terms. It is not bound.",
    more: "The intent stays as it was. `data.mismatch` lists the terms that differ, `data.observed` shows what was paid. The funds are in the escrow on the terms the sender chose. An intent has at most three such events, and one per sender; further ones are kept, and the operator can find them (`unmatched_payments`). So do not take three of them for all there is: when a buyer says that they paid, ask for the signature and [confirm](how-to/run-your-own-checkout.md) it, which answers with the terms that differ.",
  },
  "payment_intent.expired": {
    body: "PaymentIntentEvent",
    text: "An intent expired unpaid. Sent once the chain has been read past its expiry.",
    more: "`expiresAt` has passed, and everything that happened on chain until then is processed: had somebody paid in time, you would have heard of it first. Reading the intent says `expired` from the first millisecond past `expiresAt`; this event comes a little later.",
  },
  "payment_intent.canceled": {
    body: "PaymentIntentEvent",
    text: "An intent was canceled.",
    more: "You canceled it. Also sent in one rare case: the intent's payment was reverted, and its `merchantReference` is in use by another intent by then.",
  },
  "payment.protected": {
    body: "PaymentEvent",
    text: "A payment was bound to its intent; the buyer may dispute. Sent again, with previousAttributes, where the chain dropped a later step before it was final.",
    more: `The funds are in the escrow until \`protectionDeadline\`.

A \`payment.protected\` with \`previousAttributes\` is never a new payment: it takes something back. The chain dropped a dispute, a partial refund, a release or a refund that was announced before it was final, or it dropped the payment itself and included it again later. The event shows the last state that still holds; where the payment is still disputed, it is a second [\`payment.disputed\`](#paymentdisputed). Further steps follow with their own events. This is very rare. On a chain that runs Alpenglow, or with \`BIND_COMMITMENT=finalized\`, it takes a restart of the cluster, or a node that showed what was not there.`,
  },
  "payment.disputed": {
    body: "PaymentEvent",
    text: "The buyer disputed the payment.",
    more: "A dispute is opened before the deadline. The funds then stay until the arbiter resolves it, the recipient refunds or the buyer releases. From `resolveBy` (90 days later) anybody may have them sent back to the buyer.",
  },
  "payment.released": {
    body: "PaymentEvent",
    text: "The payment is paid out, and the funds, or a part of them, went to the recipient.",
    more: "It was settled after the deadline, released early by the buyer, or awarded in a dispute. `settledAt` says when. Of a split, the buyer's part has left too: see `amountReleased` and `amountRefunded`. A payment that is paid out has exactly one of `payment.released` and `payment.refunded`.",
  },
  "payment.refunded": {
    body: "PaymentEvent",
    text: "The payment is paid out, and all funds went back to the buyer. Check `role`: a duplicate has the order's `merchantReference` too.",
    more: "It was refunded by the recipient, awarded in a dispute, or a dispute stayed unresolved. `refundedAt` says when; `settledAt` stays null. See `role` before you take an order back: of a refunded `duplicate` the order stays paid by its `primary` payment.",
  },
  "payment.partially_refunded": {
    body: "PaymentEvent",
    text: "A part went back to the buyer, and something remains. `amountRefunded` is the total; several parts between two checks of the chain are one event.",
    more: "The recipient gave it back, or it is the buyer's part of a split whose other part has yet to leave. The status is as before; `refundedAt` is when the latest part left.",
  },
  "payment.decided": {
    body: "PaymentEvent",
    text: "The parts of both sides are decided (`outcome`), and one has yet to leave.",
    more: "`refundTotal` is what the buyer has in the end. Nothing can be disputed or settled any more, so `settleable` is false and `resolveBy` null; the status is as before. `payment.released` or `payment.refunded` follows with the last part. The recipient's part has no event of its own where it leaves first: `amountReleased` and `settledAt` of `GET /payments/{id}` show it as of `checkedAt`, and its `nextActions` then name only the part that has yet to leave. Where a decision and its parts are one transaction, there is no such event.",
  },
  "payment.settleable": {
    body: "PaymentEvent",
    text: "The deadline passed without a dispute: the payment can be settled.",
    more: "Anybody may have it settled to the recipient. Where the service runs a keeper, it does so by itself and `payment.released` follows. It cannot while the recipient has no token account for the asset, or a frozen one: nobody makes that account by itself, so the payment stays `protected` and `settleable`. `GET /payments?settleable=true` lists such payments; make the recipient's associated token account (any wallet can receive or create it) and they are settled. The status is still `protected`; `settleable` is true. A payment with an `outcome` gets no such event.",
  },
  "payment.reverted": {
    body: "PaymentEvent",
    text: "The chain dropped the payment before it was final; lists do not show it any more.",
    more: "On a chain that does not run Alpenglow, payments are bound as soon as their transaction is confirmed, which on rare occasions is undone: the transaction never becomes final. On every chain a payment may also vanish with a restart of the cluster, or turn out to be one that only a wrong node showed. After a strict check (account and signature both gone on two reads at least 30 seconds apart, 300 finalized slots later) the payment is reverted, and this event holds its last snapshot. It leaves the lists, and reading it says `not_found`. The intent returns to what its times give, or its oldest duplicate becomes primary (then `payment_intent.paid` or `.paid_late` follows). If you fulfilled the order ([when to ship](#when-to-ship)), you have not been paid.",
  },
  "dispute.opened": {
    body: "DisputeEvent",
    text: "The service recorded the dispute of a payment: it is your turn until `answerBy`.",
    more: "It follows `payment.disputed`, and has no text: the buyer's reason comes later, if at all, with `dispute.updated`. From `answerBy` on the arbiter decides. A dispute that was opened with any other tool has one too.",
  },
  "dispute.updated": {
    body: "DisputeEvent",
    text: "Something in a dispute changed: its status, the turn, an offer, a date, or the number of statements.",
    more: "Read `turn` and `status`, then the dispute itself for the texts. The chain may take a dispute back: it is `paused` until it lands again, with its texts kept.",
  },
  "dispute.decided": {
    body: "DisputeEvent",
    text: "The arbiter's ruling is on chain.",
    more: "It follows the event of the payment that shows the ruling. Its `decision` is null if the payment's account was read before the ruling's transaction: `dispute.updated` brings it then. `dispute.closed` follows once both parts have left.",
  },
  "dispute.closed": {
    body: "DisputeEvent",
    text: "The chain left nothing open in a dispute.",
    more: "A release, a refund of the whole amount, a lapse, or both parts of a ruling have left. `agreement.executes` is empty if it was what both had agreed.",
  },
  "webhook_endpoint.disabled": {
    body: "WebhookEndpointEvent",
    text: "Another endpoint of yours was disabled after five deliveries in a row were abandoned.",
    more: "The endpoint is `failing` and gets nothing until it is enabled. The business's other endpoints get this event. An endpoint that a person disables causes none.",
  },
  "events.restored": {
    body: "SequenceGapEvent",
    text: "The service was restored from a copy: the sequence has a gap, and what is found again is announced again. Sent to every endpoint.",
    more: `The database was restored from a copy that is older than the newest events. Every endpoint gets this event, whatever types it has chosen, and in the sequence it stands above the gap, before everything else. No event has a number between \`after\` and \`before\`, and numbers you saw in between are not used again.

What to do:

1. Go on from this event as from any other. If you check that sequences have no gaps, this one is named here.
2. What was on chain is found again and announced again, with new event ids and \`"restored": true\`. Deduplicating by event id does not catch it; [fulfilling once per intent id](#when-to-ship) does.
3. What was not on chain is gone: intents created after the copy was made, cancellations, and the answers kept under an \`Idempotency-Key\`. Compare the intents you created since then with \`GET /payment-intents\`, cancel again what you had canceled, and ask the operator about payments of intents that are gone.`,
  },
} as const satisfies Readonly<Record<string, EventDeclaration>>;
export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

/** `payment.protected` → `payment.*`: a reader may ask for a group instead of single types. */
export const groupOf = (type: EventType): string => `${type.split(".", 1)[0]}.*`;
export const EVENT_GROUPS: readonly string[] = [...new Set(EVENT_TYPES.map(groupOf))];
/** Types in one request. There are fewer types than this, so only a list with repeats is longer. */
export const EVENT_TYPES_ASKED_MAX = 50;
