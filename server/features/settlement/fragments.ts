import type { Environment } from "../../domain/terms.ts";
import { statementNow } from "../../store/clock.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { RENEWALS_PER_DAY, SENT_WAIT_MAX_MS } from "./waits.ts";

/**
 * Assignments of a statement that updates payments `p` from rows `u`: when a part is seen to have left, the keeper's
 * wait for it ends, so that the next part is not delayed (§3.2.12). This happens {@link RENEWALS_PER_DAY} times a day
 * at most: each part costs a fee, and a recipient may refund unit by unit.
 */
export function endWaitOfParts(environment: Environment): Sql {
  const now = statementNow(environment);
  const step = sql`make_interval(hours => 24) / ${RENEWALS_PER_DAY}::integer`;
  const ends = sql`(p.keeper_tries > 0 and (u.amount_refunded > p.amount_refunded or u.amount_released > p.amount_released)
      and coalesce(p.keeper_renewed_to, ${now}) + ${step} <= ${now} + make_interval(hours => 24))`;
  return sql`
    keeper_renewed_to = case when ${ends} then greatest(p.keeper_renewed_to, ${now}) + ${step} else p.keeper_renewed_to end,
    keeper_tries = case when ${ends} then 0 else p.keeper_tries end,
    keeper_refusal = case when ${ends} then null else p.keeper_refusal end,
    keeper_waits_until = case when ${ends} then null else p.keeper_waits_until end`;
}

/** After this many tries that sent something, minutes have passed, in which a transaction lands or dies. */
export const UNLANDED_TRIES = 3;

/**
 * Payments of a table that were sent this often and have not left. A payment that waits for its next try is due within
 * the longest wait.
 */
export const isUnlanded = (environment: Environment): Sql => sql`
  environment = ${environment} and keeper_refusal is null and keeper_tries >= ${UNLANDED_TRIES}::integer
  and keeper_at <= ${statementNow(environment)} + make_interval(secs => ${SENT_WAIT_MAX_MS / 1_000}::double precision)`;

/** The due time of the payment that is due longest, bound to an intent or not; null if none is due. */
export function oldestDue(environment: Environment): Sql {
  const due = sql`where environment = ${environment} and keeper_at <= ${statementNow(environment)}`;
  return sql`least((select min(keeper_at) from payments ${due}), (select min(keeper_at) from unmatched_payments ${due}))`;
}
