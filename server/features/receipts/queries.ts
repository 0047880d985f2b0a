import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import { BUSINESS } from "../businesses/fragments.ts";
import { DEPLOYED_CHAIN, TOKEN } from "../chains/fragments.ts";
import { DECISION } from "../disputes/parts/fragments.ts";
import { INTENT_TEXTS } from "../intents/fragments.ts";
import { paymentReader } from "../payments/fragments.ts";
import { type ReceiptFacts, SIGNING_KEYS, type SigningKeyRow } from "./receipt.ts";

const readPayments = paymentReader({
  chain: DEPLOYED_CHAIN,
  token: TOKEN,
  business: BUSINESS,
  intent: INTENT_TEXTS,
  decision: DECISION,
});

/** The facts of a payment at this address, bound or not. The address establishes the business: it names none. */
export async function findReceiptFacts(db: Db, address: string): Promise<ReceiptFacts | null> {
  const [found] = await readPayments(db, [address]);
  if (found === undefined || found.match === "vanished") return null;
  const { payment, order, chain, token, business, intent, decision, receiptKey } = found;
  const { environment, observedSlot, signature, rentPayer, sender } = payment;
  const { decimals, tokenProgram } = order === null ? found : token;
  return {
    ...{ environment, chain, address, observedSlot, signature, decision },
    terms: { ...payment, decimals, tokenProgram, rentPayer: rentPayer ?? sender },
    order: order && {
      key: receiptKey!,
      intent: order.intentId,
      reference: order.merchantReference,
      description: intent!.description,
      business: { name: business!.name, domain: business!.domain, contact: business!.supportContact },
    },
  };
}

/** The key that signs, with the time by the database. */
export const findActiveKey = (db: Db) =>
  db.row<SigningKeyRow & { readonly now: Date }>(sql`
    select ${selected(SIGNING_KEYS.columns, "s")}, date_trunc('milliseconds', now()) as now
    from receipt_signing_keys s where retired_at is null`);

/** Published keys: a deployment rotates seldom, and nobody else can add one. */
const KEYS_MAX = 1_000;
/** All keys, the newest first. */
export const listSigningKeys = (db: Db) =>
  db.rows<SigningKeyRow>(sql`
    select ${selected(SIGNING_KEYS.columns, "s")} from receipt_signing_keys s
    order by created_at desc, id limit ${KEYS_MAX}::integer`);

type NewKey = Pick<SigningKeyRow, "id" | "publicKey"> & { readonly sealed: string };

/** Adds the key that signs, unless there is one. */
export const insertFirstKey = (db: Db, { id, publicKey, sealed }: NewKey) =>
  db.rows(sql`
    insert into receipt_signing_keys (id, public_key, sealed_secret, created_at)
    values (${id}, ${publicKey}, ${sealed}, now()) on conflict do nothing`);

/** Seals the key that signs under another key of the deployment, unless it was replaced meanwhile. */
export const resealKey = (db: Db, id: string, before: string, sealed: string) =>
  db.rows(sql`
    update receipt_signing_keys set sealed_secret = ${sealed} where id = ${id} and sealed_secret = ${before}`);

/** Replaces the key that signs, in the caller's transaction: a retired key has no secret half. Returns the retired one. */
export async function replaceKey(db: Db, key: NewKey): Promise<string | null> {
  const retired = await db.row<{ id: string }>(sql`
    update receipt_signing_keys set retired_at = now(), sealed_secret = null where retired_at is null returning id`);
  await db.rows(sql`
    insert into receipt_signing_keys (id, public_key, sealed_secret, created_at)
    values (${key.id}, ${key.publicKey}, ${key.sealed}, now())`);
  return retired?.id ?? null;
}
