import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import { type FieldsOf, pick, type Row } from "../../lib/columns.ts";
import { statementNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import type { EventDraft } from "../events/event.ts";
import { PAYMENTS, type Payment, readPaymentRow } from "../payments/payment.ts";
import { recordEvents } from "../webhooks/fragments.ts";

const DUE_COLUMNS = pick(PAYMENTS.columns, "businessId", "intentId", "id");
export type DuePayment = FieldsOf<typeof DUE_COLUMNS>;

/** Protected, undecided payments past their deadline that have no `payment.settleable` event yet. */
export const listSettleableUnannounced = (db: Db, environment: Environment, except: readonly string[], limit: number) =>
  db.rows<DuePayment>(sql`
    select ${selected(DUE_COLUMNS, "payments")} from payments
    where environment = ${environment} and status = 'protected' and outcome is null and not settleable_event_sent
      and protection_deadline <= ${statementNow(environment)} and not address = any(${except}::text[])
    order by protection_deadline limit ${limit}::integer`);

/** A protected, undecided payment without its `payment.settleable` event, and its generation. */
export async function findUnannounced(
  db: Db,
  tenant: Tenant,
  address: string,
): Promise<{ readonly payment: Payment; readonly generation: number; readonly announced: string | null } | null> {
  const row = await db.row<Row & { generation: number; announced: string | null }>(sql`
    select * from payments
    where business_id = ${tenant.businessId} and address = ${address} and status = 'protected' and outcome is null and not settleable_event_sent`);
  return row === null ? null : { payment: readPaymentRow(row), generation: row.generation, announced: row.announced };
}

export const recordSettleable = (
  db: Db,
  tenant: Tenant,
  payment: Payment,
  event: EventDraft,
  announced: string | null,
) =>
  db.rows(sql`
    with changed as (
      update payments set settleable_event_sent = true, announced = ${announced}, checked_at = ${payment.checkedAt}
      where business_id = ${tenant.businessId} and address = ${payment.id}
      returning address),
    intent as (
      update intents set last_occurred_at = ${event.pendingEvent.occurredAt}
      where business_id = ${tenant.businessId} and id = ${payment.intentId}),
    ${recordEvents([event], sql`exists (select from changed)`)}
    select sequence from recorded_events`);
