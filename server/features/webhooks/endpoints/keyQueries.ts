import type { OnUnreadable } from "../../../domain/sealing.ts";
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

interface Place {
  readonly business_id: string;
  readonly id: string;
}

/**
 * Encrypts every secret with the current key, so that older keys can be removed. A secret that cannot be opened is named, and
 * stays as it is. Returns the number of endpoints that were read.
 */
export async function resealSecrets(db: Db, ring: KeyRing, onUnreadable: OnUnreadable): Promise<number> {
  let count = 0;
  for (let after: Place | null = { business_id: "", id: "" }; after !== null; ) {
    const rows = await resealSome(db, ring, after, onUnreadable);
    count += rows.length;
    after = rows.length === BATCH_MAX ? rows.at(-1)! : null;
  }
  return count;
}

async function resealSome(db: Db, ring: KeyRing, after: Place, onUnreadable: OnUnreadable): Promise<readonly Place[]> {
  const rows = await db.rows<Place & { readonly secret: string; readonly previous_secret: string | null }>(sql`
    select business_id, id, secret, previous_secret from webhook_endpoints
    where (secret not like ${`v${ring.current}.%`} or previous_secret not like ${`v${ring.current}.%`})
      and (business_id, id) > (${after.business_id}, ${after.id})
    order by business_id, id limit ${BATCH_MAX}::integer`);
  const reseal = (id: string, sealed: string) => {
    try {
      return sealSecret(ring, id, openSecret(ring, id, sealed));
    } catch (error) {
      onUnreadable(`endpoint ${id}`, error);
      return sealed;
    }
  };
  for (const { business_id, id, secret, previous_secret } of rows)
    await db.rows(sql`
      update webhook_endpoints set secret = ${reseal(id, secret)},
        previous_secret = ${previous_secret === null ? null : reseal(id, previous_secret)}::text
      where business_id = ${business_id} and id = ${id} and secret = ${secret}
        and previous_secret is not distinct from ${previous_secret}::text`);
  return rows;
}
