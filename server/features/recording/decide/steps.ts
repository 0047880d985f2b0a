import { isPaidOut } from "../../../chain/acts.ts";
import { mismatches } from "../../../domain/terms.ts";
import type { PendingEvent } from "../../events/event.ts";
import { showPayment } from "../../payments/payment.ts";
import type { EventCollector } from "./eventCollector.ts";
import type { AccountState, KnownPayment, ObservedPayment } from "./state.ts";

/** The fields of a payment that its steps change; all others are constant. */
export type Progress = Pick<
  AccountState,
  "status" | "outcome" | "refundTotal" | "amountRefunded" | "amountReleased" | "disputedAt" | "settledAt" | "refundedAt"
>;

const progressOf = (payment: Progress): Progress => ({
  status: payment.status,
  outcome: payment.outcome,
  refundTotal: payment.refundTotal,
  amountRefunded: payment.amountRefunded,
  amountReleased: payment.amountReleased,
  disputedAt: payment.disputedAt,
  settledAt: payment.settledAt,
  refundedAt: payment.refundedAt,
});

export const isSameTime = (a: Date | null, b: Date | null): boolean => a?.getTime() === b?.getTime();

const isSameProgress = (a: Progress, b: Progress): boolean =>
  a.status === b.status &&
  a.outcome === b.outcome &&
  a.refundTotal === b.refundTotal &&
  a.amountRefunded === b.amountRefunded &&
  a.amountReleased === b.amountReleased &&
  isSameTime(a.disputedAt, b.disputedAt) &&
  isSameTime(a.settledAt, b.settledAt) &&
  isSameTime(a.refundedAt, b.refundedAt);

/** True if the account was made at the same time on the same terms. After a fork, another payment may have the address. */
const isSamePayment = (known: KnownPayment, payment: AccountState): boolean =>
  isSameTime(known.createdAt, payment.createdAt) &&
  known.arbiter === payment.arbiter &&
  known.termsHash === payment.termsHash &&
  mismatches(known, payment).length === 0;

/**
 * True if the account can be a later state of the recorded payment: the same payment, at the same step or a later one.
 * After a fork, its steps may differ.
 */
export const continues = (known: KnownPayment, payment: AccountState): boolean =>
  isSamePayment(known, payment) &&
  continuesDispute(known, payment) &&
  continuesDecision(known, payment) &&
  continuesParts(known, payment);

/** A dispute is permanent, and is opened before any decision. */
const continuesDispute = (known: Progress, later: Progress): boolean =>
  known.disputedAt === null
    ? known.outcome === null || later.disputedAt === null
    : isSameTime(known.disputedAt, later.disputedAt);

/** A decision is permanent, except that a recipient may give back an amount that has not left yet. */
function continuesDecision(known: Progress, later: Progress): boolean {
  if (BigInt(later.refundTotal) < BigInt(known.refundTotal)) return false;
  if (known.outcome === null) return true;
  const isSameOutcome = known.outcome === later.outcome;
  if (known.amountReleased !== "0") return isSameOutcome && known.refundTotal === later.refundTotal;
  return isSameOutcome || (later.outcome === "refunded_by_recipient" && !isPaidOut(known));
}

/** A part that left stays away: the recipient's leaves once, the sender's may grow. */
function continuesParts(known: Progress, later: Progress): boolean {
  const keepsReleased =
    known.amountReleased === "0" ||
    (known.amountReleased === later.amountReleased && isSameTime(known.settledAt, later.settledAt));
  if (!keepsReleased) return false;
  if (known.amountRefunded === later.amountRefunded) return isSameTime(known.refundedAt, later.refundedAt);
  return (
    BigInt(known.amountRefunded) < BigInt(later.amountRefunded) &&
    (known.refundedAt?.getTime() ?? 0) <= (later.refundedAt?.getTime() ?? 0)
  );
}

/**
 * A recorded payment after its address was observed again. If `isIts` is false, the account is not this payment's: the
 * payment keeps its state, and finality decides between the two.
 */
export function observeAgain(
  known: KnownPayment,
  observed: ObservedPayment,
  now: Date,
  events: EventCollector,
): { readonly payment: KnownPayment; readonly isIts: boolean } {
  const isOlder = observed.slot < known.observedSlot;
  // An older answer may lack steps that a newer one showed.
  const isIts = isOlder ? isSamePayment(known, observed.payment) : continues(known, observed.payment);
  if (!isIts) {
    // A final payment is checked again too; otherwise it and its account would contradict each other for ever.
    const reopened = known.finalized && !isOlder ? { finalized: false, changedSlot: observed.slot } : {};
    return { payment: { ...known, checkedAt: now, ...reopened }, isIts };
  }
  // The steps of an older answer are recorded already.
  const current = isOlder ? known : applySteps({ ...known, observedSlot: observed.slot }, observed, now, events);
  const agrees = isSameProgress(current, observed.payment);
  const payment = {
    ...current,
    checkedAt: now,
    ...(agrees ? finalityOf(current, observed) : {}),
    ...creationOf(known, observed),
  };
  return { payment: events.keepShown(payment), isIts };
}

