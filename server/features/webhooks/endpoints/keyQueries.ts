import { NO_PREFIX, type OnUnreadable, type SealedSecret } from "../../../domain/sealing.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { type KeyRing, openSecret, sealingOf, sealSecret } from "../sending/secret.ts";

const BATCH_MAX = 1_000;

interface EndpointSecrets {
  readonly business_id: string;
  readonly id: string;
  readonly secret: string;
  readonly previous_secret: string | null;
}

/** The endpoints with a secret whose text does not begin with `prefix`, over all businesses. */
async function* eachOutdated(db: Db, prefix: string): AsyncGenerator<EndpointSecrets> {
  for (let after: Pick<EndpointSecrets, "business_id" | "id"> | undefined = { business_id: "", id: "" }; after; ) {
    const rows: EndpointSecrets[] = await db.rows(sql`
      select business_id, id, secret, previous_secret from webhook_endpoints
      where (not starts_with(secret, ${prefix}) or not starts_with(previous_secret, ${prefix}))
        and (business_id, id) > (${after.business_id}, ${after.id})
      order by business_id, id limit ${BATCH_MAX}::integer`);
    yield* rows;
    after = rows.length === BATCH_MAX ? rows.at(-1) : undefined;
  }
}

/** Every secret that is stored. */
export async function* listSealedSecrets(db: Db): AsyncGenerator<SealedSecret> {
  for await (const { id, secret, previous_secret } of eachOutdated(db, NO_PREFIX))
    for (const sealed of [secret, previous_secret])
      if (sealed !== null) yield { what: `endpoint ${id}`, boundTo: id, sealed };
}

/**
 * Encrypts every secret with the current key, so that older keys can be removed. A secret that cannot be opened is named, and
 * stays as it is.
 */
export async function resealSecrets(db: Db, ring: KeyRing, onUnreadable: OnUnreadable): Promise<void> {
  const reseal = (id: string, sealed: string) => {
    try {
      return sealSecret(ring, id, openSecret(ring, id, sealed));
    } catch (error) {
      onUnreadable(`endpoint ${id}`, error);
      return sealed;
    }
  };
  for await (const { business_id, id, secret, previous_secret } of eachOutdated(db, sealingOf(ring).prefix))
    await db.rows(sql`
      update webhook_endpoints set secret = ${reseal(id, secret)},
        previous_secret = ${previous_secret === null ? null : reseal(id, previous_secret)}::text
      where business_id = ${business_id} and id = ${id} and secret = ${secret}
        and previous_secret is not distinct from ${previous_secret}::text`);
}
