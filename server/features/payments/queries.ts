import type { Tenant } from "../../domain/callers.ts";
import type { Page } from "../../domain/page.ts";
import type { PaymentStatus } from "../../domain/terms.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { type Payment, type PaymentRole, type PaymentRow, readPaymentRow } from "./payment.ts";

export async function findPayment(db: Db, tenant: Tenant, address: string): Promise<Payment | null> {
  const row = await db.row<PaymentRow>(sql`
    select * from payments
    where business_id = ${tenant.businessId} and address = ${address} and environment = ${tenant.environment}`);
  return row === null ? null : readPaymentRow(row);
}

export interface PaymentFilter {
  readonly status: PaymentStatus | null;
  readonly intent: string | null;
  readonly role: PaymentRole | null;
  readonly late: boolean | null;
  readonly settleable: boolean | null;
}

/** More than any recording number: a bound that leaves out nothing is still a bound to an index. */
const SEQUENCE_MAX = "9223372036854775807";

/**
 * In the order of recording, newest first; one row more than `limit` says whether there is more. A cursor is an address
 * of the list and stands for its recording number, so a payment found late never appears behind a reader.
 */
export async function listPayments(
  db: Db,
  tenant: Tenant,
  filter: PaymentFilter,
  page: Page,
  now: Date,
): Promise<Payment[]> {
  const upward = page.endingBefore !== null;
  const at = sql`(
    select c.recorded_sequence from payments c
    where c.business_id = ${tenant.businessId} and c.address = ${page.startingAfter ?? page.endingBefore})`;
  const range = upward
    ? sql`p.recorded_sequence > ${at} order by p.recorded_sequence`
    : sql`p.recorded_sequence < coalesce(${at}, ${SEQUENCE_MAX}::bigint) order by p.recorded_sequence desc`;
  const matching = sql`
    p.business_id = ${tenant.businessId} and p.environment = ${tenant.environment}
    and (${filter.status}::text is null or p.status = ${filter.status})
    and (${filter.role}::text is null or p.role = ${filter.role})
    and (${filter.late}::boolean is null or (p.late_reason is not null) = ${filter.late})
    and (${filter.settleable}::boolean is null
      or (p.status = 'protected' and p.protection_deadline <= ${now}::timestamptz) = ${filter.settleable})`;
  const chosen = (given: Sql) =>
    sql`select p.* from payments p where ${given} and ${matching} and ${range} limit ${page.limit + 1}`;
  const untold = sql`
    with untold as materialized (
      select p.* from payments p
      where p.environment = ${tenant.environment} and p.status = 'protected' and not p.settleable_event_sent
        and p.protection_deadline <= ${now}::timestamptz
        -- By time and not by business: of all together they are few, as a loop tells of them within seconds.
        and p.business_id || '' = ${tenant.businessId})
    select p.* from untold p where ${matching} and ${range} limit ${page.limit + 1}`;
  // The condition that leaves the least names the index; the others only filter.
  const statement =
    filter.intent !== null
      ? chosen(sql`p.intent_id = ${filter.intent}`)
      : filter.settleable === true
        ? sql`
          select p.* from ((${chosen(sql`p.status = 'protected' and p.settleable_event_sent`)}) union all (${untold})) p
          where ${range} limit ${page.limit + 1}`
        : filter.late === true
          ? chosen(sql`p.late_reason is not null`)
          : filter.role === "duplicate"
            ? chosen(sql`p.role = 'duplicate'`)
            : filter.status !== null
              ? chosen(sql`p.status = ${filter.status}`)
              : chosen(sql`true`);
  const rows = await db.rows<PaymentRow>(statement);
  const payments = rows.map(readPaymentRow);
  return upward ? payments.reverse() : payments;
}