/** The transaction that made the payment. After a fork, a later one with the same terms and times may have replaced it. */
const creationOf = (known: KnownPayment, { signature, createdSlot }: ObservedPayment) =>
  createdSlot !== null && createdSlot > (known.createdSlot ?? 0)
    ? { signature, createdSlot }
    : { signature: known.signature ?? signature, createdSlot: known.createdSlot ?? createdSlot };

/** The finality of a payment whose account was observed in the recorded state. */
function finalityOf(payment: KnownPayment, { slot, finalized }: ObservedPayment) {
  const isFinal = finalized && slot >= (payment.changedSlot ?? 0);
  return {
    finalized: payment.finalized || isFinal,
    changedSlot: isFinal ? null : payment.changedSlot,
    isSuspected: false,
  };
}

/**
 * Applies every step from the recorded state to the observed one, each with its event, in order; a check may have
 * missed several. `boundBefore` is the amount bound to the sender at an earlier check.
 */
export function applySteps(
  from: KnownPayment,
  observed: ObservedPayment,
  now: Date,
  events: EventCollector,
  boundBefore: string = from.refundTotal,
): KnownPayment {
  const to = progressOf(observed.payment);
  if (isSameProgress(from, to)) return from;
  const finality = observed.finalized ? {} : { finalized: false, changedSlot: observed.slot };
  // No event announces that a refund is bound, so every event of this check shows it.
  let current: KnownPayment = { ...from, refundTotal: to.refundTotal, ...finality, checkedAt: now };
  for (const { type, transition, changes, changedAt } of findSteps({ ...from, refundTotal: boundBefore }, to, now)) {
    current = { ...current, ...changes };
    const object = showPayment(current, now, events.checkoutUrl);
    events.add({ type, transition, payment: current, changedAt, object });
  }
  // A part that left while another has yet to leave has no event: its decision announced it.
  return { ...current, ...to };
}

interface Step {
  readonly type: PendingEvent["type"];
  readonly transition: string;
  readonly changes: Partial<Progress>;
  readonly changedAt: Date;
}

/** The steps between two states of a payment, oldest first. The chain stores the time of each step except a decision. */
function findSteps(from: Progress, to: Progress, now: Date): Step[] {
  const [dispute, refund] = [findDispute(from, to), findPartialRefund(from, to)];
  const refundCameFirst = dispute !== null && refund !== null && refund.changedAt < dispute.changedAt;
  // A payout sends all that is bound. If more is bound now, or everything bound was sent before, a decision did not
  // send it. A ruling that bound more did; any other decision comes after the refunds.
  const wasSentByRuling =
    to.outcome === "resolved" &&
    to.amountRefunded === to.refundTotal &&
    BigInt(to.refundTotal) > BigInt(from.refundTotal);
  const decisionCameFirst = wasSentByRuling && !refundCameFirst;
  // A decision came before the sender's part left; date it no later.
  const decision = findDecision(from, to, decisionCameFirst && refund !== null ? refund.changedAt : now);
  const order = [
    ...(refundCameFirst ? [refund, dispute] : [dispute]),
    ...(decisionCameFirst ? [decision, refund] : refundCameFirst ? [decision] : [refund, decision]),
    findPayout(from, to),
  ];
  return order.filter((step) => step !== null);
}

function findDispute(from: Progress, { disputedAt }: Progress): Step | null {
  if (disputedAt === null || from.disputedAt !== null) return null;
  const type = "payment.disputed";
  return { type, transition: type, changes: { status: "disputed", disputedAt }, changedAt: disputedAt };
}

/** §6.5.6: a part went back, and some amount remained. Several parts between two checks are one step. */
function findPartialRefund(from: Progress, to: Progress): Step | null {
  const { amountRefunded, refundedAt, settledAt } = to;
  if (refundedAt === null || amountRefunded === from.amountRefunded) return null;
  const leftLast = settledAt === null || refundedAt >= settledAt;
  if (isPaidOut(to) && leftLast) return null;
  const type = "payment.partially_refunded";
  const changes = { amountRefunded, refundedAt };
  return { type, transition: `${type} ${amountRefunded}`, changes, changedAt: refundedAt };
}

/** §6.5.6: an outcome is bound, and a part has yet to leave. Its time is not after the recipient's part left. */
function findDecision(from: Progress, to: Progress, latest: Date): Step | null {
  const { outcome, amountReleased, settledAt } = to;
  if (outcome === null || outcome === from.outcome || isPaidOut(to)) return null;
  const type = "payment.decided";
  const changes = { outcome, amountReleased, settledAt };
  return {
    type,
    transition: `${type} ${outcome}`,
    changes,
    changedAt: settledAt !== null && settledAt < latest ? settledAt : latest,
  };
}

/** §6.5.5: the last part has left. */
function findPayout(from: Progress, to: Progress): Step | null {
  const { status, settledAt, refundedAt } = to;
  if (isPaidOut(from) || (status !== "released" && status !== "refunded")) return null;
  const type = `payment.${status}` as const;
  const changedAt = new Date(Math.max(settledAt?.getTime() ?? 0, refundedAt?.getTime() ?? 0));
  return { type, transition: type, changes: to, changedAt };
}
