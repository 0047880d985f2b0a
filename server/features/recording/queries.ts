import type { Environment } from "../../domain/terms.ts";
import type { FieldsOf } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import { LISTED_COLUMNS, type UnmatchedPayment } from "./decide/unmatched.ts";

interface UnmatchedFilter {
  readonly reason: UnmatchedPayment["reason"] | null;
  /** Only payments made since then, and those of unknown time. */
  readonly since: Date | null;
  /** Only payments after this address in the list. */
  readonly before: string | null;
  readonly limit: number;
}

/** Payments that are bound to no intent, newest first. Null if there is none at the address `before`. */
export async function listUnmatched(
  db: Db,
  environment: Environment,
  { reason, since, before, limit }: UnmatchedFilter,
): Promise<FieldsOf<typeof LISTED_COLUMNS>[] | null> {
  const cursor =
    before === null
      ? null
      : await db.row<{ at: string }>(sql`
        select ${madeAt}::text as at from unmatched_payments u where environment = ${environment} and address = ${before}`);
  if (before !== null && cursor === null) return null;
  return db.rows(sql`
    select ${selected(LISTED_COLUMNS, "u")}
    from unmatched_payments u
    where environment = ${environment} and (${reason}::text is null or reason = ${reason})
      and (${since}::timestamptz is null or ${madeAt} >= ${since}::timestamptz)
      and (${before}::text is null or (${madeAt}, address) < (${cursor?.at ?? null}::timestamptz, ${before}))
    order by ${madeAt} desc, address desc limit ${limit}::integer`);
}

/** If the payment was closed before it was observed, only its end is known. */
const madeAt = sql`coalesce(u.created_at, u.settled_at, u.refunded_at, u.checked_at)`;
