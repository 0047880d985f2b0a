import { endsWithLapse, isOverdue } from "@holdfast/ui/disputeStatus.ts";
import type { Dispute, PaymentWithActions, UnmatchedPayment } from "../api/schema.ts";
import { splitOf } from "./money.ts";

/** The members of a payment by which pages say what happens next; an unmatched payment has them too. */
export type Followed = Pick<
  PaymentWithActions,
  | "id"
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

/** Who ends an open dispute, and by when. */
export interface Course {
  /** `chain`: its last date alone holds. `agreedLast`: nobody can decide any more once the agreement fails. */
  readonly kind: "chain" | "talking" | "deciding" | "agreed" | "agreedLast";
  readonly at: string | null;
  /** The total of the agreement that holds; null: none does. */
  readonly total: string | null;
}

/** `dispute`: null if the service has none, or has not read it. `now`: null while it is not read. */
export function courseOf(
  { resolveBy }: Pick<Followed, "resolveBy">,
  dispute: Dispute | null,
  now: string | null,
): Course {
  const chain = { kind: "chain", at: resolveBy, total: null } as const;
  if (dispute === null) return chain;
  const { status, answerBy, decideBy, agreement } = dispute;
  if (status === "talking") return { kind: "talking", at: answerBy, total: null };
  if (status === "agreed" && agreement !== null)
    return { kind: endsWithLapse(dispute) ? "agreedLast" : "agreed", at: agreement.until, total: agreement.total };
  const isDue = status === "deciding" && (now === null || !isOverdue(dispute, "arbiter", now));
  return isDue ? { kind: "deciding", at: decideBy, total: null } : chain;
}

/** A step that follows, and who gets which amount by it. */
export interface NextStep {
  readonly kind: "goesToRecipient" | "goesBack" | "goesAsAgreed" | "arbiterDecides" | "canGoBack";
  readonly amount: bigint;
  /** The time at which it happens, or until which it can; null: now. */
  readonly at: string | null;
  readonly why: "deadline" | "due" | "lapsed" | Course["kind"];
}

/** The steps that follow, the last first, as the timeline has them on top. */
export function nextSteps(payment: Followed, course: Course): NextStep[] {
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
    stage === "disputed" && {
      kind: course.total === null ? "arbiterDecides" : "goesAsAgreed",
      amount: held,
      at: course.at,
      why: course.kind,
    },
    stage === "lapsed" && { kind: "canGoBack", amount: held + returning, at: null, why: "lapsed" },
    stage === "decided" && { kind: "goesToRecipient", amount: releasing, at: null, why: "due" },
    stage !== "lapsed" && { kind: "goesBack", amount: returning, at: null, why: "due" },
  ];
  return steps.filter((step) => step !== false && step.amount > 0n) as NextStep[];
}
