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

/** Protected payments past their deadline that nobody was told of yet. */
export const listUntold = (db: Db, environment: Environment, limit: number) =>
  db.rows<DuePayment>(sql`
    select business_id, intent_id, address from payments
    where environment = ${environment} and status = 'protected' and not settleable_told
      and protection_deadline <= ${statementNow(environment)}
    order by protection_deadline limit ${limit}::integer`);

/** Everything under our operator that the program would settle now, matched to an intent or not, longest due first. */
export const listSettleable = (db: Db, environment: Environment, except: readonly string[], limit: number) => {
  const due = sql`protection_deadline <= ${statementNow(environment)}
    - make_interval(secs => ${CHAIN_BEHIND_SECONDS}::double precision)`;
  return db.rows<{ address: string }>(sql`
    select address from (
      (select address, protection_deadline from payments
        where environment = ${environment} and status = 'protected' and settleable_told and ${due}
          and not address = any(${except}::text[])
        order by protection_deadline limit ${limit}::integer)
      union all
      (select address, protection_deadline from unmatched_payments
        where environment = ${environment} and status = 'protected' and ${due}
          and not address = any(${except}::text[])
        order by protection_deadline limit ${limit}::integer)
    ) due order by protection_deadline limit ${limit}::integer`);
};
