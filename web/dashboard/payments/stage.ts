import type { PaymentWithActions, UnmatchedPayment } from "../api/schema.ts";
import { splitOf } from "./money.ts";

/** The members of a payment by which pages say what happens next; an unmatched payment has them too. */
export type Followed = Pick<
  PaymentWithActions,
  | "status"
  | "outcome"
  | "amount"
  | "refundTotal"
  | "amountRefunded"
  | "amountReleased"
  | "disputedAt"
  | "settledAt"
  | "refundedAt"
  | "settleable"
  | "resolveBy"
  | "nextActions"
> & { readonly protectionDeadline: string | null };

/** The actions that are possible say what a bound payment says in members of its own. */
export const followedOf = (payment: UnmatchedPayment): Followed & UnmatchedPayment => ({
  ...payment,
  settleable: payment.nextActions.some(({ action }) => action === "settle"),
  resolveBy: payment.nextActions.find(({ action }) => action === "resolve")?.until ?? null,
});

/** `lapsed`: the arbiter did not decide in time. `decided`: a part has not left yet. */
export type Stage = "protected" | "settleable" | "disputed" | "lapsed" | "decided" | "released" | "refunded";

export function stageOf({ status, outcome, settleable, nextActions }: Followed): Stage {
  if (status === "released" || status === "refunded") return status;
  if (outcome !== null) return "decided";
  if (status === "protected") return settleable ? "settleable" : "protected";
  return nextActions.some(({ action }) => action === "refund_unresolved") ? "lapsed" : "disputed";
}

/** A step that follows, and who gets which amount by it. */
export interface NextStep {
  readonly kind: "goesToRecipient" | "goesBack" | "arbiterDecides" | "canGoBack";
  readonly amount: bigint;
  /** The time at which it happens, or until which it can; null: now. */
  readonly at: string | null;
  readonly why: "deadline" | "due" | "ruling" | "lapsed";
}

/** The steps that follow, the last first, as the timeline has them on top. */
export function nextSteps(payment: Followed): NextStep[] {
  const { returning, held, releasing } = splitOf(payment);
  const stage = stageOf(payment);
  const steps: (NextStep | false)[] = [
    stage === "protected" && {
      kind: "goesToRecipient",
      amount: held,
      at: payment.protectionDeadline,
      why: "deadline",
    },
    stage === "settleable" && { kind: "goesToRecipient", amount: held, at: null, why: "due" },
    stage === "disputed" && { kind: "arbiterDecides", amount: held, at: payment.resolveBy, why: "ruling" },
    stage === "lapsed" && { kind: "canGoBack", amount: held + returning, at: null, why: "lapsed" },
    stage === "decided" && { kind: "goesToRecipient", amount: releasing, at: null, why: "due" },
    stage !== "lapsed" && { kind: "goesBack", amount: returning, at: null, why: "due" },
  ];
  return steps.filter((step) => step !== false && step.amount > 0n) as NextStep[];
}
