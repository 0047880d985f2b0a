import type { Tenant } from "../../domain/callers.ts";
import type { Environment, Term } from "../../domain/terms.ts";
import type { FieldsOf } from "../../lib/columns.ts";
import { environmentNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import type { Hold } from "../chains/chain.ts";
import { mismatchedPayments } from "../events/fragments.ts";
import { HOLD_COLUMNS } from "../payments/payoutHold.ts";
import { UNMATCHED, type UnmatchedPayment } from "../payments/unmatched.ts";
import { isSavedRecipient, savedRecipients } from "../recipients/fragments.ts";
import { HOLDS } from "./fragments.ts";

/** Finds the reason for which the watermark of an environment stands still; null if there is none. */
export const findHold = (db: Db, environment: Environment) =>
  db.row<Hold>(sql`select reason, signature, seconds from ${HOLDS} where environment = ${environment}`);

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
): Promise<UnmatchedPayment[] | null> {
  const cursor =
    before === null
      ? null
      : await db.row<{ at: string }>(sql`
        select ${madeAt}::text as at from unmatched_payments u where environment = ${environment} and address = ${before}`);
  if (before !== null && cursor === null) return null;
  return db.rows(sql`
    select ${selected(UNMATCHED.columns, "u")}
    from unmatched_payments u
    where environment = ${environment} and (${reason}::text is null or reason = ${reason})
      and (${since}::timestamptz is null or ${madeAt} >= ${since}::timestamptz)
      and (${before}::text is null or (${madeAt}, address) < (${cursor?.at ?? null}::timestamptz, ${before}))
    order by ${madeAt} desc, address desc limit ${limit}::integer`);
}

/** If the payment was closed before it was observed, only its end is known. */
const madeAt = sql`coalesce(u.created_at, u.settled_at, u.refunded_at, u.checked_at)`;

export interface UnmatchedView extends UnmatchedPayment, FieldsOf<typeof HOLD_COLUMNS> {
  /** The tenant's intent with the payment's number; null if there is none. */
  readonly intent: string | null;
  /** The terms that differ from the intent's. */
  readonly mismatch: readonly Term[];
  readonly now: Date;
  /** The note of a member on the order to which it belongs. */
  readonly note: string | null;
  readonly notedBy: string | null;
  readonly notedAt: Date | null;
}

const I64_MAX = "9223372036854775807";

const VIEWED = ({ environment }: Tenant): Sql => sql`
    ${selected(UNMATCHED.columns, "u")}, ${selected(HOLD_COLUMNS, "u")}, i.id as intent, ${environmentNow(environment)} as now,
      n.note, n.noted_by as "notedBy", n.noted_at as "notedAt",
      array_remove(array[
        case when i.recipient <> u.recipient then 'recipient' end, case when i.amount <> u.amount then 'amount' end,
        case when i.asset <> u.asset then 'asset' end,
        case when i.protection_period::text <> u.protection_period then 'protectionPeriod' end], null) as mismatch`;

/** Joins the tenant's intent `i` with the number of the payment `u`, and its note `n`, if there are any. */
const WITH_INTENT = ({ businessId }: Tenant): Sql => sql`
    left join unmatched_notes n on n.business_id = ${businessId} and n.environment = u.environment and n.address = u.address
    left join intents i on i.business_id = ${businessId} and i.environment = u.environment
      and i.payment_id = case when u.payment_id <= ${I64_MAX}::bigint then u.payment_id::bigint end`;

/** A payment that is bound to no intent, if its number is that of a tenant's intent, or its recipient is saved. */
export const findUnmatched = (db: Db, tenant: Tenant, address: string) =>
  db.row<UnmatchedView>(sql`
    select ${VIEWED(tenant)}
    from unmatched_payments u${WITH_INTENT(tenant)}
    where u.environment = ${tenant.environment} and u.address = ${address}
      and (i.id is not null or ${isSavedRecipient(tenant.businessId)})`);

/** The most payments of a list of those that match no order. */
export const UNMATCHED_MAX = 50;
/** The most events of either kind that it reads: anybody may make payments that do not match. */
const EVENTS_MAX = 100;

/**
 * The same for all that are still in the escrow: those to the recipient of the intent that they name, then those to a saved
 * recipient, then those in the name of an intent to any other wallet, each with the next deadline first. A stranger who pays
 * a recipient, or a wallet of their own, again and again hides no payment of an order. Up to one more than
 * {@link UNMATCHED_MAX}.
 */
export const listOpenUnmatched = (db: Db, tenant: Tenant) =>
  listUnmatchedOf(db, tenant, sql`u.status in ('protected', 'disputed')`, sql`u.protection_deadline`);

/** The same for those that were released or refunded, the newest first in each. */
export const listEndedUnmatched = (db: Db, tenant: Tenant) =>
  listUnmatchedOf(db, tenant, sql`u.status in ('released', 'refunded')`, sql`u.created_at desc nulls last`);

const listUnmatchedOf = (db: Db, tenant: Tenant, isWanted: Sql, order: Sql) =>
  db.rows<UnmatchedView>(sql`
    select ${VIEWED(tenant)}
    from (
      (${mismatchedPayments(tenant, EVENTS_MAX, true)})
      union
      (${mismatchedPayments(tenant, EVENTS_MAX)})
      union
      (select u.address from (${savedRecipients(tenant)}) r cross join lateral (
        select u.address from unmatched_payments u
        where u.environment = ${tenant.environment} and u.recipient = r.address and ${isWanted}
        order by ${order} limit ${UNMATCHED_MAX + 1}::integer) u)) found
    join unmatched_payments u on u.environment = ${tenant.environment} and u.address = found.address${WITH_INTENT(tenant)}
    where ${isWanted} and (i.id is not null or ${isSavedRecipient(tenant.businessId)})
    order by case when i.recipient = u.recipient then 0 when i.id is null or ${isSavedRecipient(tenant.businessId)} then 1 else 2 end,
      ${order}, u.address limit ${UNMATCHED_MAX + 1}::integer`);

/** Keeps a member's note on a payment that matches no order; null removes it. */
export const saveNote = (
  db: Db,
  { businessId, environment }: Tenant,
  address: string,
  note: string | null,
  notedBy: string,
): Promise<unknown> =>
  note === null
    ? db.rows(sql`
        delete from unmatched_notes
        where business_id = ${businessId} and environment = ${environment} and address = ${address}`)
    : db.rows(sql`
        insert into unmatched_notes (business_id, environment, address, note, noted_by)
        values (${businessId}, ${environment}, ${address}, ${note}, ${notedBy})
        on conflict (business_id, environment, address) do update
          set note = excluded.note, noted_by = excluded.noted_by, noted_at = now()`);
