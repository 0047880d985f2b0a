import { newEndpointId } from "../../server/domain/ids.ts";
import { hashSecretKey, newSecretKey } from "../../server/domain/secretKeys.ts";
import { API_VERSION } from "../../server/domain/version.ts";
import { type KeyRing, newSigningSecret, sealSecret } from "../../server/features/webhooks/sending/secret.ts";
import type { Database } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";

/** Businesses named biz_000…first onwards, each with one key whose rate never ends; returns the keys in that order. */
export async function seedBusinesses(database: Database, count: number, first = 1): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => (index + first).toString().padStart(32, "0"));
  const keys = ids.map((id) => newSecretKey({ businessId: `biz_${id}`, environment: "test" }));
  await database.rows(sql`
    with given as (
      select id, decode(hash, 'hex') as hash
      from unnest(${ids}::text[], ${keys.map((key) => hashSecretKey(key)!)}::text[]) as g (id, hash)),
    made as (
      insert into businesses (id, name, created_at) select 'biz_' || id, 'Bench ' || id, now() from given on conflict do nothing),
    counted as (
      insert into event_counters (business_id, environment) select 'biz_' || id, 'test' from given on conflict do nothing),
    hashed as (
      insert into api_key_hashes (hash, business_id, key_id) select hash, 'biz_' || id, 'key_' || id from given)
    insert into api_keys (business_id, id, environment, hash, last4, rate_per_minute, slot, created_at)
    select 'biz_' || id, 'key_' || id, 'test', hash, 'nnch', 1000000000, 1, now() from given`);
  return keys;
}

/**
 * Creates one webhook endpoint for each seeded business, at these names, for all types. Held ones are disabled: their events
 * are queued and not sent.
 */
export async function seedEndpoints(
  database: Database,
  ring: KeyRing,
  names: readonly string[],
  { first = 1, held = false }: { readonly first?: number; readonly held?: boolean } = {},
): Promise<void> {
  const businesses = names.map((_, index) => `biz_${(index + first).toString().padStart(32, "0")}`);
  const ids = businesses.map((businessId) => newEndpointId({ businessId, environment: "test" }, new Date()));
  await database.rows(sql`
      insert into webhook_endpoints (business_id, id, environment, slot, url, status, api_version, secret, created_at, disabled_at)
      select business, id, 'test', 1, 'https://' || name || '/',
        case when ${held} then 'disabled' else 'enabled' end, ${API_VERSION}, secret, now(), case when ${held} then now() end
      from unnest(${businesses}::text[], ${ids}::text[], ${names}::text[], ${ids.map((id) => sealSecret(ring, id, newSigningSecret()))}::text[])
        as g (business, id, name, secret)`);
}
