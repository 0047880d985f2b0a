import type { Environment } from "../../domain/terms.ts";
import { statementNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

export interface DuePayment {
  readonly business_id: string;
  readonly intent_id: string;
  readonly address: string;
}

/** The chain's clock may stand this far behind ours; the keeper waits it out rather than be refused. */
const CHAIN_BEHIND_SECONDS = 3;

/** Protected payments past their deadline that have no `payment.settleable` event yet. */
export const listSettleableUnannounced = (db: Db, environment: Environment, limit: number) =>
  db.rows<DuePayment>(sql`
    select business_id, intent_id, address from payments
    where environment = ${environment} and status = 'protected' and not settleable_event_sent
      and protection_deadline <= ${statementNow(environment)}
    order by protection_deadline limit ${limit}::integer`);

/**
 * What the program would settle now, longest due first: payments of intents, or, where there is none, those that matched
 * no intent. Apart, since what a stranger paid, maybe in a token of his own, must not keep a merchant's from settling.
 */
export async function listSettleable(db: Db, environment: Environment, except: readonly string[], limit: number) {
  const due = sql`status = 'protected' and not address = any(${except}::text[])
    and protection_deadline <= ${statementNow(environment)} - make_interval(secs => ${CHAIN_BEHIND_SECONDS}::double precision)
    order by protection_deadline limit ${limit}::integer`;
  const bound = await db.rows<{ address: string }>(sql`
    select address from payments where environment = ${environment} and settleable_event_sent and ${due}`);
  if (bound.length > 0) return bound;
  return db.rows<{ address: string }>(sql`
    select address from unmatched_payments where environment = ${environment} and ${due}`);
}
