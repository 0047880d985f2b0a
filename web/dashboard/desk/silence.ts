import { REPLY_MS, STATEMENTS_MAX } from "@holdfast/ui/disputeStatus.ts";
import type { DeskDispute } from "../api/schema.ts";
import { wordsOf } from "../disputes/dispute.ts";

type Side = "buyer" | "merchant";
type Span = readonly [from: number, to: number];

const isIn = (at: number, [from, to]: Span): boolean => at >= from && at <= to;

/** The time within which something could be written that counts for the decision. */
const endOf = ({ decision, closedAt, at }: DeskDispute): number => Date.parse(decision?.ruledAt ?? closedAt ?? at);

/**
 * The times in which a side had something to answer, and could: from the other side's first word after its own last one while
 * both talk, while a question that it was asked is open, and for its one answer. While an agreement holds, nobody has.
 */
function answeringSpans(dispute: DeskDispute, side: Side): readonly Span[] {
  const { openedAt, decidingAt, agreement, failedAgreement: failed, questions, offers } = dispute;
  const [opened, end] = [Date.parse(openedAt), endOf(dispute)];
  const deciding = decidingAt === null ? end : Date.parse(decidingAt);
  const agreed: readonly Span[] = [
    ...(failed === null ? [] : [[Date.parse(failed.agreedAt), Date.parse(failed.failedAt)] as const]),
    ...(agreement === null
      ? []
      : [[Math.max(Date.parse(agreement.buyer), Date.parse(agreement.merchant)), end] as const]),
  ];
  const talked = Math.min(deciding, ...agreed.map(([from]) => from));
  const asked = questions.map(({ askedSide, askedAt, until }) => {
    return { askedSide, span: [Date.parse(askedAt), Date.parse(until)] as const };
  });
  // While both talk, the opening and an offer without a sentence are words, too.
  const words = [
    { side: "buyer", at: openedAt },
    ...wordsOf(dispute).filter(({ side: by }) => by !== "arbiter"),
    ...offers.map(({ by, createdAt }) => ({ side: by, at: createdAt })).filter(({ at }) => Date.parse(at) < deciding),
  ].map(({ side: by, at }) => ({ isOwn: by === side, at: Date.parse(at) }));
  const own = words.filter(({ isOwn }) => isOwn).map(({ at }) => at);
  const last = Math.max(...own);
  const toAnswer = words.filter(({ isOwn, at }) => !isOwn && at > last).map(({ at }) => at);
  const answering: readonly Span[] = [
    [Math.min(...toAnswer), talked],
    ...asked
      .filter(({ askedSide, span }) => (askedSide ?? side) === side && !own.some((at) => isIn(at, span)))
      .map(({ span }) => span),
  ];
  // The one answer is used up by a word at no other time.
  const free: readonly Span[] = [[opened, talked], ...asked.map(({ span }) => span), ...agreed];
  const isUsed = own.some((at) => !free.some((span) => isIn(at, span)));
  const replies = toAnswer.map((at) => [Math.max(at, deciding), at + REPLY_MS] as const);
  return isUsed ? answering : [...answering, ...replies];
}

/** The time for which a side had something to answer since a time, and could. */
export function silentMs(dispute: DeskDispute, side: Side, since: string): number {
  if (dispute.statements.filter(({ by }) => by === side).length >= STATEMENTS_MAX) return 0;
  const [from, to] = [Date.parse(since), endOf(dispute)];
  let last = from;
  let total = 0;
  for (const [begin, end] of answeringSpans(dispute, side).toSorted(([one], [other]) => one - other)) {
    const stop = Math.min(end, to);
    total += Math.max(0, stop - Math.max(begin, last));
    last = Math.max(last, stop);
  }
  return total;
}

/** The step by which an agreement failed: the one that was next. Null: the chain does not tell when the refund was bound. */
export function missedStep({ failedAgreement: failed, facts }: DeskDispute): "refund" | "release" | null {
  if (failed === null) return null;
  const total = BigInt(failed.total);
  if (BigInt(facts.refundTotal) < total) return "refund";
  const hadLeft = facts.refundedAt === null || facts.refundedAt <= failed.failedAt;
  return hadLeft && BigInt(facts.amountRefunded) >= total ? "release" : null;
}
