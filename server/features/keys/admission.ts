import type { KeyScope } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import type { Admission } from "../../edge/merchant/api.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

interface AdmittedRow {
  /** `ordinal business key environment limit scope lifetime` of each valid key; null if none is valid. */
  admitted: string | null;
  /** `business key used minute` of each valid key, the minute in seconds since the epoch. */
  counts: string | null;
  /** Real time, then the time of each environment, in seconds since the epoch. */
  clocks: string;
}

/**
 * Finds keys and counts their requests, in one statement that commits by itself. So a revoked key fails on the next
 * request, and the database's clock decides the minute for every process. Returns null for a key that does not exist,
 * was revoked, or is past its grace. Requests of one key count in the order of `keyHashes`. A request that waited for
 * the row while a new minute began counts in the new minute.
 *
 * Keys and counts travel as one text each, since `pg` reads rows column by column, which is slow. They are joined here
 * by a map: PostgreSQL expects more rows and would compare all pairs.
 */
export async function admitRequests(db: Db, keyHashes: readonly string[]): Promise<(Admission | null)[]> {
  const asked = new Map<string, number[]>();
  keyHashes.forEach((hash, index) => {
    const same = asked.get(hash);
    if (same === undefined) asked.set(hash, [index]);
    else same.push(index);
  });
  const indexes = [...asked.values()];
  const row = await db.row<AdmittedRow>(sql`
    with asked as materialized (
      select k.business_id, k.id, k.environment, k.rate_per_minute, k.scope, k.intent_lifetime_minutes, a.ordinal, a.requests
      from unnest(string_to_array(${[...asked.keys()].join(",")}, ','), string_to_array(${indexes.map((of) => of.length).join(",")}, ',')::integer[])
        with ordinality as a (hash, requests, ordinal)
      -- Looked up one key at a time ("offset 0" is a fence): on a small table, a join would read every key.
      cross join lateral (
        select k.business_id, k.id, k.environment, k.rate_per_minute, k.scope, b.intent_lifetime_minutes
        from api_key_hashes h join api_keys k on k.business_id = h.business_id and k.id = h.key_id
          join businesses b on b.id = k.business_id
        where h.hash = decode(a.hash, 'hex') and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        offset 0) k),
    counted as (
      insert into key_rates as r (business_id, key_id, minute, used)
      select business_id, id, date_trunc('minute', now()), requests from asked order by business_id, id
      on conflict (business_id, key_id) do update set
        used = case when excluded.minute > r.minute then excluded.used else r.used + excluded.used end,
        minute = greatest(r.minute, excluded.minute)
      returning business_id, key_id, minute, used)
    select
      (select string_agg(ordinal || ' ' || business_id || ' ' || id || ' ' || environment || ' ' || rate_per_minute || ' ' || scope || ' ' || coalesce(intent_lifetime_minutes, 0), ',') from asked) as admitted,
      (select string_agg(business_id || ' ' || key_id || ' ' || used || ' ' || date_part('epoch', minute), ',') from counted) as counts,
      date_part('epoch', now()) || ',' ||
        (select string_agg(environment || ' ' || date_part('epoch', date_trunc('milliseconds', now()) + ahead), ',') from clocks) as clocks`);
  const admissions: (Admission | null)[] = keyHashes.map(() => null);
  if (row === null || row.admitted === null) return admissions;
  const countOf = new Map(row.counts!.split(",").map(parseCount));
  const [real, ...presents] = row.clocks.split(",");
  const presentOf = new Map(presents.map(parsePresent));
  for (const text of row.admitted.split(",")) {
    const [ordinal, businessId, keyId, environment, limit, scope, lifetime] = text.split(" ");
    const { used, minute } = countOf.get(`${businessId} ${keyId}`)!;
    const caller = {
      businessId: businessId!,
      environment: environment as Environment,
      keyId: keyId!,
      scope: scope as KeyScope,
      intentLifetimeMinutes: Number(lifetime) || null,
    };
    const now = presentOf.get(environment!)!;
    const rateLimit = Number(limit);
    const rateResetSeconds = Math.max(1, Math.ceil(minute + MINUTE_SECONDS - Number(real)));
    const same = indexes[Number(ordinal) - 1]!;
    same.forEach((index, nth) => {
      const rateUsed = used - same.length + nth + 1;
      admissions[index] = { caller, now, rateLimit, rateUsed, rateResetSeconds };
    });
  }
  return admissions;
}

const MINUTE_SECONDS = 60;

function parseCount(text: string): [key: string, count: { readonly used: number; readonly minute: number }] {
  const [business, key, used, minute] = text.split(" ");
  return [`${business} ${key}`, { used: Number(used), minute: Number(minute) }];
}

function parsePresent(text: string): [environment: string, present: Date] {
  const [environment, seconds] = text.split(" ");
  return [environment!, new Date(Math.round(Number(seconds) * 1000))];
}

export const admitRequest = async (db: Db, keyHash: string): Promise<Admission | null> =>
  (await admitRequests(db, [keyHash]))[0]!;
