import { ActionError } from "../../domain/actionError.ts";
import type { Tenant } from "../../domain/callers.ts";
import { ACTIVE_KEYS_MAX } from "../../domain/limits.ts";
import type { Database, Db } from "../../store/database.ts";
import { explainMissingBusiness } from "../businesses/fragments.ts";
import { isChainConfigured } from "../chains/fragments.ts";
import { isKeyRate, KEY_RATE_MAX, type KeyGrace } from "./key.ts";
import { endKey, findKey, type IssuedKey, insertKey, replaceKey } from "./queries.ts";

export { listKeys } from "./queries.ts";

/**
 * Issues an API key (§5.9). Throws {@link ActionError}: `chain_not_configured`, since a key of an environment without a
 * chain could do nothing; `key_rate_invalid`; `business_not_found`; `key_limit_reached`.
 */
export async function issueKey(
  db: Db,
  { businessId, environment }: Tenant,
  ratePerMinute?: number,
): Promise<IssuedKey> {
  if (!(await isChainConfigured(db, environment)))
    throw new ActionError(
      "chain_not_configured",
      `No chain is configured for ${environment}. Set ${environment.toUpperCase()}_RPC_URLS and start the service first.`,
    );
  if (ratePerMinute !== undefined && !isKeyRate(ratePerMinute))
    throw new ActionError("key_rate_invalid", `A rate is whole requests per minute, 1 to ${KEY_RATE_MAX}.`);
  const issued = await insertKey(db, businessId, environment, ratePerMinute).catch(explainMissingBusiness(businessId));
  if (issued === null)
    throw new ActionError(
      "key_limit_reached",
      `${businessId} has ${ACTIVE_KEYS_MAX} active ${environment} keys. Revoke or roll one.`,
    );
  return issued;
}

/** Issues a key's successor (§5.9.4). Throws {@link ActionError}: `key_not_found`, `key_not_active`. */
export async function rollKey(database: Database, businessId: string, id: string, grace: KeyGrace): Promise<IssuedKey> {
  const issued = await replaceKey(database, businessId, id, grace);
  if (issued !== null) return issued;
  await requireKey(database, businessId, id);
  throw new ActionError("key_not_active", `${id} is not active; only an active key can be rolled.`);
}

/** Revokes a key (§5.9.5). Throws {@link ActionError}: `key_not_found`, `key_already_revoked`. */
export async function revokeKey(db: Db, businessId: string, id: string): Promise<void> {
  if (await endKey(db, businessId, id)) return;
  await requireKey(db, businessId, id);
  throw new ActionError("key_already_revoked", `${id} is revoked already.`);
}

/** Asked only after nothing was written, to say why. */
async function requireKey(db: Db, businessId: string, id: string): Promise<void> {
  if ((await findKey(db, businessId, id)) === null) throw missingKey(id);
}

export const missingKey = (id: string) => new ActionError("key_not_found", `There is no key ${id}.`);
