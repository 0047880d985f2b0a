import { showText } from "../../../domain/show.ts";
import { mismatches, type Term } from "../../../domain/terms.ts";
import type { PendingEvent } from "../../events/event.ts";
import { type Intent, showIntent } from "../../intents/intent.ts";
import { type LateReason, type Payment, showPayment, showPaymentText } from "../../payments/payment.ts";
import { EventCollector } from "./eventCollector.ts";
import {
  type IntentState,
  type KnownPayment,
  knowsTerms,
  type ObservedPayment,
  primaryOf,
  sponsorOf,
  withPayment,
} from "./state.ts";
import { applySteps, observeAgain } from "./steps.ts";

/** The outcomes of a confirmed transaction (§4.5). If it made several payments, the first outcome of this list is the answer. */
export const OUTCOMES = ["bound", "duplicate", "already_recorded"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The effect of recording an observed payment: `state` is the state afterwards, `pendingEvents` its events in order. */
interface Effect {
  readonly state: IntentState;
  readonly pendingEvents: readonly PendingEvent[];
}

/** The payment is bound to the intent. */
interface Binding extends Effect {
  readonly outcome: "bound" | "duplicate";
  readonly payment: KnownPayment;
  readonly mismatch: readonly [];
}

/**
 * The payment is recorded already. `undecided`: the account is not the recorded payment's; once one of the two is
 * final, it is known which one stays.
 */
interface Observation extends Effect {
  readonly outcome: "already_recorded" | "undecided";
  readonly payment: KnownPayment;
  readonly mismatch: readonly [];
}

/** The payment does not match the intent's terms, and is not bound. */
interface Rejection extends Effect {
  readonly outcome: "mismatch";
  readonly payment: null;
  readonly mismatch: readonly Term[];
}

export type Decision = Binding | Observation | Rejection;

const MISMATCH_EVENTS_MAX = 3;

/**
 * The reason why a payment counts as late (§3.1.8), decided once, when it is recorded: it was paid, or found, after
 * expiry or cancellation.
 */
export function lateReason(intent: Intent, primary: Payment | null, paidAt: Date, now: Date): LateReason | null {
  if (intent.canceledAt !== null) return paidAt > intent.canceledAt ? "paid_after_cancel" : "found_after_cancel";
  // A duplicate of an intent paid in time is not late because of expiresAt.
  if (primary !== null && primary.createdAt <= intent.expiresAt) return null;
  if (paidAt > intent.expiresAt) return "paid_after_expiry";
  return now > intent.expiresAt ? "found_after_expiry" : null;
}

/**
 * `.paid_late` warns a merchant who canceled or gave up the order. A payment that was made in time and found late is
 * still `.paid`.
 */
export const isPaidLate = (reason: LateReason | null): boolean => reason !== null && reason !== "found_after_expiry";

/** Records an observed payment against the intent whose paymentId it carries (§3, §4.5). Pure: the caller holds the lock. */
export function decide(state: IntentState, observed: ObservedPayment, now: Date, checkoutUrl: string): Decision {
  const known = state.payments.find((payment) => payment.id === observed.payment.address);
  if (known !== undefined) return observe(state, known, observed, now, checkoutUrl);

  const mismatch = mismatches(state.intent, observed.payment);
  return mismatch.length > 0
    ? reject(state, observed, mismatch, now, checkoutUrl)
    : bind(state, observed, now, checkoutUrl);
}

function bind(state: IntentState, observed: ObservedPayment, now: Date, checkoutUrl: string): Binding {
  const primary = primaryOf(state);
  const made = draftPayment(state, observed, primary, now);
  const events = new EventCollector(state, checkoutUrl);
  const bound = { payment: made, changedAt: made.createdAt, object: showPayment(made, now, checkoutUrl) };

  events.add({ type: "payment.protected", ...bound });
  if (primary !== null) events.add({ type: "payment_intent.duplicate_payment", ...bound });
  else {
    events.add({
      type: isPaidLate(made.lateReason) ? "payment_intent.paid_late" : "payment_intent.paid",
      intent: state,
      payment: made,
      changedAt: made.createdAt,
      object: showIntent(
        { ...state.intent, status: "paid" },
        showPaymentText(made, now, checkoutUrl),
        now,
        checkoutUrl,
      ),
    });
  }
  const payment = events.keepShown(applySteps(made, observed, now, events, "0"));
  const after = {
    ...state,
    intent: primary === null ? { ...state.intent, status: "paid" as const } : state.intent,
    lastOccurredAt: events.lastOccurredAt,
    payments: [...state.payments, payment],
  };
  return {
    outcome: primary === null ? "bound" : "duplicate",
    payment,
    mismatch: [],
    pendingEvents: events.pending,
    state: { ...after, announced: events.announcedOfIntent(after) },
  };
}

function draftPayment(state: IntentState, observed: ObservedPayment, primary: Payment | null, now: Date): KnownPayment {
  const { intent } = state;
  const { payment } = observed;
  return {
    businessId: intent.businessId,
    environment: intent.environment,
    id: payment.address,
    intentId: intent.id,
    role: primary === null ? "primary" : "duplicate",
    status: "protected",
    sender: payment.sender,
    recipient: payment.recipient,
    amount: payment.amount,
    asset: payment.asset,
    protectionPeriod: payment.protectionPeriod,
    merchantReference: intent.merchantReference,
    lateReason: lateReason(intent, primary, payment.createdAt, now),
    signature: observed.signature,
    createdAt: payment.createdAt,
    protectionDeadline: payment.protectionDeadline,
    disputedAt: null,
    settledAt: null,
    refundedAt: null,
    checkedAt: now,
    amountReleased: "0",
    amountRefunded: "0",
    // The refund is bound and may leave at any time; no event announces that.
    refundTotal: payment.refundTotal,
    outcome: null,
    arbiter: payment.arbiter,
    termsHash: payment.termsHash,
    termsKnown: knowsTerms(state, payment),
    overLimit: state.withoutSeat.has(payment.address),
    receiptKey: state.receiptKeyOf(payment.address),
    generation: (state.revertedGenerations.get(payment.address) ?? 0) + 1,
    observedSlot: observed.slot,
    createdSlot: observed.createdSlot,
    changedSlot: null,
    finalized: observed.finalized,
    rentPayer: sponsorOf(payment),
    isSuspected: false,
    announced: null,
  };
}

/**
 * Applies the steps that the account of a recorded payment has taken since. Answers from an older slot change nothing,
 * nor does an account of another payment: finality decides which of the two it is.
 */
function observe(
  state: IntentState,
  known: KnownPayment,
  observed: ObservedPayment,
  now: Date,
  checkoutUrl: string,
): Observation {
  const events = new EventCollector(state, checkoutUrl);
  const { payment, isIts } = observeAgain(known, observed, now, events);
  return {
    outcome: isIts ? "already_recorded" : "undecided",
    payment,
    mismatch: [],
    pendingEvents: events.pending,
    state: afterPayment(state, payment, events),
  };
}

/** The state once events have announced that one of its payments changed. */
export function afterPayment(state: IntentState, payment: KnownPayment, events: EventCollector): IntentState {
  const after = { ...withPayment(state, payment), lastOccurredAt: events.lastOccurredAt };
  return { ...after, announced: events.announcedOfIntent(after) };
}

/** §6.5.2: one event per sender, up to a maximum per intent; further mismatches change nothing. */
function reject(
  state: IntentState,
  observed: ObservedPayment,
  mismatch: readonly Term[],
  now: Date,
  checkoutUrl: string,
): Rejection {
  const { sender, createdAt } = observed.payment;
  const rejected = { outcome: "mismatch", payment: null, mismatch } as const;
  if (state.mismatchCount >= MISMATCH_EVENTS_MAX || state.mismatchSenders.has(sender))
    return { ...rejected, pendingEvents: [], state };
  const events = new EventCollector(state, checkoutUrl);
  events.add({
    type: "payment_intent.payment_mismatch",
    intent: state,
    transition: mismatchTransition(sender),
    changedAt: createdAt,
    object: showIntent(state.intent, showPrimary(state, now, checkoutUrl), now, checkoutUrl),
    extra: { mismatch: JSON.stringify(mismatch), observed: showObserved(observed) },
  });
  return {
    ...rejected,
    pendingEvents: events.pending,
    state: {
      ...state,
      lastOccurredAt: events.lastOccurredAt,
      announced: events.announcedOfIntent(state),
      mismatchCount: state.mismatchCount + 1,
      mismatchSenders: new Set([...state.mismatchSenders, sender]),
    },
  };
}

/** Names a sender's mismatch within an intent. */
export const mismatchTransition = (sender: string): string => `payment_mismatch ${sender}`;

function showPrimary(state: IntentState, now: Date, checkoutUrl: string): string | null {
  const primary = primaryOf(state);
  return primary === null ? null : showPaymentText(primary, now, checkoutUrl);
}

const showObserved = ({ payment, signature }: ObservedPayment): string =>
  `{"payment":"${payment.address}","sender":"${payment.sender}","recipient":"${payment.recipient}","amount":"${payment.amount}","asset":"${payment.asset}","protectionPeriod":"${payment.protectionPeriod}","signature":${showText(signature)}}`;
