import type { OnUnreadable } from "../domain/sealing.ts";
import { resealReceiptKey } from "../features/receipts/actions.ts";
import { listReceiptKeyVersions } from "../features/receipts/queries.ts";
import { resealTotpSecrets } from "../features/staff/account/actions.ts";
import { listTotpKeyVersions } from "../features/staff/account/queries.ts";
import { listKeyVersions, resealSecrets } from "../features/webhooks/endpoints/keyQueries.ts";
import { type KeyRing, sealingOf } from "../features/webhooks/sending/secret.ts";
import type { Log } from "../lib/log.ts";
import type { Database } from "../store/database.ts";

/** The versions of the keys under which anything is stored that a process has to read again, and that the ring lacks. */
export async function listMissingKeys(database: Database, ring: KeyRing): Promise<readonly number[]> {
  const used = [
    ...(await listKeyVersions(database)),
    ...(await listTotpKeyVersions(database)),
    ...(await listReceiptKeyVersions(database)),
  ];
  return [...new Set(used)].filter((version) => !ring.keys.has(version)).sort((one, other) => one - other);
}

/**
 * Throws if secrets of webhooks are encrypted with keys that the ring lacks: their deliveries could not be signed. Apps of
 * staff and the receipts' key are less than that, so a missing key of theirs is a line of the log.
 */
export async function requireKeys(database: Database, ring: KeyRing, log: Log): Promise<void> {
  const missing = await listMissingKeys(database, ring);
  if (missing.length === 0) return;
  const words = `encrypted under keys that are missing: version ${missing.join(", ")}.`;
  if ((await listKeyVersions(database)).some((version) => missing.includes(version)))
    throw new Error(`Webhook secrets are ${words}`);
  log(`Authenticator apps of staff, or the key of receipts, are ${words}`, undefined, "error");
}

const NAMED_MAX = 20;

/**
 * Encrypts everything with the current key, so that older ones can be removed. What cannot be read stops nothing else. Throws
 * an error that names it, in the end.
 */
export async function resealAll(database: Database, ring: KeyRing): Promise<void> {
  const sealing = sealingOf(ring);
  const unreadable = new Map<string, unknown>();
  const onUnreadable: OnUnreadable = (what, error) => void unreadable.set(what, error);
  const done = await Promise.allSettled([
    resealSecrets(database, ring, onUnreadable),
    resealTotpSecrets(database, sealing, onUnreadable),
    resealReceiptKey(database, sealing, onUnreadable),
  ]);
  for (const one of done) if (one.status === "rejected") throw one.reason;
  if (unreadable.size === 0) return;
  const names = [...unreadable.keys()].sort();
  const more = names.length > NAMED_MAX ? `, and ${names.length - NAMED_MAX} more` : "";
  throw new Error(`Secrets cannot be read: ${names.slice(0, NAMED_MAX).join(", ")}${more}.`, {
    cause: unreadable.get(names[0]!),
  });
}
