import type { ChainPayment, Commitment } from "../../../chain/port.ts";
import { type Fields, showFields, showText } from "../../../domain/show.ts";
import { mismatches, type Term } from "../../../domain/terms.ts";
import { occurredAfter, type PendingEvent } from "../../events/event.ts";
import { type Intent, showIntent } from "../../intents/intent.ts";
import { type LateReason, type Payment, showPayment } from "../../payments/payment.ts";

/** A payment's account as a node showed it, and what is known of the transaction that made it. */
export interface ObservedPayment {
  readonly payment: ChainPayment;
  /** The slot the account was read at. */
  readonly slot: number;
  readonly finalized: boolean;
  /** The transaction that created it, when known. */
  readonly signature: string | null;
  readonly createdSlot: number | null;
}

/** An account as it was read, by itself: which transaction made it is not known. */
export const draftObserved = (payment: ChainPayment, slot: number, commitment: Commitment): ObservedPayment => ({
  payment,
  slot,
  finalized: commitment === "finalized",
  signature: null,
  createdSlot: null,
});

/** A recorded payment with what only its keepers need. */
export interface KnownPayment extends Payment {
  readonly generation: number;
  readonly observedSlot: number;
  readonly createdSlot: number | null;
  /** The slot at which its latest step was first observed, while that is not final. */
  readonly changedSlot: number | null;
  /** Whether its account said at `finalized` what stands here. */
  readonly finalized: boolean;
  /** Whether a look at `finalized` did not find what stands here: a second one decides. */
  readonly isSuspected: boolean;
}

/** An intent and its payments under the intent's row lock. */
export interface IntentState {
  readonly intent: Intent;
  readonly generation: number;
  readonly mismatchCount: number;
  readonly lastOccurredAt: Date;
  readonly payments: readonly KnownPayment[];
}

