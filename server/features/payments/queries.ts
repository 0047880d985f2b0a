import type { Tenant } from "../../domain/callers.ts";
import { conditionsOf } from "../../edge/http/listFilters.ts";
import { type Row, rowReader } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { sameHash } from "../../store/textHash.ts";
import { type Payment, readPaymentRow } from "./payment.ts";
import { HOLD_COLUMNS, holdOf, type PayoutHold } from "./payoutHold.ts";
import { LIST_PAYMENTS, type PaymentQuery } from "./schema.ts";

export async function findPayment(db: Db, tenant: Tenant, address: string): Promise<HeldPayment | null> {
  const row = await db.row<Row>(sql`
    select * from payments
    where business_id = ${tenant.businessId} and address = ${address} and environment = ${tenant.environment}`);
  return row === null ? null : { ...readPaymentRow(row), hold: holdOf(readHold(row)) };
}

const readHold = rowReader(HOLD_COLUMNS);
interface HeldPayment extends Payment {
  /** What keeps a due part from leaving; null if nothing is known to. */
  readonly hold: PayoutHold | null;
}

const conditions = conditionsOf(LIST_PAYMENTS.query);

/** Above every recording number: a bound that excludes nothing, but lets PostgreSQL search an index. */
const SEQUENCE_MAX = "9223372036854775807";

/**
 * In recording order, newest first; one row more than `limit` says that there is more. A cursor is an address of the
 * list and stands for its recording number, so a payment found late never appears behind a reader.
 */
export async function listPayments(db: Db, tenant: Tenant, query: PaymentQuery, now: Date): Promise<Payment[]> {
  const upward = query.endingBefore !== null;
  const at = sql`(
    select c.recorded_sequence from payments c
    where c.business_id = ${tenant.businessId} and c.address = ${query.startingAfter ?? query.endingBefore})`;
  const range = upward
    ? sql`p.recorded_sequence > ${at} order by p.recorded_sequence`
    : sql`p.recorded_sequence < coalesce(${at}, ${SEQUENCE_MAX}::bigint) order by p.recorded_sequence desc`;
  const matching = sql`
    p.business_id = ${tenant.businessId} and p.environment = ${tenant.environment}
    and ${conditions(query)}
    and (${query.settleable}::boolean is null
      or (p.status = 'protected' and p.outcome is null and p.protection_deadline <= ${now}::timestamptz) = ${query.settleable})`;
  const ofStatus = query.status === null ? sql`true` : sql`p.status = ${query.status}`;
  const chosen = (given: Sql) =>
    sql`select p.* from payments p where ${given} and ${matching} and ${range} limit ${query.limit + 1}`;
  const unannounced = sql`
    with unannounced as materialized (
      select p.* from payments p
      where p.environment = ${tenant.environment} and p.status = 'protected' and not p.settleable_event_sent
        and p.protection_deadline <= ${now}::timestamptz
        -- Searched by time, not by business: few are due at any time, since a loop announces them within seconds.
        and p.business_id || '' = ${tenant.businessId})
    select p.* from unannounced p where ${matching} and ${range} limit ${query.limit + 1}`;
  // Only the most selective condition may use an index; the others filter.
  const statement =
    query.intent !== null
      ? chosen(sql`p.intent_id = ${query.intent} and ${sameHash(sql`p.intent_id`, sql`${query.intent}`)}`)
      : query.settleable === true
        ? sql`
          select p.* from ((${chosen(sql`p.status = 'protected' and p.settleable_event_sent`)}) union all (${unannounced})) p
          where ${range} limit ${query.limit + 1}`
        : query.late === true
          ? chosen(sql`p.late_reason is not null and ${ofStatus}`)
          : query.role === "duplicate"
            ? chosen(sql`p.role = 'duplicate' and ${ofStatus}`)
            : query.status !== null
              ? chosen(sql`
                  p.status = ${query.status} and ${sameHash(
                    sql`p.business_id || p.environment || p.status`,
                    sql`${tenant.businessId}::text || ${tenant.environment} || ${query.status}`,
                  )}`)
              : chosen(sql`true`);
  const rows = await db.rows<Row>(statement);
  const payments = rows.map(readPaymentRow);
  return upward ? payments.reverse() : payments;
}

/** The payments of a business that a transaction made. */
export const listPaymentsOfSignature = (db: Db, tenant: Tenant, signature: string, limit: number) =>
  db.rows<{ address: string; intentId: string }>(sql`
    select address, intent_id as "intentId" from payments
    where business_id = ${tenant.businessId} and signature = ${signature} and environment = ${tenant.environment}
      and ${sameHash(sql`signature`, sql`${signature}`)}
    limit ${limit}::integer`);
