import { draftDisputeEvent } from "../../disputes/dispute.ts";
import type { DisputeChange } from "../../disputes/fragments.ts";
import type { PendingEvent } from "../../events/event.ts";
import { type Intent, showIntent } from "../../intents/intent.ts";
import { showPayment, showPaymentText } from "../../payments/payment.ts";
import { isPaidLate } from "../decide/decision.ts";
import { EventCollector } from "../decide/eventCollector.ts";
import { mustAdvance } from "../decide/followDispute.ts";
import type { IntentState, KnownPayment } from "../decide/state.ts";

/** The effect of reverting a payment on its intent (§3.3.2). */
export interface Reversal {
  readonly payment: KnownPayment;
  readonly intent: Intent;
  /** The duplicate that becomes the primary, or null. */
  readonly promoted: KnownPayment | null;
  /** True if the intent holds its merchantReference again. */
  readonly reopened: boolean;
  readonly generation: number;
  readonly lastOccurredAt: Date;
  /** See `showAnnouncedIntent`. */
  readonly announced: string | null;
  readonly pendingEvents: readonly PendingEvent[];
}

export interface ReversalContext {
  /** True if another open intent of the business holds the merchantReference now. */
  readonly referenceTaken: boolean;
  /** True if an earlier generation of the intent has its `.expired` event, which is never repeated. */
  readonly expiredEventSent: boolean;
}

/**
 * Reverts a payment that the strict rule found gone, whether it had been final or not: the oldest duplicate becomes the primary, or else the intent is unpaid
 * again. Pure.
 */
export function decideReversal(
  state: IntentState,
  payment: KnownPayment,
  context: ReversalContext,
  now: Date,
  checkoutUrl: string,
): Reversal {
  const events = new EventCollector(state, checkoutUrl);
  events.add({
    type: "payment.reverted",
    payment,
    changedAt: now,
    object: showPayment(payment, now, checkoutUrl),
  });
  const outcome =
    payment.role === "duplicate"
      ? { intent: state.intent, promoted: null, reopened: false, generation: state.generation }
      : revertPrimary(state, payment, context, now, checkoutUrl, events);
  const { promoted, intent } = outcome;
  const others = state.payments.filter(({ id }) => id !== payment.id && id !== promoted?.id);
  return {
    payment,
    ...outcome,
    promoted: promoted && events.keepShown(promoted),
    announced: events.announcedOfIntent({ intent, payments: promoted === null ? others : [promoted, ...others] }),
    lastOccurredAt: events.lastOccurredAt,
    pendingEvents: events.pending,
  };
}

/** The dispute of a reverted payment waits until it lands again (§4.18.7); its event is the last. */
export function pauseDispute(
  state: IntentState,
  reversal: Reversal,
  now: Date,
): { readonly reversal: Reversal; readonly disputes: readonly DisputeChange[] } {
  const before = state.disputes.get(reversal.payment.id);
  const after = before && mustAdvance(before, { kind: "reverted" }, now);
  if (before === undefined || after === undefined || after === before) return { reversal, disputes: [] };
  const event = draftDisputeEvent(before, after, reversal.lastOccurredAt, now);
  const pendingEvents = [...reversal.pendingEvents, event];
  return { reversal: { ...reversal, pendingEvents, lastOccurredAt: event.occurredAt }, disputes: [{ before, after }] };
}

function revertPrimary(
  state: IntentState,
  payment: KnownPayment,
  { referenceTaken, expiredEventSent }: ReversalContext,
  now: Date,
  checkoutUrl: string,
  events: EventCollector,
): Pick<Reversal, "intent" | "promoted" | "reopened" | "generation"> {
  const generation = state.generation + 1;
  const show = (intent: Intent, primary: KnownPayment | null) =>
    showIntent(intent, primary === null ? null : showPaymentText(primary, now, checkoutUrl), now, checkoutUrl);
  const changed = { intent: { ...state, generation }, changedAt: now };

  const oldest = state.payments.find((other) => other.role === "duplicate" && other.id !== payment.id);
  if (oldest !== undefined) {
    const promoted: KnownPayment = { ...oldest, role: "primary" };
    events.add({
      type: isPaidLate(promoted.lateReason) ? "payment_intent.paid_late" : "payment_intent.paid",
      ...changed,
      payment: promoted,
      object: show(state.intent, promoted),
    });
    return { intent: state.intent, promoted, reopened: false, generation };
  }

  const isExpired = now > state.intent.expiresAt;
  const wasCanceled = state.intent.canceledAt !== null;
  if (referenceTaken && !wasCanceled && !isExpired) {
    const intent: Intent = { ...state.intent, status: "canceled", canceledAt: now };
    events.add({ type: "payment_intent.canceled", ...changed, object: show(intent, null) });
    return { intent, promoted: null, reopened: false, generation };
  }
  const status = wasCanceled ? "canceled" : isExpired && expiredEventSent ? "expired" : "requires_payment";
  const reopened = status === "requires_payment" && !isExpired;
  return { intent: { ...state.intent, status }, promoted: null, reopened, generation };
}
