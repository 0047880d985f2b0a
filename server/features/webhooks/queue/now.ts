import { type Sql, sql } from "../../../store/sql.ts";

/**
 * The database's real time, which decides everything about deliveries: retries never follow an environment's clock.
 * Tests pass an offset to live through days in seconds; it stays an index condition either way.
 */
export const nowAhead = (aheadMs: number): Sql =>
  sql`(now() + make_interval(secs => ${aheadMs / 1000}::double precision))`;
