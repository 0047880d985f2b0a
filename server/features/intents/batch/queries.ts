import type { Tenant } from "../../../domain/callers.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";

/** The intents that these rows led to since a time; null if they did not. */
export async function findBatch(db: Db, tenant: Tenant, hash: Buffer, since: Date): Promise<readonly string[] | null> {
  const row = await db.row<{ intentIds: readonly string[] }>(sql`
    select intent_ids as "intentIds" from intent_batches
    where business_id = ${tenant.businessId} and environment = ${tenant.environment} and hash = ${hash}::bytea
      and created_at > ${since}`);
  return row?.intentIds ?? null;
}

/** Keeps what these rows led to. Returns false if another upload has done so since a time. */
export const saveBatch = (
  db: Db,
  tenant: Tenant,
  batch: { readonly hash: Buffer; readonly intentIds: readonly string[]; readonly createdAt: Date },
  since: Date,
): Promise<boolean> =>
  db.has(sql`
    insert into intent_batches as b (business_id, environment, hash, intent_ids, created_at)
    values (${tenant.businessId}, ${tenant.environment}, ${batch.hash}::bytea, ${[...batch.intentIds]}::text[], ${batch.createdAt})
    on conflict (business_id, environment, hash) do update set intent_ids = excluded.intent_ids, created_at = excluded.created_at
    where b.created_at <= ${since}
    returning b.hash`);

const PURGED_MAX = 500;

/** Forgets what files led to eight days ago: the same rows are new payments after seven (§13.18.5). Returns true if there may be more. */
export async function purgeBatches(db: Db): Promise<boolean> {
  const purged = await db.rows(sql`
    delete from intent_batches where (business_id, environment, hash) in (
      select business_id, environment, hash from intent_batches
      where created_at < now() - interval '8 days' limit ${PURGED_MAX}::integer for update skip locked)
    returning hash`);
  return purged.length === PURGED_MAX;
}
