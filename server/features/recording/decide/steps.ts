import { mismatches } from "../../../domain/terms.ts";
import type { PendingEvent } from "../../events/event.ts";
import { isPaidOut, showPayment } from "../../payments/payment.ts";
import type { EventCollector } from "./eventCollector.ts";
import type { AccountState, KnownPayment, ObservedPayment } from "./state.ts";

/** How far a payment is on its way; the rest of it never changes. */
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

/** Whether the account was made at the same time on the same terms. After a fork another payment may have the address. */
const isSamePayment = (known: KnownPayment, payment: AccountState): boolean =>
  isSameTime(known.createdAt, payment.createdAt) &&
  known.arbiter === payment.arbiter &&
  known.termsHash === payment.termsHash &&
  mismatches(known, payment).length === 0;

/**
 * Whether the account can be a later state of the recorded payment: the same payment, as far on its way or further. After a
 * fork its steps may be others.
 */
export const continues = (known: KnownPayment, payment: AccountState): boolean =>
  isSamePayment(known, payment) &&
  continuesDispute(known, payment) &&
  continuesDecision(known, payment) &&
  continuesParts(known, payment);

/** A dispute stays for ever, and is opened before any decision. */
const continuesDispute = (known: Progress, later: Progress): boolean =>
  known.disputedAt === null
    ? known.outcome === null || later.disputedAt === null
    : isSameTime(known.disputedAt, later.disputedAt);

/** A decision is for good, but for a recipient who gives back what has not left to them yet. */
function continuesDecision(known: Progress, later: Progress): boolean {
  if (BigInt(later.refundTotal) < BigInt(known.refundTotal)) return false;
  if (known.outcome === null) return true;
  const isSameOutcome = known.outcome === later.outcome;
  if (known.amountReleased !== "0") return isSameOutcome && known.refundTotal === later.refundTotal;
  return isSameOutcome || (later.outcome === "refunded_by_recipient" && !isPaidOut(known));
}

/** What has left stays away: the recipient's part leaves once, the sender's may grow. */
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
 * A recorded payment after its address was observed again. Where `isIts` is false, the account is not this payment's; the
 * payment keeps its state, and finality has to decide between the two.
 */
export function observeAgain(
  known: KnownPayment,
  observed: ObservedPayment,
  now: Date,
  events: EventCollector,
): { readonly payment: KnownPayment; readonly isIts: boolean } {
  const isOlder = observed.slot < known.observedSlot;
  // An older answer need not have the steps yet that a newer one showed.
  const isIts = isOlder ? isSamePayment(known, observed.payment) : continues(known, observed.payment);
  if (!isIts) {
    // A final payment is looked at again too; otherwise it and its account would contradict each other for ever.
    const reopened = known.finalized && !isOlder ? { finalized: false, changedSlot: observed.slot } : {};
    return { payment: { ...known, checkedAt: now, ...reopened }, isIts };
  }
  // The steps of an older answer are older than those recorded.
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

/** The transaction that made the payment; a later one with the same terms and times took its place in a fork. */
const creationOf = (known: KnownPayment, { signature, createdSlot }: ObservedPayment) =>
  createdSlot !== null && createdSlot > (known.createdSlot ?? 0)
    ? { signature, createdSlot }
    : { signature: known.signature ?? signature, createdSlot: known.createdSlot ?? createdSlot };

/** How final a payment is once its account was observed in the state recorded here. */
function finalityOf(payment: KnownPayment, { slot, finalized }: ObservedPayment) {
  const isFinal = finalized && slot >= (payment.changedSlot ?? 0);
  return {
    finalized: payment.finalized || isFinal,
    changedSlot: isFinal ? null : payment.changedSlot,
    isSuspected: false,
  };
}

/**
 * Every step from the recorded state to the observed one, each with its event in order, also those a check jumped over.
 * `boundBefore` is what an earlier look saw bound to the sender.
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
  // No event says by itself that a refund is bound, so every event of this check shows it.
  let current: KnownPayment = { ...from, refundTotal: to.refundTotal, ...finality, checkedAt: now };
  for (const { type, transition, changes, changedAt } of findSteps({ ...from, refundTotal: boundBefore }, to, now)) {
    current = { ...current, ...changes };
    events.add({ type, transition, payment: current, changedAt, object: showPayment(current, now) });
  }
  // The rest has no event: a part that left while another has yet to leave was announced with its decision.
  return { ...current, ...to };
}

interface Step {
  readonly type: PendingEvent["type"];
  readonly transition: string;
  readonly changes: Partial<Progress>;
  readonly changedAt: Date;
}

/** The steps between two states of a payment, oldest first. The chain keeps a time of each, but for a decision. */
function findSteps(from: Progress, to: Progress, now: Date): Step[] {
  const [dispute, refund] = [findDispute(from, to), findPartialRefund(from, to)];
  const refundCameFirst = dispute !== null && refund !== null && refund.changedAt < dispute.changedAt;
  // A payout sends all that is bound: where more is bound now, or all of it was before, a decision did not send it. A
  // ruling that bound more did; every other decision comes after the refunds it leaves standing.
  const wasSentByRuling =
    to.outcome === "resolved" &&
    to.amountRefunded === to.refundTotal &&
    BigInt(to.refundTotal) > BigInt(from.refundTotal);
  const decisionCameFirst = wasSentByRuling && !refundCameFirst;
  // Where the sender's part left after it, a decision is no younger than that.
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

/** §6.5.6: a part went back, and at that time something remained; several parts between two checks are one step. */
function findPartialRefund(from: Progress, to: Progress): Step | null {
  const { amountRefunded, refundedAt, settledAt } = to;
  if (refundedAt === null || amountRefunded === from.amountRefunded) return null;
  const leftLast = settledAt === null || refundedAt >= settledAt;
  if (isPaidOut(to) && leftLast) return null;
  const type = "payment.partially_refunded";
  const changes = { amountRefunded, refundedAt };
  return { type, transition: `${type} ${amountRefunded}`, changes, changedAt: refundedAt };
}

/** §6.5.6: an outcome is bound, and a part has yet to leave. Its time is no later than when the recipient's part left. */
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
