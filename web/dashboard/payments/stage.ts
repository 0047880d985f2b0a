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

/** The way in which an open dispute ends: by whom, and by when. */
export interface Course {
  /** `chain`: its last date alone holds. `agreedLast`: nobody can decide any more once the agreement fails. */
  readonly kind: "chain" | "talking" | "deciding" | "agreed" | "agreedLast";
  readonly at: string | null;
  /** The total of the agreement that holds; null: none does. */
  readonly total: string | null;
  /** The side that carries out the agreement next, or that the arbiter asked, and until when it can. Null: neither is to act. */
  readonly turn: "buyer" | "merchant" | null;
  readonly turnUntil: string | null;
}

/** `dispute`: null if the service has none, or has not read it. `now`: null while it is not read. */
export function courseOf(
  { resolveBy }: Pick<Followed, "resolveBy">,
  dispute: Dispute | null,
  now: string | null,
): Course {
  const base = { total: null, turn: null, turnUntil: null } as const;
  const chain = { ...base, kind: "chain", at: resolveBy } as const;
  if (dispute === null) return chain;
  const { status, turn, answerBy, questionUntil, decideBy, agreement } = dispute;
  if (status === "talking") return { ...base, kind: "talking", at: answerBy };
  const side = turn === "buyer" || turn === "merchant" ? turn : null;
  if (status === "agreed" && agreement !== null) {
    const { total, until } = agreement;
    return { kind: endsWithLapse(dispute) ? "agreedLast" : "agreed", at: until, total, turn: side, turnUntil: until };
  }
  if (status !== "deciding") return chain;
  const asked = side === null || questionUntil === null ? {} : { turn: side, turnUntil: questionUntil };
  return now === null || !isOverdue(dispute, "arbiter", now)
    ? { ...base, ...asked, kind: "deciding", at: decideBy }
    : { ...chain, ...asked };
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
