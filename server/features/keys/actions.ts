import { ActionError, explainMissingBusiness } from "../../domain/actionError.ts";
import type { Actor, Tenant } from "../../domain/callers.ts";
import { ACTIVE_KEYS_MAX } from "../../domain/limits.ts";
import type { Database, Db } from "../../store/database.ts";
import type { AuditAction, AuditEntry } from "../audit/audit.ts";
import { recordAudit } from "../audit/fragments.ts";
import { isChainConfigured } from "../chains/fragments.ts";
import { notifyOwners } from "../staff/fragments.ts";
import { KEY_NAME, KEY_RATE, type Key, type KeyGrace, type KeyOptions } from "./key.ts";
import { endKey, findKey, type IssuedKey, insertKey, replaceKey } from "./queries.ts";

export { listKeys } from "./queries.ts";

/**
 * Issues an API key (§5.9). Throws {@link ActionError}: `chain_not_configured`, since a key is useless in an
 * environment without a chain; `key_rate_invalid`; `key_name_invalid`; `business_not_found`; `key_limit_reached`.
 */
export async function issueKey(
  database: Database,
  actor: Actor,
  { businessId, environment }: Tenant,
  options: KeyOptions = {},
): Promise<IssuedKey> {
  if (!(await isChainConfigured(database, environment)))
    throw new ActionError(
      "chain_not_configured",
      `No chain is configured for ${environment}. Set ${environment.toUpperCase()}_CHAIN and start the service first.`,
    );
  const { ratePerMinute, name = null } = options;
  if (ratePerMinute !== undefined && KEY_RATE.parse(ratePerMinute) === null)
    throw new ActionError("key_rate_invalid", `The rate must be ${KEY_RATE.expected}.`);
  if (name !== null && KEY_NAME.parse(name) === null)
    throw new ActionError("key_name_invalid", "The name must have 1 to 100 characters.");
  const issued = await database.transaction(async (db) => {
    const made = await insertKey(db, businessId, environment, options).catch(explainMissingBusiness(businessId));
    if (made === null) return null;
    await db.rows(recordAudit(actor, describe("key.issued", made.key)));
    await notifyOwners(db, actor, businessId, { notice: "key_issued", about: made.key.name ?? made.key.id });
    return made;
  });
  if (issued === null)
    throw new ActionError(
      "key_limit_reached",
      `${businessId} has ${ACTIVE_KEYS_MAX} active ${environment} keys. Revoke or roll one.`,
    );
  return issued;
}

/** Issues a key's successor (§5.9.4). Throws {@link ActionError}: `key_not_found`, `key_not_active`. */
export async function rollKey(
  database: Database,
  actor: Actor,
  businessId: string,
  id: string,
  grace: KeyGrace,
): Promise<IssuedKey> {
  const issued = await replaceKey(database, businessId, id, grace, async (db, { key }) => {
    await db.rows(recordAudit(actor, describe("key.rolled", { ...key, id }, { grace, successor: key.id })));
    await notifyOwners(db, actor, businessId, { notice: "key_rolled", about: key.name ?? key.id });
  });
  if (issued !== null) return issued;
  await requireKey(database, businessId, id);
  throw new ActionError("key_not_active", `${id} is not active; only an active key can be rolled.`);
}

/** Revokes a key (§5.9.5). Throws {@link ActionError}: `key_not_found`, `key_already_revoked`. */
export async function revokeKey(database: Database, actor: Actor, businessId: string, id: string): Promise<void> {
  const ended = await database.transaction(async (db) => {
    if (!(await endKey(db, businessId, id))) return false;
    const key = await findKey(db, businessId, id);
    await db.rows(recordAudit(actor, describe("key.revoked", key!)));
    return true;
  });
  if (ended) return;
  await requireKey(database, businessId, id);
  throw new ActionError("key_already_revoked", `${id} is already revoked.`);
}

/** The audit entry of a change of a key. */
const describe = (
  action: AuditAction,
  { businessId, environment, id, name, last4, scope }: Key,
  details: Readonly<Record<string, string>> = {},
): AuditEntry => ({ businessId, environment, action, target: id, details: { name, last4, scope, ...details } });

/** Called only after nothing was written, to find the reason. */
async function requireKey(db: Db, businessId: string, id: string): Promise<void> {
  if ((await findKey(db, businessId, id)) === null) throw missingKey(id);
}

export const missingKey = (id: string) => new ActionError("key_not_found", `There is no key ${id}.`);
