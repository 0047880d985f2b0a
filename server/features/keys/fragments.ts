import { type Sql, sql } from "../../store/sql.ts";

/** The number of active keys of the business `b`. */
export const ACTIVE_KEYS_OF_B: Sql = sql`
  (select count(*)::integer from api_keys k where k.business_id = b.id and k.slot is not null)`;

/** True if the key has neither been revoked nor expired. */
export const isKeyActive = (businessId: Sql, keyId: Sql): Sql => sql`
  exists (select from api_keys k where k.business_id = ${businessId} and k.id = ${keyId}
    and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()))`;
