import {
  createSigningKey,
  type DeploymentKeys,
  type Receipt,
  type SignedReceipt,
  signReceipt,
} from "@holdfast/receipt";
import type { OnUnreadable, SealedSecret, Sealing } from "../../domain/sealing.ts";
import type { Log } from "../../lib/log.ts";
import type { Database, Db } from "../../store/database.ts";
import { listDeployments } from "../chains/fragments.ts";
import type { Context } from "../context.ts";
import { findActiveKey, insertFirstKey, listSigningKeys, replaceKey, resealKey } from "./queries.ts";
import type { SigningKeyRow } from "./receipt.ts";

export type SigningContext = Pick<Context, "database" | "sealing" | "checkoutUrl" | "log">;

async function draftKey(sealing: Sealing) {
  const { kid, x, d } = await createSigningKey();
  return { id: kid, publicKey: x, sealed: sealing.seal(boundTo(kid), d) };
}

/** No secret of anything else can stand in for a key. */
const boundTo = (kid: string): string => `receipt key ${kid}`;

/** Makes another key sign receipts from now on. Earlier ones stay published. Returns both ids. */
export async function rotateReceiptKey(
  database: Database,
  sealing: Sealing,
): Promise<{ readonly id: string; readonly retired: string | null }> {
  const key = await draftKey(sealing);
  const retired = await database.transaction((db) => replaceKey(db, key));
  return { id: key.id, retired };
}

/** The secret half of the key that signs; none before the first receipt. */
export async function* listSealedReceiptKeys(db: Db): AsyncGenerator<SealedSecret> {
  const found = await findActiveKey(db);
  if (found !== null) yield { what: `receipt key ${found.id}`, boundTo: boundTo(found.id), sealed: found.sealed! };
}

/** Seals the key that signs under the deployment's current key, so that an older one can be removed. */
export async function resealReceiptKey(
  database: Database,
  sealing: Sealing,
  onUnreadable: OnUnreadable,
): Promise<void> {
  const found = await findActiveKey(database);
  if (found === null || found.sealed!.startsWith(sealing.prefix)) return;
  const { id, sealed } = found;
  let secret: string;
  try {
    secret = sealing.open(boundTo(id), sealed!);
  } catch (error) {
    return onUnreadable(`receipt key ${id}`, error);
  }
  await resealKey(database, id, sealed!, sealing.seal(boundTo(id), secret));
}

/** The key that signs, made if there is none yet. */
async function requireKey(database: Database, sealing: Sealing) {
  const found = await findActiveKey(database);
  if (found !== null) return found;
  await insertFirstKey(database, await draftKey(sealing));
  const made = await findActiveKey(database);
  if (made === null) throw new Error("The first key of receipts was retired while it was made.");
  return made;
}

/**
 * Signs the receipt that `draft` makes at the time it is given. Null: this process has no keys to open the secret with.
 */
export async function signAt(
  { database, sealing, log }: SigningContext,
  draft: (issuedAt: Date) => Promise<Receipt>,
): Promise<SignedReceipt | null> {
  if (sealing === null) return null;
  const { id, publicKey, sealed, now } = await requireKey(database, sealing);
  const d = openKey(sealing, id, sealed!, log);
  return d === null ? null : signReceipt(await draft(now), { kid: id, x: publicKey, d });
}

function openKey(sealing: Sealing, id: string, sealed: string, log: Log): string | null {
  try {
    return sealing.open(boundTo(id), sealed);
  } catch (error) {
    // It was encrypted with a key that WEBHOOK_KEYS no longer has.
    log(`The key of receipts ${id} cannot be decrypted. Make another: npm run admin -- receipt-key rotate`, error);
    return null;
  }
}

/** What the deployment publishes of itself. */
export async function publishDeployment({ database, sealing, checkoutUrl }: SigningContext): Promise<DeploymentKeys> {
  if (sealing !== null) await requireKey(database, sealing);
  const [keys, environments] = await Promise.all([listSigningKeys(database), listDeployments(database)]);
  return { object: "deployment", v: 1, issuer: checkoutUrl, keys: keys.map(showKey), environments };
}

const showKey = ({ id, publicKey, createdAt, retiredAt }: SigningKeyRow): DeploymentKeys["keys"][number] => ({
  kty: "OKP",
  crv: "Ed25519",
  alg: "EdDSA",
  use: "sig",
  kid: id,
  x: publicKey,
  createdAt: createdAt.toISOString(),
  retiredAt: retiredAt?.toISOString() ?? null,
});

/** The published keys, the newest first. */
export const listReceiptKeys = async (db: Db) => (await listSigningKeys(db)).map(showKey);
