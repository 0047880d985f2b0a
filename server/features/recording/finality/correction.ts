import type { PendingEvent } from "../../events/event.ts";
import { showPayment } from "../../payments/payment.ts";
import { EventCollector, type IntentState, type KnownPayment, type ObservedPayment, walk } from "../decide/decision.ts";

/** A payment as its account has it, after a fork took back what was told of it. */
export interface Correction {
  readonly payment: KnownPayment;
  readonly state: IntentState;
  readonly pendingEvents: readonly PendingEvent[];
}

/**
 * Puts a payment back to what its account says at `finalized`: it begins a new life as protected, told as such, and goes
 * on from there. Its terms are the same; only steps and times were another fork's. Pure.
 */
export function decideCorrection(
  state: IntentState,
  known: KnownPayment,
  observed: ObservedPayment,
  now: Date,
): Correction {
  const { createdAt, protectionDeadline } = observed.payment;
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
    checkedAt: now,
    // Of another creation no transaction is known that is still on the chain.
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
  const payment = walk(renewed, observed, now, events);
  const payments = state.payments.map((one) => (one.id === payment.id ? payment : one));
  return { payment, pendingEvents: events.pending, state: { ...state, lastOccurredAt: events.last, payments } };
}
