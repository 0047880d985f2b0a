import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { type KeyRing, openSecret, sealSecret } from "../sending/secret.ts";

const BATCH_MAX = 1_000;

/** The key versions in use, over all businesses. A process without one of them must not start to deliver. */
export async function listKeyVersions(db: Db): Promise<number[]> {
  const rows = await db.rows<{ version: string }>(sql`
    select distinct substr(split_part(s, '.', 1), 2) as version
    from webhook_endpoints, unnest(array[secret, previous_secret]) s where s is not null`);
  return rows.map((row) => Number(row.version));
}

/** Encrypts every secret with the current key, so that older keys can be removed. Returns the number of changed endpoints. */
export async function resealSecrets(db: Db, ring: KeyRing): Promise<number> {
  let count = 0;
  for (let more = true; more; ) {
    const resealed = await resealSome(db, ring);
    count += resealed;
    more = resealed === BATCH_MAX;
  }
  return count;
}

async function resealSome(db: Db, ring: KeyRing): Promise<number> {
  const rows = await db.rows<{ business_id: string; id: string; secret: string; previous_secret: string | null }>(sql`
    select business_id, id, secret, previous_secret from webhook_endpoints
    where secret not like ${`v${ring.current}.%`} or previous_secret not like ${`v${ring.current}.%`}
    order by business_id, id limit ${BATCH_MAX}::integer`);
  const reseal = (id: string, sealed: string | null) =>
    sealed === null ? null : sealSecret(ring, id, openSecret(ring, id, sealed));
  for (const { business_id, id, secret, previous_secret } of rows)
    await db.rows(sql`
      update webhook_endpoints set secret = ${reseal(id, secret)}, previous_secret = ${reseal(id, previous_secret)}::text
      where business_id = ${business_id} and id = ${id} and secret = ${secret}
        and previous_secret is not distinct from ${previous_secret}::text`);
  return rows.length;
}
