import type { Merchant } from "../../domain/callers.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";

/** The number of active keys of the business `b`. */
export const ACTIVE_KEYS_OF_B: Sql = sql`
  (select count(*)::integer from api_keys k where k.business_id = b.id and k.slot is not null)`;

/** True if the key has neither been revoked nor expired. */
export const isKeyActive = (businessId: Sql, keyId: Sql): Sql => sql`
  exists (select from api_keys k where k.business_id = ${businessId} and k.id = ${keyId}
    and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()))`;

/** The SHA-256 of a caller's key; null if it is gone. */
export async function findKeyHash(db: Db, { businessId, keyId }: Merchant): Promise<Uint8Array | null> {
  const row = await db.row<{ hash: Uint8Array }>(
    sql`select hash from api_keys where business_id = ${businessId} and id = ${keyId}`,
  );
  return row?.hash ?? null;
}
