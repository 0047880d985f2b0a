import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import type { Row } from "../../lib/columns.ts";
import { statementNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import type { EventDraft } from "../events/event.ts";
import { recordEvents } from "../events/fragments.ts";
import { DISPUTE_LAPSE_MS, type Payment, readPaymentRow } from "../payments/payment.ts";

export interface DuePayment {
  readonly business_id: string;
  readonly intent_id: string;
  readonly address: string;
}

/** The chain's clock may be this far behind ours; the keeper waits so long rather than be refused. */
const CHAIN_BEHIND_SECONDS = 3;

/** Protected payments past their deadline, undecided, that have no `payment.settleable` event yet. */
export const listSettleableUnannounced = (db: Db, environment: Environment, except: readonly string[], limit: number) =>
  db.rows<DuePayment>(sql`
    select business_id, intent_id, address from payments
    where environment = ${environment} and status = 'protected' and outcome is null and not settleable_event_sent
      and protection_deadline <= ${statementNow(environment)} and not address = any(${except}::text[])
    order by protection_deadline limit ${limit}::integer`);

/**
 * The payments of which the program would pay something out now, longest due first, with the time by which they are due:
 * those of intents or, where there are none, those that matched no intent. They are apart, since a stranger's payment,
 * maybe in his own token, must not keep a merchant's from leaving.
 */
export async function listDue(db: Db, environment: Environment, except: readonly string[], limit: number) {
  const bound = await db.rows<DueAddress>(due(environment, PAYMENTS, except, limit));
  if (bound.length > 0) return bound;
  return db.rows<DueAddress>(due(environment, UNMATCHED_PAYMENTS, except, limit));
}

/** Of which table, and which of its rows may be settled, or have a bound part that the deployment sends. */
interface DueSource {
  readonly table: Sql;
  readonly settling: Sql;
  readonly bound: Sql;
}

const PAYMENTS: DueSource = {
  table: sql`payments`,
  settling: sql`status = 'protected' and settleable_event_sent`,
  bound: sql`(outcome is not null or refund_total > amount_refunded)`,
};
/** A stranger's refund of an undecided payment leaves with its settlement: else he could have a fee paid for every unit. */
const UNMATCHED_PAYMENTS: DueSource = {
  table: sql`unmatched_payments`,
  settling: sql`status = 'protected'`,
  bound: sql`outcome is not null`,
};

interface DueAddress {
  readonly address: string;
  readonly now: Date;
}

/** Past the deadline; with a part that is bound and has not left; 90 days in dispute. Each by an index of its own. */
const due = (
  environment: Environment,
  { table, settling, bound }: DueSource,
  except: readonly string[],
  limit: number,
): Sql => {
  const now = sql`(${statementNow(environment)} - make_interval(secs => ${CHAIN_BEHIND_SECONDS}::double precision))`;
  const lapse = sql`make_interval(secs => ${DISPUTE_LAPSE_MS / 1000}::double precision)`;
  const mine = sql`environment = ${environment} and not address = any(${except}::text[])`;
  return sql`
    select address, ${now} as now from (
      (select address, protection_deadline as due_at from ${table}
        where ${mine} and ${settling} and outcome is null and protection_deadline <= ${now}
        order by protection_deadline limit ${limit}::integer)
      union all
      (select address, checked_at from ${table}
        where ${mine} and status in ('protected', 'disputed') and ${bound}
        order by checked_at limit ${limit}::integer)
      union all
      (select address, disputed_at + ${lapse} from ${table}
        where ${mine} and status = 'disputed' and outcome is null and disputed_at <= ${now} - ${lapse}
        order by disputed_at limit ${limit}::integer)) d
    group by address order by min(due_at) limit ${limit}::integer`;
};

/** A protected, undecided payment without its `payment.settleable` event, and its generation. */
export async function findUnannounced(
  db: Db,
  tenant: Tenant,
  address: string,
): Promise<{ readonly payment: Payment; readonly generation: number } | null> {
  const row = await db.row<Row & { generation: number }>(sql`
    select * from payments
    where business_id = ${tenant.businessId} and address = ${address} and status = 'protected' and outcome is null and not settleable_event_sent`);
  return row === null ? null : { payment: readPaymentRow(row), generation: row.generation };
}

export const recordSettleable = (db: Db, tenant: Tenant, payment: Payment, event: EventDraft) =>
  db.rows(sql`
    with changed as (
      update payments set settleable_event_sent = true, checked_at = ${payment.checkedAt}
      where business_id = ${tenant.businessId} and address = ${payment.id}
      returning address),
    intent as (
      update intents set last_occurred_at = ${event.pendingEvent.occurredAt}
      where business_id = ${tenant.businessId} and id = ${payment.intentId}),
    ${recordEvents([event], sql`exists (select from changed)`)}
    select sequence from recorded_events`);
