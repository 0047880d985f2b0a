import type { PendingEvent } from "../../events/event.ts";
import { announcedOf, showAnnounced, showPayment } from "../../payments/payment.ts";
import { afterPayment } from "../decide/decision.ts";
import { EventCollector } from "../decide/eventCollector.ts";
import { type IntentState, type KnownPayment, knowsTerms, type ObservedPayment } from "../decide/state.ts";
import { applySteps, isSameTime, type Progress } from "../decide/steps.ts";

/** The effect of correcting a payment, after a fork undid steps or times that had been recorded. */
export interface Correction {
  readonly payment: KnownPayment;
  readonly state: IntentState;
  readonly pendingEvents: readonly PendingEvent[];
}

/**
 * Puts a payment into the state of its account at `finalized`: a new generation begins with the last state that still
 * holds, in one event of that state's type, and continues from there (§3.3.6). If no event showed the undone part,
 * there is no such event. The terms stay; only steps and times were another fork's. Pure.
 */
export function decideCorrection(
  state: IntentState,
  known: KnownPayment,
  observed: ObservedPayment,
  now: Date,
  checkoutUrl: string,
): Correction {
  const { createdAt, protectionDeadline, refundTotal, arbiter, termsHash } = observed.payment;
  const isSameCreation = isSameTime(known.createdAt, createdAt);
  const events = new EventCollector(state, checkoutUrl);
  const correctTo = (from: KnownPayment): Correction => {
    const payment = events.keepShown(applySteps(from, observed, now, events, from.amountRefunded));
    return { payment, pendingEvents: events.pending, state: afterPayment(state, payment, events) };
  };
  const corrected: KnownPayment = {
    ...known,
    ...(isSameCreation ? lastThatHolds(known, observed.payment) : NOTHING_DONE),
    createdAt,
    protectionDeadline,
    refundTotal,
    arbiter,
    termsHash,
    termsKnown: knowsTerms(state, observed.payment),
    checkedAt: now,
    // The recorded transaction made the account on another fork, unless the times are equal.
    signature: isSameCreation ? known.signature : observed.signature,
    createdSlot: isSameCreation ? known.createdSlot : observed.createdSlot,
    observedSlot: observed.slot,
    changedSlot: null,
    finalized: true,
    isSuspected: false,
  };
  // A change that no event has shown is undone without one, such as a bound refund that had not left.
  const shown = showAnnounced(known, known.announced, checkoutUrl);
  const isShown = announcedOf(corrected, { ...shown, settleable: "false" }, checkoutUrl) !== null;
  if (!isShown) return correctTo(corrected);
  const renewed = { ...corrected, generation: known.generation + 1 };
  events.add({
    type: renewed.status === "disputed" ? "payment.disputed" : "payment.protected",
    payment: renewed,
    changedAt: now,
    object: showPayment(renewed, now, checkoutUrl),
  });
  return correctTo(renewed);
}

type Held = Omit<Progress, "refundTotal">;

const NOTHING_DONE: Held = {
  status: "protected",
  outcome: null,
  amountRefunded: "0",
  amountReleased: "0",
  disputedAt: null,
  settledAt: null,
  refundedAt: null,
};

/** The recorded steps that the final account has too: dispute, decision, and the parts that left. */
function lastThatHolds(known: KnownPayment, final: Progress): Held {
  const isSameDispute = isSameTime(known.disputedAt, final.disputedAt);
  const isDisputed = isSameDispute && final.disputedAt !== null;
  const dispute: Held = isDisputed
    ? { ...NOTHING_DONE, status: "disputed", disputedAt: final.disputedAt }
    : NOTHING_DONE;
  const refunded = { ...dispute, ...refundsThatHold(known, final) };
  if (!isSameDispute || known.outcome !== final.outcome) return refunded;
  const decided = { ...refunded, outcome: final.outcome };
  if (known.amountReleased !== final.amountReleased || !isSameTime(known.settledAt, final.settledAt)) return decided;
  // The end has its own event.
  const isOver = BigInt(decided.amountRefunded) + BigInt(final.amountReleased) === BigInt(known.amount);
  return isOver ? dispute : { ...decided, amountReleased: final.amountReleased, settledAt: final.settledAt };
}

/** The recorded refunds, if the account can have them too; if it has less, the account's. */
function refundsThatHold(known: Progress, final: Progress): Pick<Held, "amountRefunded" | "refundedAt"> {
  const less = BigInt(final.amountRefunded) < BigInt(known.amountRefunded);
  if (less) return { amountRefunded: final.amountRefunded, refundedAt: final.refundedAt };
  const isSame = known.amountRefunded === final.amountRefunded && isSameTime(known.refundedAt, final.refundedAt);
  const isEarlier =
    known.amountRefunded !== final.amountRefunded && Number(known.refundedAt) <= Number(final.refundedAt);
  const { amountRefunded, refundedAt } = isSame || isEarlier ? known : NOTHING_DONE;
  return { amountRefunded, refundedAt };
}
