import fc from "fast-check";
import { DISPUTE_LAPSE_MS } from "../../../chain/acts.ts";
import type { ChainPayment } from "../../../chain/port.ts";
import { atHour } from "../../intents/fixtures.ts";
import { anObservedPayment } from "../fixtures.ts";

export type Action =
  | { readonly kind: "dispute" | "release" | "pay_sender" | "pay_recipient" | "wait" }
  | { readonly kind: "refund" | "resolve"; readonly total: number };

const total = fc.integer({ min: 0, max: 1000 });
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constantFrom("dispute", "release", "pay_sender", "pay_recipient", "wait") }),
  fc.record({ kind: fc.constantFrom("refund", "resolve"), total }),
);
const WAIT_MS = 8 * 86_400_000;

/** One action on a payment by the program's state table. Returns the same payment if the program refuses. */
export function act(payment: ChainPayment, action: Action, now: Date): ChainPayment {
  const [amount, refundTotal] = [Number(payment.amount), Number(payment.refundTotal)];
  const [refunded, released] = [Number(payment.amountRefunded), Number(payment.amountReleased)];
  const isDecided = payment.outcome !== null;
  if (payment.status === "released" || payment.status === "refunded") return payment;
  switch (action.kind) {
    case "dispute":
      return isDecided || payment.status === "disputed" || now >= payment.protectionDeadline
        ? payment
        : { ...payment, status: "disputed", disputedAt: now };
    case "release":
      return isDecided ? payment : { ...payment, outcome: "released_by_sender" };
    case "resolve":
      return isDecided || payment.status !== "disputed"
        ? payment
        : { ...payment, outcome: "resolved", refundTotal: String(Math.max(refundTotal, action.total)) };
    case "refund":
      if (action.total <= refundTotal || released > 0) return payment;
      return {
        ...payment,
        refundTotal: String(action.total),
        outcome: action.total === amount ? "refunded_by_recipient" : payment.outcome,
      };
    case "pay_sender": {
      const isLapsed =
        !isDecided && payment.disputedAt !== null && now.getTime() >= payment.disputedAt.getTime() + DISPUTE_LAPSE_MS;
      const bound = isLapsed ? amount : refundTotal;
      if (bound <= refunded) return payment;
      return close({
        ...payment,
        refundTotal: String(bound),
        amountRefunded: String(bound),
        refundedAt: now,
        outcome: isLapsed ? "refunded_unresolved" : payment.outcome,
      });
    }
    case "pay_recipient": {
      const isSettling = !isDecided && payment.status === "protected" && now >= payment.protectionDeadline;
      if (!(isDecided || isSettling) || released > 0 || refundTotal === amount) return payment;
      return close({
        ...payment,
        amountReleased: String(amount - refundTotal),
        settledAt: now,
        outcome: isSettling ? "settled" : payment.outcome,
      });
    }
    case "wait":
      return payment;
  }
}

/** The status of a payment whose last part has left. */
function close(payment: ChainPayment): ChainPayment {
  const left = Number(payment.amountRefunded) + Number(payment.amountReleased);
  if (left < Number(payment.amount)) return payment;
  return { ...payment, status: payment.amountReleased === "0" ? "refunded" : "released" };
}

/** All states of a payment on chain, from its creation on, each in a later second. */
export const courses: fc.Arbitrary<readonly ChainPayment[]> = fc.array(action, { maxLength: 12 }).map((actions) => {
  const states = [anObservedPayment().payment];
  let nowMs = atHour(1).getTime();
  for (const one of actions) {
    nowMs += one.kind === "wait" ? WAIT_MS * 12 : 1_000;
    const next = act(states.at(-1)!, one, new Date(nowMs));
    if (next !== states.at(-1)) states.push(next);
  }
  return states;
});
