import { showFields } from "../../../domain/show.ts";
import { occurredAfter, type PendingEvent } from "../../events/event.ts";
import { type Intent, showIntent } from "../../intents/intent.ts";
import { showPayment } from "../../payments/payment.ts";
import { type IntentState, isPaidLate, type KnownPayment } from "../decide/decision.ts";

/** What giving a binding up does to its intent (contract §3, Reverted). */
export interface Reversal {
  readonly payment: KnownPayment;
  readonly intent: Intent;
  /** The duplicate that takes its place, if there is one. */
  readonly promoted: KnownPayment | null;
  /** Whether the intent holds its merchantReference again. */
  readonly reopened: boolean;
  readonly generation: number;
  readonly lastOccurredAt: Date;
  readonly pendingEvents: readonly PendingEvent[];
}

export interface Circumstances {
  /** Another open intent of the business holds the merchantReference by now. */
  readonly referenceTaken: boolean;
  /** `.expired` was told in an earlier life of the intent: it is not told again. */
  readonly expiredEventSent: boolean;
}

/** Takes a payment back that never became final: the oldest duplicate takes its place, or the intent is unpaid again. Pure. */
export function decideReversal(
  state: IntentState,
  payment: KnownPayment,
  { referenceTaken, expiredEventSent }: Circumstances,
  now: Date,
  checkoutUrl: string,
): Reversal {
  const pendingEvents: PendingEvent[] = [];
  let last = state.lastOccurredAt;
  const tell = (pendingEvent: Omit<PendingEvent, "occurredAt">) => {
    last = occurredAfter(last, now);
    pendingEvents.push({ ...pendingEvent, occurredAt: last });
  };
  tell({
    type: "payment.reverted",
    objectId: payment.id,
    generation: payment.generation,
    transition: "payment.reverted",
    intentId: state.intent.id,
    paymentAddress: payment.id,
    object: showPayment(payment, now),
    before: null,
  });
  const generation = state.generation + 1;
  if (payment.role === "duplicate")
    return {
      payment,
      intent: state.intent,
      promoted: null,
      reopened: false,
      generation: state.generation,
      lastOccurredAt: last,
      pendingEvents,
    };

  const next = state.payments.find((other) => other.role === "duplicate" && other.id !== payment.id);
  const paid = showIntent(state.intent, showFields(showPayment(payment, now)), now, checkoutUrl);
  const about = { objectId: state.intent.id, generation, intentId: state.intent.id } as const;
  if (next !== undefined) {
    const promoted: KnownPayment = { ...next, role: "primary" };
    const type = isPaidLate(promoted.lateReason) ? "payment_intent.paid_late" : "payment_intent.paid";
    const object = showIntent(state.intent, showFields(showPayment(promoted, now)), now, checkoutUrl);
    tell({ type, transition: type, ...about, paymentAddress: promoted.id, object, before: paid });
    return {
      payment,
      intent: state.intent,
      promoted,
      reopened: false,
      generation,
      lastOccurredAt: last,
      pendingEvents,
    };
  }

  const expired = now > state.intent.expiresAt;
  if (state.intent.canceledAt === null && !expired && referenceTaken) {
    const intent: Intent = { ...state.intent, status: "canceled", canceledAt: now };
    const object = showIntent(intent, null, now, checkoutUrl);
    tell({
      type: "payment_intent.canceled",
      transition: "payment_intent.canceled",
      ...about,
      paymentAddress: null,
      object,
      before: paid,
    });
    return { payment, intent, promoted: null, reopened: false, generation, lastOccurredAt: last, pendingEvents };
  }
  const status =
    state.intent.canceledAt !== null ? "canceled" : expired && expiredEventSent ? "expired" : "requires_payment";
  const intent: Intent = { ...state.intent, status };
  const reopened = status === "requires_payment" && !expired;
  return { payment, intent, promoted: null, reopened, generation, lastOccurredAt: last, pendingEvents };
}
