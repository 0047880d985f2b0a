import type { PendingEvent } from "../../events/event.ts";
import { showPayment } from "../../payments/payment.ts";
import { EventCollector } from "../decide/eventCollector.ts";
import { type IntentState, type KnownPayment, type ObservedPayment, withPayment } from "../decide/state.ts";
import { applySteps } from "../decide/steps.ts";

/** A payment as its account has it, after a fork took back steps or times that had been recorded. */
export interface Correction {
  readonly payment: KnownPayment;
  readonly state: IntentState;
  readonly pendingEvents: readonly PendingEvent[];
}

/**
 * Puts a payment into the state its account has at `finalized`: a new generation begins as protected, with an event, and
 * goes on from there. Its terms are the same; only steps and times were another fork's. Pure.
 */
export function decideCorrection(
  state: IntentState,
  known: KnownPayment,
  observed: ObservedPayment,
  now: Date,
): Correction {
  const { createdAt, protectionDeadline, refundTotal, arbiter, termsHash } = observed.payment;
  const isSameCreation = known.createdAt.getTime() === createdAt.getTime();
  const events = new EventCollector(state.lastOccurredAt);
  const renewed: KnownPayment = {
    ...known,
    status: "protected",
    createdAt,
    protectionDeadline,
    disputedAt: null,
    settledAt: null,
    refundedAt: null,
    amountReleased: "0",
    amountRefunded: "0",
    refundTotal,
    outcome: null,
    arbiter,
    termsHash,
    checkedAt: now,
    // The transaction recorded made the account on another fork, unless the times are the same.
    signature: isSameCreation ? known.signature : observed.signature,
    createdSlot: isSameCreation ? known.createdSlot : observed.createdSlot,
    generation: known.generation + 1,
    observedSlot: observed.slot,
    changedSlot: null,
    finalized: true,
    isSuspected: false,
  };
  events.add({
    type: "payment.protected",
    payment: renewed,
    changedAt: now,
    object: showPayment(renewed, now),
    before: showPayment(known, now),
  });
  const payment = applySteps(renewed, observed, now, events);
  return {
    payment,
    pendingEvents: events.pending,
    state: { ...withPayment(state, payment), lastOccurredAt: events.lastOccurredAt },
  };
}