/** What a confirmed transaction can come to (§4.5). Of several payments in one, the first of these decides the answer. */
export const OUTCOMES = ["bound", "duplicate", "already_recorded"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What recording a observed payment does: `state` is how it stands afterwards, `pendingEvents` what is told, in order. */
export interface Decision {
  /** `undecided`: the account is not the recorded payment's; once one of the two is final it is known which it is. */
  readonly outcome: Outcome | "mismatch" | "undecided";
  readonly payment: KnownPayment | null;
  readonly mismatch: readonly Term[];
  readonly state: IntentState;
  readonly pendingEvents: readonly PendingEvent[];
}

const MISMATCHES_TOLD_MAX = 3;

/** Why a payment counts as late, decided once when it is recorded: paid, or found, after expiry or cancellation. */
export function lateReason(intent: Intent, primary: Payment | null, paidAt: Date, now: Date): LateReason | null {
  if (intent.canceledAt !== null) return paidAt > intent.canceledAt ? "paid_after_cancel" : "found_after_cancel";
  // A duplicate of an intent paid in time is not late because of expiresAt.
  if (primary !== null && primary.createdAt <= intent.expiresAt) return null;
  if (paidAt > intent.expiresAt) return "paid_after_expiry";
  return now > intent.expiresAt ? "found_after_expiry" : null;
}

/** `.paid_late` warns a merchant who canceled or gave up the order; found late though paid in time is still `.paid`. */
export const isPaidLate = (reason: LateReason | null): boolean => reason !== null && reason !== "found_after_expiry";

/** Records a payment observed on chain against the intent whose paymentId it carries (§3, §4.5). Pure: the caller holds the lock. */
export function decide(state: IntentState, observed: ObservedPayment, now: Date, checkoutUrl: string): Decision {
  const known = state.payments.find((payment) => payment.id === observed.payment.address);
  if (known !== undefined) return observe(state, known, observed, now);

  const mismatch = mismatches(state.intent, observed.payment);
  return mismatch.length > 0
    ? reject(state, observed, mismatch, now, checkoutUrl)
    : bind(state, observed, now, checkoutUrl);
}

function bind(state: IntentState, observed: ObservedPayment, now: Date, checkoutUrl: string): Decision {
  const primary = state.payments.find((payment) => payment.role === "primary") ?? null;
  const made = draftPayment(state, observed, primary, now);
  const events = new EventCollector(state.lastOccurredAt);

  events.add({
    type: "payment.protected",
    payment: made,
    changedAt: made.createdAt,
    object: showPayment(made, now),
    before: null,
  });
  if (primary !== null) {
    events.add({
      type: "payment_intent.duplicate_payment",
      payment: made,
      changedAt: made.createdAt,
      object: showPayment(made, now),
      before: null,
    });
  } else {
    events.add({
      type: isPaidLate(made.lateReason) ? "payment_intent.paid_late" : "payment_intent.paid",
      intent: state,
      payment: made,
      changedAt: made.createdAt,
      object: showIntent({ ...state.intent, status: "paid" }, showFields(showPayment(made, now)), now, checkoutUrl),
      before: showIntent(state.intent, null, now, checkoutUrl),
    });
  }
  const paid: IntentState = primary === null ? { ...state, intent: { ...state.intent, status: "paid" } } : state;
  const latest = walk(made, observed, now, events);
  return {
    outcome: primary === null ? "bound" : "duplicate",
    payment: latest,
    mismatch: [],
    pendingEvents: events.pending,
    state: { ...paid, lastOccurredAt: events.last, payments: [...state.payments, latest] },
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
    generation: 1,
    observedSlot: observed.slot,
    createdSlot: observed.createdSlot,
    changedSlot: null,
    finalized: observed.finalized,
    isSuspected: false,
  };
}

const sameTime = (a: Date | null, b: Date | null): boolean => a?.getTime() === b?.getTime();

/** Whether the account was made at the same time on the same terms. After a fork another payment may have the address. */
const isSame = (known: KnownPayment, payment: ChainPayment): boolean =>
  sameTime(known.createdAt, payment.createdAt) && mismatches(known, payment).length === 0;

/**
 * Whether the account can be what the recorded payment has come to: the same payment, and further on its way or as far.
 * After a fork its steps may be others.
 */
export function continues(known: KnownPayment, { payment }: Pick<ObservedPayment, "payment">): boolean {
  if (!isSame(known, payment)) return false;
  if (known.status === "protected") return true;
  if (!sameTime(known.disputedAt, payment.disputedAt)) return false;
  if (known.status === "disputed") return true;
  return known.status === payment.status && sameTime(known.settledAt ?? known.refundedAt, payment.resolvedAt);
}

/**
 * A payment that is recorded already: what its account has come to since. Answers from an older slot change nothing, nor
 * does an account that is not this payment's: what is final decides which of the two it is.
 */
function observe(state: IntentState, known: KnownPayment, observed: ObservedPayment, now: Date): Decision {
  const events = new EventCollector(state.lastOccurredAt);
  const isOlder = observed.slot < known.observedSlot;
  // An older answer need not have the steps yet that a newer one showed.
  const isIts = isOlder ? isSame(known, observed.payment) : continues(known, observed);
  const current = isIts && !isOlder ? walk({ ...known, observedSlot: observed.slot }, observed, now, events) : known;
  const agrees = isIts && current.status === observed.payment.status;
  const latest: KnownPayment = {
    ...current,
    checkedAt: now,
    ...(agrees ? finalityOf(current, observed) : {}),
    ...(isIts ? creationOf(known, observed) : {}),
    // Even one that was final: what is final now is to be looked at, or the two would contradict each other for ever.
    ...(!isIts && known.finalized && !isOlder ? { finalized: false, changedSlot: observed.slot } : {}),
  };
  return {
    outcome: isIts ? "already_recorded" : "undecided",
    payment: latest,
    mismatch: [],
    pendingEvents: events.pending,
    state: {
      ...state,
      lastOccurredAt: events.last,
      payments: state.payments.map((payment) => (payment.id === latest.id ? latest : payment)),
    },
  };
}

/** The transaction that made the payment; a later one with the same terms and times took its place in a fork. */
const creationOf = (known: KnownPayment, { signature, createdSlot }: ObservedPayment) =>
  createdSlot !== null && createdSlot > (known.createdSlot ?? 0)
    ? { signature, createdSlot }
    : { signature: known.signature ?? signature, createdSlot: known.createdSlot ?? createdSlot };

/** How final a payment is once its account was observed as it stands here. */
function finalityOf(payment: KnownPayment, { slot, finalized }: ObservedPayment) {
  const isFinal = finalized && slot >= (payment.changedSlot ?? 0);
  return {
    finalized: payment.finalized || isFinal,
    changedSlot: isFinal ? null : payment.changedSlot,
    isSuspected: false,
  };
}

/** Every step from the recorded status to the observed one, announced in order, also those a check jumped over. */
export function walk(from: KnownPayment, observed: ObservedPayment, now: Date, events: EventCollector): KnownPayment {
  let current = from;
  const step = (
    type: "payment.disputed" | "payment.released" | "payment.refunded",
    changes: Partial<KnownPayment>,
    changedAt: Date,
  ) => {
    const finality = observed.finalized ? {} : { finalized: false, changedSlot: observed.slot };
    const next = { ...current, ...changes, ...finality, checkedAt: now };
    events.add({ type, payment: next, changedAt, object: showPayment(next, now), before: showPayment(current, now) });
    current = next;
  };
  const { status, disputedAt, resolvedAt } = observed.payment;
  if (disputedAt !== null && current.status === "protected")
    step("payment.disputed", { status: "disputed", disputedAt }, disputedAt);
  if (current.status !== "protected" && current.status !== "disputed") return current;
  if (status === "released" && resolvedAt !== null)
    step("payment.released", { status, settledAt: resolvedAt }, resolvedAt);
  if (status === "refunded" && resolvedAt !== null)
    step("payment.refunded", { status, refundedAt: resolvedAt }, resolvedAt);
  return current;
}

function reject(
  state: IntentState,
  observed: ObservedPayment,
  mismatch: readonly Term[],
  now: Date,
  checkoutUrl: string,
): Decision {
  const events = new EventCollector(state.lastOccurredAt);
  const told = state.mismatchCount < MISMATCHES_TOLD_MAX;
  if (told) {
    const object = showIntent(state.intent, showPrimary(state, now), now, checkoutUrl);
    events.add({
      type: "payment_intent.payment_mismatch",
      intent: state,
      transition: `payment_mismatch ${observed.payment.sender}`,
      changedAt: observed.payment.createdAt,
      object,
      before: null,
      extra: {
        mismatch: JSON.stringify(mismatch),
        observed: showObserved(observed),
      },
    });
  }
  return {
    outcome: "mismatch",
    payment: null,
    mismatch,
    pendingEvents: events.pending,
    state: { ...state, lastOccurredAt: events.last, mismatchCount: state.mismatchCount + (told ? 1 : 0) },
  };
}

function showPrimary(state: IntentState, now: Date): string | null {
  const primary = state.payments.find((payment) => payment.role === "primary");
  return primary === undefined ? null : showFields(showPayment(primary, now));
}

const showObserved = ({ payment, signature }: ObservedPayment): string =>
  `{"payment":"${payment.address}","sender":"${payment.sender}","recipient":"${payment.recipient}","amount":"${payment.amount}","asset":"${payment.asset}","protectionPeriod":"${payment.protectionPeriod}","signature":${showText(signature)}}`;

interface Telling {
  readonly type: PendingEvent["type"];
  readonly changedAt: Date;
  readonly object: Fields;
  readonly before: Fields | null;
  /** The payment told of, or the payment that changed the intent. */
  readonly payment?: KnownPayment;
  /** Given when the event's object is the intent. */
  readonly intent?: IntentState;
  readonly transition?: string;
  readonly extra?: Fields;
}

/** Collects what is told, each a moment after the one before. */
export class EventCollector {
  readonly pending: PendingEvent[] = [];
  last: Date;

  constructor(last: Date) {
    this.last = last;
  }

  add({ type, changedAt, object, before, payment, intent, transition, extra }: Telling): void {
    this.last = occurredAfter(this.last, changedAt);
    const subject =
      intent !== undefined
        ? { objectId: intent.intent.id, generation: intent.generation, intentId: intent.intent.id }
        : { objectId: payment!.id, generation: payment!.generation, intentId: payment!.intentId };
    this.pending.push({
      type,
      ...subject,
      transition: transition ?? type,
      paymentAddress: payment?.id ?? null,
      occurredAt: this.last,
      object,
      before,
      ...(extra === undefined ? {} : { extra }),
    });
  }
}
