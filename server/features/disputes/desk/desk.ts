import type { ConflictOfInterest } from "../../../domain/errors.ts";
import { integer, nullable, table, time, word } from "../../../lib/columns.ts";
import type { Dispute } from "../dispute.ts";
import { after, DAY_MS } from "../waits.ts";

/** §13.22: the arbiter's desk. Pure. */

/** Who holds a dispute, and who held it before. */
export const HOLDERS = table("dispute_holders", {
  businessId: word(),
  disputeId: word(),
  number: integer(),
  userId: word(),
  heldAt: time(),
  endedAt: nullable(time()),
});

/** The dates of a dispute that are near, the gravest last. */
const WARNINGS = ["due_soon", "resolve_30", "overdue", "resolve_7", "resolve_1", "lapsed"] as const;
export type Warning = (typeof WARNINGS)[number];
export const SHOWN_WARNINGS = ["none", ...WARNINGS] as const;

/** A decision is due soon within this time. */
const DUE_SOON_DAYS = 3;

/** The time from which each warning holds. The arbiter's own date binds nobody while an agreement holds. */
function beginOf(
  warning: Warning,
  { status, decideBy, resolveBy }: Pick<Dispute, "status" | "decideBy" | "resolveBy">,
): Date | null {
  const ownDate = status === "agreed" ? null : decideBy;
  switch (warning) {
    case "due_soon":
      return ownDate && after(ownDate, -DUE_SOON_DAYS * DAY_MS);
    case "overdue":
      return ownDate;
    case "lapsed":
      return resolveBy;
    default:
      return after(resolveBy, -Number(warning.slice("resolve_".length)) * DAY_MS);
  }
}

/** The gravest warning of a dispute now; null if no date of it is near, or nobody can decide it. */
export function warningOf(dispute: Pick<Dispute, "status" | "decideBy" | "resolveBy">, now: Date): Warning | null {
  const { status } = dispute;
  if (status !== "talking" && status !== "deciding" && status !== "agreed") return null;
  return (
    WARNINGS.findLast((warning) => {
      const begin = beginOf(warning, dispute);
      return begin !== null && begin <= now;
    }) ?? null
  );
}

export const CONFLICT_TEXTS: Readonly<Record<ConflictOfInterest, string>> = {
  member: "You are a member of this business, so you cannot decide its disputes.",
  former_member: "You were a member of this business within the last year, so you cannot decide its disputes.",
  wallet: "A wallet of a business of yours is a side of this payment, so you cannot decide its dispute.",
};

/** An open dispute is to be decided, or waits for an agreement. */
export const OPEN_STATUSES = ["deciding", "agreed", "talking"] as const;
