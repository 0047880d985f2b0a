import type { Environment } from "../../domain/terms.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

export interface DuePayment {
  readonly business_id: string;
  readonly intent_id: string;
  readonly address: string;
}

/** Protected payments past their deadline by the chain's clock that nobody was told of yet. */
export const listUntold = (db: Db, environment: Environment, chainNow: Date, limit: number) =>
  db.rows<DuePayment>(sql`
    select business_id, intent_id, address from payments
    where environment = ${environment} and status = 'protected' and protection_deadline <= ${chainNow} and not settleable_told
    order by protection_deadline limit ${limit}::integer`);

/** Everything under our operator that the program would settle now, matched to an intent or not, longest due first. */
export const listSettleable = (
  db: Db,
  environment: Environment,
  chainNow: Date,
  except: readonly string[],
  limit: number,
) =>
  db.rows<{ address: string }>(sql`
    select address from (
      (select address, protection_deadline from payments
        where environment = ${environment} and status = 'protected' and settleable_told and protection_deadline <= ${chainNow}
          and not address = any(${except}::text[])
        order by protection_deadline limit ${limit}::integer)
      union all
      (select address, protection_deadline from unmatched_payments
        where environment = ${environment} and status = 'protected' and protection_deadline <= ${chainNow}
          and not address = any(${except}::text[])
        order by protection_deadline limit ${limit}::integer)
    ) due order by protection_deadline limit ${limit}::integer`);
