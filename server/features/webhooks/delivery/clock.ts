import { type Sql, sql } from "../../../store/sql.ts";

let aheadMs = 0;

/**
 * The time for everything about deliveries: the database's real time (§10.10). Retries never follow an environment's
 * clock. As `now()` plus a constant, it stays an index condition.
 */
export const deliveryTime = (): Sql => sql`(now() + make_interval(secs => ${aheadMs / 1000}::double precision))`;

/** For tests that live through days in seconds: moves this process's time of deliveries forward. */
export const setDeliveryTimeAhead = (ms: number): void => {
  aheadMs = ms;
};
