import type { Merchant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

export interface Admission {
  readonly caller: Merchant;
  /** The environment's present. */
  readonly now: Date;
  readonly rateLimit: number;
  /** Requests of this key in the current minute, this one included; above `rateLimit` it is refused. */
  readonly rateUsed: number;
  /** Whole seconds until the minute ends, at least 1. */
  readonly rateResetSeconds: number;
}

interface AdmissionRow {
  business_id: string;
  name: string;
  environment: Environment;
  key_id: string;
  rate_per_minute: number;
  used: number;
  reset_seconds: number;
  now: Date;
}

/**
 * Looks a key up and counts the request, in one statement that commits by itself: revoking works on the next request,
 * and the database's clock decides the minute for every process. Null: no such key, or revoked, or its grace is over.
 * A request that waited for the row while a new minute began counts toward the new one.
 */
export async function admitRequest(db: Db, keyHash: Buffer): Promise<Admission | null> {
  const row = await db.row<AdmissionRow>(sql`
    with key as (
      select k.business_id, k.id, k.environment, k.rate_per_minute, b.name
      from api_key_hashes h
      join api_keys k on k.business_id = h.business_id and k.id = h.key_id
      join businesses b on b.id = k.business_id
      where h.hash = ${keyHash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())),
    counted as (
      insert into key_rates as r (business_id, key_id, minute, used)
      select business_id, id, date_trunc('minute', now()), 1 from key
      on conflict (business_id, key_id) do update set
        used = case when excluded.minute > r.minute then 1 else r.used + 1 end,
        minute = greatest(r.minute, excluded.minute)
      returning minute, used)
    select key.business_id, key.name, key.environment, key.id as key_id, key.rate_per_minute, counted.used,
      greatest(1, ceil(extract(epoch from counted.minute + interval '1 minute' - now())))::integer as reset_seconds,
      date_trunc('milliseconds', now()) + clocks.ahead as now
    from key, counted, clocks where clocks.environment = key.environment`);
  if (row === null) return null;
  return {
    caller: { businessId: row.business_id, businessName: row.name, environment: row.environment, keyId: row.key_id },
    now: row.now,
    rateLimit: row.rate_per_minute,
    rateUsed: row.used,
    rateResetSeconds: row.reset_seconds,
  };
}
