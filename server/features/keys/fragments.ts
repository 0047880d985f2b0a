import { type Sql, sql } from "../../store/sql.ts";

/** The number of active keys of the business `b`. */
export const ACTIVE_KEYS_OF_B: Sql = sql`
  (select count(*)::integer from api_keys k where k.business_id = b.id and k.slot is not null)`;
