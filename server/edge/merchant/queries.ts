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
  place: string;
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
 * Looks keys up and counts their requests, in one statement that commits by itself: revoking works on the next request,
 * and the database's clock decides the minute for every process. Null: no such key, or revoked, or its grace is over.
 * Requests of one key count in the order given. One that waited for the row while a new minute began counts toward it.
 */
export async function admitRequests(db: Db, keyHashes: readonly Buffer[]): Promise<(Admission | null)[]> {
  const rows = await db.rows<AdmissionRow>(sql`
    with asked as (
      select k.business_id, k.id, k.environment, k.rate_per_minute, b.name, a.place,
        row_number() over same as nth, count(*) over (partition by k.business_id, k.id) as asked
      from unnest(string_to_array(${keyHashes.map((hash) => hash.toString("hex")).join(",")}, ',')) with ordinality as a (hash, place)
      join api_key_hashes h on h.hash = decode(a.hash, 'hex')
      join api_keys k on k.business_id = h.business_id and k.id = h.key_id
      join businesses b on b.id = k.business_id
      where k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      window same as (partition by k.business_id, k.id order by a.place)),
    counted as (
      insert into key_rates as r (business_id, key_id, minute, used)
      select business_id, id, date_trunc('minute', now()), asked from asked where nth = 1 order by business_id, id
      on conflict (business_id, key_id) do update set
        used = case when excluded.minute > r.minute then excluded.used else r.used + excluded.used end,
        minute = greatest(r.minute, excluded.minute)
      returning business_id, key_id, minute, used)
    select a.place, a.business_id, a.name, a.environment, a.id as key_id, a.rate_per_minute,
      (c.used - a.asked + a.nth)::integer as used,
      greatest(1, ceil(extract(epoch from c.minute + interval '1 minute' - now())))::integer as reset_seconds,
      date_trunc('milliseconds', now()) + clocks.ahead as now
    from asked a
    join counted c on c.business_id = a.business_id and c.key_id = a.id
    join clocks on clocks.environment = a.environment`);
  const admissions: (Admission | null)[] = keyHashes.map(() => null);
  for (const row of rows)
    admissions[Number(row.place) - 1] = {
      caller: { businessId: row.business_id, businessName: row.name, environment: row.environment, keyId: row.key_id },
      now: row.now,
      rateLimit: row.rate_per_minute,
      rateUsed: row.used,
      rateResetSeconds: row.reset_seconds,
    };
  return admissions;
}

export const admitRequest = async (db: Db, keyHash: Buffer): Promise<Admission | null> =>
  (await admitRequests(db, [keyHash]))[0]!;
