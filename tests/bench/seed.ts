import { hashSecretKey, newSecretKey } from "../../server/domain/ids.ts";
import type { Database } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";

/** Businesses named biz_000…1 to biz_000…n, each with one key whose rate never ends; returns the keys in that order. */
export async function seedBusinesses(database: Database, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => newSecretKey("test"));
  const ids = keys.map((_, index) => (index + 1).toString().padStart(32, "0"));
  await database.rows(sql`
    with given as (
      select * from unnest(${ids}::text[], ${keys.map((key) => hashSecretKey(key)!)}::bytea[]) as g (id, hash)),
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
