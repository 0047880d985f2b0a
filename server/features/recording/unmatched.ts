import type { Environment } from "../../domain/terms.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

export const UNMATCHED_REASONS = ["unknown_payment_id", "terms_differ", "closed"] as const;

interface UnmatchedFilter {
  readonly reason: (typeof UNMATCHED_REASONS)[number] | null;
  /** Only those made since then, and those of which nobody knows when they were made. */
  readonly since: Date | null;
  /** Only those that come after this address in the list. */
  readonly before: string | null;
  readonly limit: number;
}

interface UnmatchedRow {
  readonly id: string;
  readonly reason: string;
  readonly paymentId: string;
  readonly status: string;
  readonly sender: string | null;
  readonly recipient: string | null;
  readonly amount: string;
  readonly asset: string | null;
  readonly amountReleased: string;
  readonly amountRefunded: string;
  readonly signature: string | null;
  readonly createdAt: Date | null;
  readonly protectionDeadline: Date | null;
}

/** Payments that are bound to no intent, the newest first. Null: there is none at the address `before`. */
export async function listUnmatched(
  db: Db,
  environment: Environment,
  { reason, since, before, limit }: UnmatchedFilter,
): Promise<UnmatchedRow[] | null> {
  const cursor =
    before === null
      ? null
      : await db.row<{ at: string }>(sql`
        select ${madeAt}::text as at from unmatched_payments u where environment = ${environment} and address = ${before}`);
  if (before !== null && cursor === null) return null;
  return db.rows<UnmatchedRow>(sql`
    select address as id, reason, payment_id::text as "paymentId", status, sender, recipient, amount::text as amount, asset,
      amount_released::text as "amountReleased", amount_refunded::text as "amountRefunded", signature,
      created_at as "createdAt", protection_deadline as "protectionDeadline"
    from unmatched_payments u
    where environment = ${environment} and (${reason}::text is null or reason = ${reason})
      and (${since}::timestamptz is null or ${madeAt} >= ${since}::timestamptz)
      and (${before}::text is null or (${madeAt}, address) < (${cursor?.at ?? null}::timestamptz, ${before}))
    order by ${madeAt} desc, address desc limit ${limit}::integer`);
}

/** Of one that was closed before it was observed only the end is known. */
const madeAt = sql`coalesce(u.created_at, u.settled_at, u.refunded_at, u.checked_at)`;
