import { REPLY_MS, STATEMENTS_MAX } from "@holdfast/ui/disputeStatus.ts";
import type { DeskDispute } from "../api/schema.ts";
import { wordsOf } from "../disputes/dispute.ts";

type Side = "buyer" | "merchant";
type Span = readonly [from: number, to: number];

const isIn = (at: number, [from, to]: Span): boolean => at >= from && at <= to;

/** The time within which something could be written that counts for the decision. */
const endOf = ({ decision, closedAt, at }: DeskDispute): number => Date.parse(decision?.ruledAt ?? closedAt ?? at);

/**
 * The times in which a side had something to answer, and could: while both talk, while a question is open, and for its one answer.
 * While an agreement holds, nobody has.
 */
function answeringSpans(dispute: DeskDispute, side: Side): readonly Span[] {
  const { openedAt, decidingAt, agreement, failedAgreement: failed, questions } = dispute;
  const end = endOf(dispute);
  const deciding = decidingAt === null ? end : Date.parse(decidingAt);
  const agreed: readonly Span[] = [
    ...(failed === null ? [] : [[Date.parse(failed.agreedAt), Date.parse(failed.failedAt)] as const]),
    ...(agreement === null
      ? []
      : [[Math.max(Date.parse(agreement.buyer), Date.parse(agreement.merchant)), end] as const]),
  ];
  const answering: readonly Span[] = [
    [Date.parse(openedAt), Math.min(deciding, ...agreed.map(([from]) => from))],
    ...questions.map(({ askedAt, until }) => [Date.parse(askedAt), Date.parse(until)] as const),
  ];
  const words = wordsOf(dispute).map(({ side: by, at }) => ({ isOwn: by === side, at: Date.parse(at) }));
  // The one answer is used up by a word at no other time.
  const isUsed = words.some(({ isOwn, at }) => isOwn && ![...answering, ...agreed].some((span) => isIn(at, span)));
  const replies = words.filter(({ isOwn }) => !isOwn).map(({ at }) => [Math.max(at, deciding), at + REPLY_MS] as const);
  return isUsed ? answering : [...answering, ...replies];
}

/** The time for which a side could have written since a time, and did not. */
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
