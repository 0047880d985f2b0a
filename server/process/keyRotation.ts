import type { OnUnreadable, SealedSecret } from "../domain/sealing.ts";
import { listSealedAnswers, resealAnswers } from "../edge/http/sealedAnswers.ts";
import { listSealedAddresses, resealAddresses } from "../features/buyerEmails/keys.ts";
import { listSealedBuyers, resealBuyers } from "../features/disputes/address/keys.ts";
import { listSealedReceiptKeys, resealReceiptKey } from "../features/receipts/actions.ts";
import { listSealedTotp, resealTotpSecrets } from "../features/staff/account/actions.ts";
import { listSealedSecrets, resealSecrets } from "../features/webhooks/endpoints/keyQueries.ts";
import { type KeyRing, sealingOf } from "../features/webhooks/sending/secret.ts";
import type { Log } from "../lib/log.ts";
import type { Database } from "../store/database.ts";

/** How a ring fits the secrets that are stored; empty lists: each of them can be read. */
export interface KeyReport {
  /** Versions that the ring lacks, and those whose key is another one of the same number: it opens nothing. */
  readonly missing: readonly number[];
  readonly wrong: readonly number[];
  /** The secrets that cannot be read, and whether webhooks are among those of missing and wrong keys. */
  readonly unreadable: readonly string[];
  readonly stopsWebhooks: boolean;
}

interface Stored {
  opened: number;
  readonly unreadable: string[];
  isOfWebhooks: boolean;
}

/** Decrypts every stored secret. */
export async function examineKeys(database: Database, ring: KeyRing): Promise<KeyReport> {
  const sealing = sealingOf(ring);
  const versions = new Map<number, Stored>();
  const read = async (secrets: AsyncIterable<SealedSecret>, isOfWebhooks: boolean) => {
    for await (const { what, boundTo, sealed } of secrets) {
      const version = Number(/^v(\d+)\./.exec(sealed)?.[1] ?? ring.current);
      const stored = versions.get(version) ?? { opened: 0, unreadable: [], isOfWebhooks: false };
      versions.set(version, stored);
      stored.isOfWebhooks ||= isOfWebhooks;
      try {
        sealing.open(boundTo, sealed);
        stored.opened++;
      } catch {
        stored.unreadable.push(what);
      }
    }
  };
  await read(listSealedSecrets(database), true);
  await read(listSealedTotp(database), false);
  await read(listSealedReceiptKeys(database), false);
  await read(listSealedAddresses(database, sealing), false);
  await read(listSealedBuyers(database, sealing), false);
  await read(listSealedAnswers(database, sealing), false);
  const sorted = [...versions].sort(([one], [other]) => one - other);
  const missing = sorted.filter(([version]) => !ring.keys.has(version));
  // A few under an older key were altered, and stayed behind when all others were sealed again.
  const openedInAll = sorted.reduce((sum, [, { opened }]) => sum + opened, 0);
  const wrong = sorted.filter(
    ([version, { opened, unreadable }]) =>
      ring.keys.has(version) && opened === 0 && (version === ring.current || unreadable.length > openedInAll),
  );
  return {
    missing: missing.map(([version]) => version),
    wrong: wrong.map(([version]) => version),
    unreadable: sorted.flatMap(([, { unreadable }]) => unreadable),
    stopsWebhooks: [...missing, ...wrong].some(([, { isOfWebhooks }]) => isOfWebhooks),
  };
}

/** Says which keys are missing or wrong; null: none. */
export function describeKeys({ missing, wrong, unreadable }: KeyReport): string | null {
  if (missing.length > 0) return `encrypted under keys that are missing: version ${missing.join(", ")}.`;
  if (wrong.length > 0) return `encrypted under other keys of the same number: version ${wrong.join(", ")} opens none.`;
  return unreadable.length > 0 ? `not to be read: ${nameSome(unreadable)}.` : null;
}

/**
 * Throws if the ring has another key of the same number than secrets were encrypted with: what is sealed with it would need
 * both. A lost key is replaced under a new number.
 */
export async function requireSealable(database: Database, ring: KeyRing): Promise<void> {
  const { wrong } = await examineKeys(database, ring);
  if (wrong.length > 0)
    throw new Error(
      `Nothing is encrypted with version ${wrong.join(", ")}: it opens no secret stored under its number.`,
    );
}

/**
 * Throws if secrets of webhooks are encrypted with keys that the ring lacks, or has others for: their deliveries could not be
 * signed. Apps of staff, the receipts' key and
 * secrets that were altered are less than that: a line of the log.
 */
export async function requireKeys(database: Database, ring: KeyRing, log: Log): Promise<void> {
  const report = await examineKeys(database, ring);
  const words = describeKeys(report);
  if (words === null) return;
  if (report.stopsWebhooks) throw new Error(`Webhook secrets are ${words}`);
  log(`Stored secrets are ${words}`, undefined, "error");
}

const NAMED_MAX = 20;
function nameSome(names: readonly string[]): string {
  const more = names.length > NAMED_MAX ? `, and ${names.length - NAMED_MAX} more` : "";
  return `${names.slice(0, NAMED_MAX).join(", ")}${more}`;
}

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
    resealAddresses(database, sealing, onUnreadable),
    resealBuyers(database, sealing, onUnreadable),
    resealAnswers(database, sealing, onUnreadable),
  ]);
  for (const one of done) if (one.status === "rejected") throw one.reason;
  if (unreadable.size === 0) return;
  const names = [...unreadable.keys()].sort();
  throw new Error(`Secrets cannot be read: ${nameSome(names)}.`, { cause: unreadable.get(names[0]!) });
}
