import type { Owner } from "../../domain/callers.ts";
import type { PaymentStatus } from "../../domain/terms.ts";
import type { Page } from "../../edge/merchant/query.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { type Payment, type PaymentRole, type PaymentRow, readPaymentRow } from "./payment.ts";

export async function findPayment(db: Db, owner: Owner, address: string): Promise<Payment | null> {
  const row = await db.row<PaymentRow>(sql`
    select * from payments
    where business_id = ${owner.businessId} and address = ${address} and environment = ${owner.environment}`);
  return row === null ? null : readPaymentRow(row);
}

export interface PaymentFilter {
  readonly status: PaymentStatus | null;
  readonly intent: string | null;
  readonly role: PaymentRole | null;
  readonly late: boolean | null;
  readonly settleable: boolean | null;
}

/**
 * In the order of recording, newest first; one row more than `limit` says whether there is more. A cursor is an address
 * of the list and stands for its recording number, so a payment found late never appears behind a reader.
 */
export async function listPayments(
  db: Db,
  owner: Owner,
  filter: PaymentFilter,
  page: Page,
  now: Date,
): Promise<Payment[]> {
  const cursor = page.startingAfter ?? page.endingBefore;
  const matching = sql`
    p.business_id = ${owner.businessId} and p.environment = ${owner.environment}
    and (${filter.status}::text is null or p.status = ${filter.status})
    and (${filter.intent}::text is null or p.intent_id = ${filter.intent})
    and (${filter.role}::text is null or p.role = ${filter.role})
    and (${filter.late}::boolean is null or (p.late_reason is not null) = ${filter.late})
    and (${filter.settleable}::boolean is null
      or (p.status = 'protected' and p.protection_deadline <= ${now}::timestamptz) = ${filter.settleable})`;
  const at = sql`(select recorded_sequence from payments where business_id = ${owner.businessId} and address = ${cursor})`;
  const chosen =
    page.endingBefore === null
      ? sql`and (${cursor}::text is null or p.recorded_sequence < ${at}) order by p.recorded_sequence desc`
      : sql`and p.recorded_sequence > ${at} order by p.recorded_sequence`;
  const rows = await db.rows<PaymentRow>(
    sql`select p.* from payments p where ${matching} ${chosen} limit ${page.limit + 1}`,
  );
  const payments = rows.map(readPaymentRow);
  return page.endingBefore === null ? payments : payments.reverse();
}
