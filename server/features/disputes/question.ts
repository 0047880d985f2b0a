import type { DisputeChangedReason } from "../../domain/errors.ts";
import { type FieldsOf, nullable, smallint, table, text, time, word } from "../../lib/columns.ts";
import { type Dispute, otherSide, SIDES, type Side, STATEMENTS_A_DAY_MAX, STATEMENTS_MAX } from "./dispute.ts";
import { after, BEFORE_LAPSE_MS, dayOf, decideByOf, earlier, QUESTION_MS, QUESTIONS_MAX } from "./waits.ts";

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

export const NO_QUESTION = { questionUntil: null, askedSide: null, buyerToAnswer: false, merchantToAnswer: false };

export const hasWordsLeft = (dispute: Dispute, side: Side): boolean => dispute[`${side}Statements`] < STATEMENTS_MAX;

/**
 * Both sides get three days, and the arbiter as many more than `decideBy` had, also if that is past: it may then come before the
 * end of the answers. `side`: the one that is to answer; null: both.
 */
export function ask(dispute: Dispute, side: Side | null, now: Date): Dispute | DisputeChangedReason {
  if (dispute.status !== "deciding") return dispute.status === "talking" ? "not_deciding" : dispute.status;
  if (dispute.questions >= QUESTIONS_MAX) return "limit_reached";
  if (now >= after(dispute.resolveBy, -BEFORE_LAPSE_MS)) return "not_your_turn";
  const canAnswer = (one: Side) => side !== otherSide(one) && hasWordsLeft(dispute, one);
  if (!SIDES.some(canAnswer)) return "limit_reached";
  const decideBy = dispute.decideBy ?? decideByOf(now, dispute.resolveBy, dispute);
  return {
    ...dispute,
    questions: dispute.questions + 1,
    questionUntil: earlier(after(now, QUESTION_MS), after(dispute.resolveBy, -BEFORE_LAPSE_MS)),
    askedSide: side,
    buyerToAnswer: canAnswer("buyer"),
    merchantToAnswer: canAnswer("merchant"),
    decideBy: earlier(after(decideBy, QUESTION_MS), after(dispute.resolveBy, -BEFORE_LAPSE_MS)),
  };
}

/** A side writes while a question is open. After the first answer of a side that was asked alone, the other has its word. */
export const reply = (dispute: Dispute, side: Side): Dispute => {
  const answered = { ...dispute, [`${side}ToAnswer`]: false };
  const other = otherSide(side);
  return dispute.askedSide === side
    ? { ...answered, askedSide: null, [`${other}ToAnswer`]: hasWordsLeft(dispute, other) }
    : answered;
};

/** True while a side has not had its word on a question, and still can. */
export const isAwaited = (dispute: Dispute, now: Date): boolean =>
  isAsked(dispute, now) && (dispute.buyerToAnswer || dispute.merchantToAnswer);

/** The question's days begin anew where a fork took back the opening while they ran. */
export const askAgain = ({ questionUntil }: Dispute, resolveBy: Date, now: Date) => ({
  questionUntil: questionUntil && earlier(after(now, QUESTION_MS), after(resolveBy, -BEFORE_LAPSE_MS)),
});

/**
 * True if a side that may write can send a statement before a time, or at all: it has some left, and has not sent those of
 * today, or another day of UTC begins before. Files and offers have limits of their own, and are no statements.
 */
export const hasWordsBefore = (dispute: Dispute, side: Side, now: Date, until: Date | null): boolean =>
  hasWordsLeft(dispute, side) &&
  (dispute[`${side}Day`] !== dayOf(now) ||
    dispute[`${side}OfDay`] < STATEMENTS_A_DAY_MAX ||
    until === null ||
    dayOf(now) < dayOf(after(until, -1)));

/** True while a question is open, and both sides can send a statement before its end. */
export const canBothWrite = (dispute: Dispute, now: Date): boolean =>
  isAsked(dispute, now) && SIDES.every((side) => hasWordsBefore(dispute, side, now, dispute.questionUntil));

/** True while both sides may write as the arbiter asked. */
export const isAsked = ({ status, questionUntil }: Dispute, now: Date): boolean =>
  status === "deciding" && questionUntil !== null && now < questionUntil;
