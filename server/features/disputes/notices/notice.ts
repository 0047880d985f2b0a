import type { DisputeNotice } from "../../../domain/notices.ts";
import type { Environment } from "../../../domain/terms.ts";
import { type FieldsOf, integer, nullable, table, time, word } from "../../../lib/columns.ts";
import { agreementOf, type Dispute, otherSide, SIDES, type Side } from "../dispute.ts";

/** §4.18.11: what is told to a side by email. Pure. */
export const NOTICES = table("dispute_notices", {
  businessId: word(),
  disputeId: word(),
  side: word<Side>(),
  kind: word<DisputeNotice>(),
  version: integer(),
  environment: word<Environment>(),
  dueAt: nullable(time()),
  until: nullable(time()),
});
export type Notice = FieldsOf<typeof NOTICES.columns>;

/** A side is reminded this long before its turn ends. */
const REMIND_MS = 48 * 3_600_000;

/** The end of the turn of a side; null if it is not its turn. A question is to both sides at once. */
function turnEndOf(dispute: Dispute, side: Side): Date | null {
  if (dispute.status === "deciding") return dispute[`${side}ToAnswer`] ? dispute.questionUntil : null;
  if (dispute.turn !== side) return null;
  return dispute.status === "agreed" ? (agreementOf(dispute)?.until ?? null) : dispute.answerBy;
}

const isOver = ({ status }: Dispute): boolean => status === "decided" || status === "closed";

/** What a change of a dispute tells each side; `before` is null for a new dispute. */
export function draftNotices(before: Dispute | null, after: Dispute): Notice[] {
  const { businessId, id: disputeId, version, environment } = after;
  const known = new Set(before?.offers.map(({ id }) => id));
  return SIDES.flatMap((side): Notice[] => {
    const told = (kind: DisputeNotice, times: Partial<Pick<Notice, "dueAt" | "until">> = {}): Notice => ({
      ...{ businessId, disputeId, side, kind, version, environment, dueAt: null, until: null },
      ...times,
    });
    if (isOver(after)) return before !== null && isOver(before) ? [] : [told("closed")];
    const until = turnEndOf(after, side);
    // A turn in an agreement is another than one in talking, and a second question another than the first.
    const isSameTurn = before?.status === after.status && before.questions === after.questions;
    const wasUntil = isSameTurn ? turnEndOf(before, side) : null;
    const hasOffer = after.offers.some(({ id, side: by }) => by === otherSide(side) && !known.has(id));
    return [
      ...(before === null && side === "merchant" ? [told("opened")] : []),
      ...(hasOffer ? [told("offer")] : []),
      ...(until === null || wasUntil !== null ? [] : [told("turn", { until })]),
      ...(until === null || until.getTime() === wasUntil?.getTime()
        ? []
        : [told("due_soon", { until, dueAt: new Date(until.getTime() - REMIND_MS) })]),
    ];
  });
}
