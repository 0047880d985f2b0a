import type { DisputeChangedReason } from "../../domain/errors.ts";
import { type FieldsOf, nullable, smallint, table, text, time, word } from "../../lib/columns.ts";
import { type Dispute, type Side, STATEMENTS_MAX } from "./dispute.ts";
import { after, BEFORE_LAPSE_MS, decideByOf, earlier, QUESTION_MS, QUESTIONS_MAX } from "./waits.ts";

/** The arbiter's questions to one side of a dispute or both. Both read them, and both can write as long as one is open. */
export const QUESTIONS = table("dispute_questions", {
  businessId: word(),
  disputeId: word(),
  number: smallint(),
  /** The id of a user. */
  askedBy: word(),
  /** The side that is asked; null: both are. */
  askedSide: nullable(word<Side>()),
  /** The text is null once it is erased. */
  text: nullable(text()),
  askedAt: time(),
  until: time(),
  erasedAt: nullable(time()),
});
export type Question = FieldsOf<typeof QUESTIONS.columns>;

export const NO_QUESTION = { questionUntil: null, buyerToAnswer: false, merchantToAnswer: false };

/** Both sides get three days, and the arbiter as many more. `side`: the one that is to answer; null: both. */
export function ask(dispute: Dispute, side: Side | null, now: Date): Dispute | DisputeChangedReason {
  if (dispute.status !== "deciding") return dispute.status === "talking" ? "not_deciding" : dispute.status;
  if (dispute.questions >= QUESTIONS_MAX) return "limit_reached";
  if (now >= after(dispute.resolveBy, -BEFORE_LAPSE_MS)) return "not_your_turn";
  const decideBy = dispute.decideBy ?? decideByOf(now, dispute.resolveBy, dispute);
  return {
    ...dispute,
    questions: dispute.questions + 1,
    questionUntil: earlier(after(now, QUESTION_MS), after(dispute.resolveBy, -BEFORE_LAPSE_MS)),
    buyerToAnswer: side !== "merchant" && dispute.buyerStatements < STATEMENTS_MAX,
    merchantToAnswer: side !== "buyer" && dispute.merchantStatements < STATEMENTS_MAX,
    decideBy: earlier(after(decideBy, QUESTION_MS), after(dispute.resolveBy, -BEFORE_LAPSE_MS)),
  };
}

/** True while a side that was asked has not answered, and still can. */
export const isAwaited = (dispute: Dispute, now: Date): boolean =>
  isAsked(dispute, now) && (dispute.buyerToAnswer || dispute.merchantToAnswer);

/** The question's days begin anew where a fork took back the opening while they ran. */
export const askAgain = ({ questionUntil }: Dispute, resolveBy: Date, now: Date) => ({
  questionUntil: questionUntil && earlier(after(now, QUESTION_MS), after(resolveBy, -BEFORE_LAPSE_MS)),
});

/** True while both sides may write as the arbiter asked. */
export const isAsked = ({ status, questionUntil }: Dispute, now: Date): boolean =>
  status === "deciding" && questionUntil !== null && now < questionUntil;
