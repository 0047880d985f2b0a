import type { Happening } from "../../events/event.ts";
import { showPayment } from "../../payments/payment.ts";
import { type KnownPayment, type SeenPayment, type Story, Teller, walk } from "../decide/decision.ts";

/** A payment as its account has it, after a fork took back what was told of it. */
export interface Correction {
  readonly payment: KnownPayment;
  readonly story: Story;
  readonly happenings: readonly Happening[];
}

/**
 * Puts a payment back to what its account says at `finalized`: it begins a new life as protected, told as such, and goes
 * on from there. Its terms are the same; only steps and times were another fork's. Pure.
 */
export function decideCorrection(story: Story, known: KnownPayment, seen: SeenPayment, now: Date): Correction {
  const { createdAt, protectionDeadline } = seen.payment;
  const isSameBirth = known.createdAt.getTime() === createdAt.getTime();
  const tell = new Teller(story.lastOccurredAt);
  const renewed: KnownPayment = {
    ...known,
    status: "protected",
    createdAt,
    protectionDeadline,
    disputedAt: null,
    settledAt: null,
    refundedAt: null,
    checkedAt: now,
    // Of another birth no transaction is known that is still on the chain.
    signature: isSameBirth ? known.signature : seen.signature,
    createdSlot: isSameBirth ? known.createdSlot : seen.createdSlot,
    generation: known.generation + 1,
    seenSlot: seen.slot,
    changedSlot: null,
    finalized: true,
    isDoubted: false,
  };
  tell.add({
    type: "payment.protected",
    payment: renewed,
    changedAt: now,
    object: showPayment(renewed, now),
    before: showPayment(known, now),
  });
  const payment = walk(renewed, seen, now, tell);
  const payments = story.payments.map((one) => (one.id === payment.id ? payment : one));
  return { payment, happenings: tell.told, story: { ...story, lastOccurredAt: tell.last, payments } };
}
