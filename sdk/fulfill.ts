import type { UnknownEvent } from "./events.ts";
import type { Payment, PaymentIntent, WebhookEvent } from "./schema.ts";

/** An event as it is delivered or read. */
export type ReceivedEvent = WebhookEvent | UnknownEvent;

/** The caller gives `others` or `intent`, since the refund of a payment may arrive before the event that it was paid. */
type KnownState =
  | { readonly others: Iterable<ReceivedEvent>; readonly intent?: PaymentIntent | undefined }
  | { readonly intent: PaymentIntent; readonly others?: undefined };

export type FulfillOptions = KnownState & {
  /** The environment in which you sell. Tokens of `test` have no value. */
  readonly environment: "test" | "live";
};

/**
 * True if the event says to fulfil its order: fulfil it once per intent id. `others`: the events that you have stored, at
 * least those of the same payment, in any order. `intent`: the intent as the API shows it now, which you read before you
 * ship goods that cannot be called back.
 */
export function shouldFulfill(event: ReceivedEvent, { environment, others, intent }: FulfillOptions): boolean {
  if (others === undefined && intent === undefined)
    throw new TypeError("Give the events that you have stored of this payment, or its intent as it is now.");
  if (event.type !== "payment_intent.paid" || event.environment !== environment) return false;
  const { id, payment } = event.data.object;
  if (payment === null || payment.status !== "protected" || payment.outcome !== null || !isPaidFor(payment))
    return false;
  const isGone = intent !== undefined && (intent.id !== id || intent.payment?.id !== payment.id);
  if (isGone || (intent?.payment && !isPaidFor(intent.payment))) return false;
  const newest = findNewest([event, ...(others ?? [])], payment.id);
  return newest.type !== "payment.reverted" && isPaidFor(paymentOf(newest)!);
}

/** Nothing goes back to the buyer, or may. The payment may have been released to you meanwhile. */
export const isPaidFor = ({ role, status, disputedAt, refundTotal, overLimit }: Payment): boolean =>
  role === "primary" &&
  (status === "protected" || status === "released") &&
  disputedAt === null &&
  refundTotal === "0" &&
  !overLimit;

/** The payment that an event is about, of whatever type; null if it is about none. */
export function paymentOf({ data }: { readonly data: { readonly object: object } }): Payment | null {
  const object = data.object as { readonly object?: unknown; readonly payment?: unknown };
  if (object.object === "payment") return object as unknown as Payment;
  return object.object === "payment_intent" ? ((object.payment as Payment | undefined) ?? null) : null;
}

function findNewest(events: readonly ReceivedEvent[], paymentId: string): ReceivedEvent {
  const own = events.filter((event) => paymentOf(event)?.id === paymentId);
  return own.reduce((one, other) => (BigInt(other.sequence ?? 0) > BigInt(one.sequence ?? 0) ? other : one));
}
