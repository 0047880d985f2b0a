import type { Environment } from "../../domain/terms.ts";
import { statementNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { DISPUTE_LAPSE_MS } from "../payments/payment.ts";

export interface DuePayment {
  readonly business_id: string;
  readonly intent_id: string;
  readonly address: string;
}

/** The chain's clock may stand this far behind ours; the keeper waits it out rather than be refused. */
const CHAIN_BEHIND_SECONDS = 3;

/** Protected payments past their deadline, undecided, that have no event of it yet. */
export const listSettleableUnannounced = (db: Db, environment: Environment, limit: number) =>
  db.rows<DuePayment>(sql`
    select business_id, intent_id, address from payments
    where environment = ${environment} and status = 'protected' and outcome is null and not settleable_event_sent
      and protection_deadline <= ${statementNow(environment)}
    order by protection_deadline limit ${limit}::integer`);

/**
 * Payments of which the program would pay something out now, longest due first, with the time by which they are due:
 * payments of intents or, where there is none, those that matched no intent. Apart, since what a stranger paid, maybe in a
 * token of their own, must not keep a merchant's from leaving.
 */
export async function listDue(db: Db, environment: Environment, except: readonly string[], limit: number) {
  const bound = await db.rows<DueAddress>(
    due(environment, sql`payments`, sql`status = 'protected' and settleable_event_sent`, except, limit),
  );
  if (bound.length > 0) return bound;
  return db.rows<DueAddress>(due(environment, sql`unmatched_payments`, sql`status = 'protected'`, except, limit));
}

interface DueAddress {
  readonly address: string;
  readonly now: Date;
}

/** Past the deadline; with a part that is bound and has not left; 90 days in dispute. Each by an index of its own. */
const due = (environment: Environment, payments: Sql, settling: Sql, except: readonly string[], limit: number): Sql => {
  const now = sql`(${statementNow(environment)} - make_interval(secs => ${CHAIN_BEHIND_SECONDS}::double precision))`;
  const lapse = sql`make_interval(secs => ${DISPUTE_LAPSE_MS / 1000}::double precision)`;
  const mine = sql`environment = ${environment} and not address = any(${except}::text[])`;
  return sql`
    select address, ${now} as now from (
      (select address, protection_deadline as due_at from ${payments}
        where ${mine} and ${settling} and outcome is null and protection_deadline <= ${now}
        order by protection_deadline limit ${limit}::integer)
      union all
      (select address, checked_at from ${payments}
        where ${mine} and status in ('protected', 'disputed') and (outcome is not null or refund_total > amount_refunded)
        order by checked_at limit ${limit}::integer)
      union all
      (select address, disputed_at + ${lapse} from ${payments}
        where ${mine} and status = 'disputed' and outcome is null and disputed_at <= ${now} - ${lapse}
        order by disputed_at limit ${limit}::integer)) d
    group by address order by min(due_at) limit ${limit}::integer`;
};
