import { type Sql, sql } from "../../../store/sql.ts";

let aheadMs = 0;

/**
 * The time of everything about deliveries: the database's real time (§10.10). Retries never follow an environment's clock.
 * As `now()` with a constant added, it stays an index condition.
 */
export const deliveryTime = (): Sql => sql`(now() + make_interval(secs => ${aheadMs / 1000}::double precision))`;

/** For tests that live through days in seconds: from now on, this process takes the time to be so much later. */
export const setDeliveryTimeAhead = (ms: number): void => {
  aheadMs = ms;
};
