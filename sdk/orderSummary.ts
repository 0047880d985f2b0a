import { isPaidFor, paymentOf, type ReceivedEvent } from "./fulfill.ts";
import type { Payment } from "./schema.ts";

export interface SummaryOptions {
  /** The environment in which you sell. Tokens of `test` have no value. */
  readonly environment: "test" | "live";
  /**
   * The payment by which the shop has entered the order as paid; null if it has not. Then a payment that all went back gives
   * its place to another one in time, as the shop may have sold anew.
   */
  readonly entered?: string | null | undefined;
}

/** The progress of the payment that pays an order; `open` while none does, `reverted` if the network took it back. */
export type OrderProgress = "open" | "protected" | "disputed" | "decided" | "released" | "refunded" | "reverted";

/** A payment that does not pay the order: whoever sells refunds it, unless the recipient has it already. */
export interface ExtraPayment {
  readonly payment: Payment;
  readonly reason: "late" | "duplicate" | "over_limit";
  /** True until all of it went back. */
  readonly isOwed: boolean;
}

/** An order as the events of all its intents show it. */
export interface OrderSummary {
  readonly progress: OrderProgress;
  /** The payment that pays the order, as its newest event shows it; null while none does. */
  readonly payment: Payment | null;
  /** Enter the order as paid, once: it may be fulfilled, or was decided and its payment was released. */
  readonly isPaid: boolean;
  /** Fulfil the order, unless you have: nothing goes back to the buyer, or may. */
  readonly mayShip: boolean;
  readonly extras: readonly ExtraPayment[];
}

/**
 * The state of an order from the events of all its intents, in any order, with repeats. Of several payments in time, the
 * first pays the order; the others are extras, as those of the service's role `duplicate` are.
 */
export function summarizeOrder(
  events: Iterable<ReceivedEvent>,
  { environment, entered }: SummaryOptions,
): OrderSummary {
  const newest = new Map<string, ReceivedEvent>();
  const inTime = new Set<string>();
  for (const event of inSequence(events, environment)) {
    const payment = paymentOf(event);
    if (payment === null) continue;
    newest.set(payment.id, event);
    if (event.type === "payment_intent.paid" && payment.role === "primary") inTime.add(payment.id);
  }
  const isGone = (id: string) => newest.get(id)!.type === "payment.reverted";
  const shown = (id: string) => paymentOf(newest.get(id)!)!;
  const paying = [...inTime].filter((id) => !isGone(id) && !shown(id).overLimit);
  const isKept = (id: string) => (entered === null ? shown(id).status !== "refunded" : id === entered);
  const own = paying.find(isKept) ?? paying[0];
  const payment = own === undefined ? null : shown(own);
  const extras = [...newest.keys()].flatMap((id) => {
    const extra = id === own || isGone(id) ? null : extraOf(shown(id), inTime.has(id));
    return extra === null ? [] : [extra];
  });
  if (payment === null) {
    const progress = [...inTime].some(isGone) ? "reverted" : "open";
    return { progress, payment, isPaid: false, mayShip: false, extras };
  }
  const mayShip = isPaidFor(payment);
  return { progress: progressOf(payment), payment, isPaid: mayShip || payment.status === "released", mayShip, extras };
}

function inSequence(events: Iterable<ReceivedEvent>, environment: string): ReceivedEvent[] {
  const own = [...events].filter((event) => event.environment === environment && event.sequence !== null);
  return own.sort((one, other) => (BigInt(one.sequence!) < BigInt(other.sequence!) ? -1 : 1));
}

/** `inTime`: it is a primary payment that another one forestalled. A primary payment of which no event says more may still be the order's. */
function extraOf(payment: Payment, inTime: boolean): ExtraPayment | null {
  const isLate = payment.lateReason !== null && payment.lateReason !== "found_after_expiry";
  const reason = payment.overLimit
    ? "over_limit"
    : payment.role === "duplicate" || inTime
      ? "duplicate"
      : isLate
        ? "late"
        : null;
  return reason === null ? null : { payment, reason, isOwed: payment.status !== "refunded" };
}

const progressOf = ({ status, outcome }: Payment): OrderProgress =>
  outcome !== null && (status === "protected" || status === "disputed") ? "decided" : status;
