import type { ChainPayment } from "../../../chain/port.ts";
import { mismatches } from "../../../domain/terms.ts";
import { showPayment } from "../../payments/payment.ts";
import type { EventCollector } from "./eventCollector.ts";
import type { KnownPayment, ObservedPayment } from "./state.ts";

const isSameTime = (a: Date | null, b: Date | null): boolean => a?.getTime() === b?.getTime();

/** Whether the account was made at the same time on the same terms. After a fork another payment may have the address. */
const isSamePayment = (known: KnownPayment, payment: ChainPayment): boolean =>
  isSameTime(known.createdAt, payment.createdAt) && mismatches(known, payment).length === 0;

/**
 * Whether the account can be a later state of the recorded payment: the same payment, as far on its way or further. After a
 * fork its steps may be others.
 */
export function continues(known: KnownPayment, payment: ChainPayment): boolean {
  if (!isSamePayment(known, payment)) return false;
  if (known.status === "protected") return true;
  if (!isSameTime(known.disputedAt, payment.disputedAt)) return false;
  if (known.status === "disputed") return true;
  return known.status === payment.status && isSameTime(known.settledAt ?? known.refundedAt, payment.resolvedAt);
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
  const agrees = current.status === observed.payment.status;
  const payment = {
    ...current,
    checkedAt: now,
    ...(agrees ? finalityOf(current, observed) : {}),
    ...creationOf(known, observed),
  };
  return { payment, isIts };
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

/** Every step from the recorded status to the observed one, each with its event in order, also those a check jumped over. */
export function applySteps(
  from: KnownPayment,
  observed: ObservedPayment,
  now: Date,
  events: EventCollector,
): KnownPayment {
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
