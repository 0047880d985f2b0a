import { ENVIRONMENTS, type Environment } from "../../domain/terms.ts";
import { type FieldsOf, pick } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import { ASSETS, CHAINS } from "../chains/chain.ts";
import { decisionOf } from "../disputes/fragments.ts";
import { PAYMENTS } from "../payments/payment.ts";
import { type ReceiptFacts, type RecordedTerms, SIGNING_KEYS, type SigningKeyRow } from "./receipt.ts";

const CHAIN_COLUMNS = pick(CHAINS.columns, "environment", "genesisHash", "programId", "operator");
type ChainRow = FieldsOf<typeof CHAIN_COLUMNS> & { readonly programHash: string };
const CHAIN: Sql = sql`${selected(CHAIN_COLUMNS, "c")}, d.program_hash as "programHash"`;

/** The deployment's chains, by environment. */
export async function listDeployments(db: Db): Promise<Record<string, ReceiptFacts["chain"]>> {
  const rows = await db.rows<ChainRow>(sql`
    select ${CHAIN} from chains c join deployments d on d.environment = c.environment order by c.environment desc`);
  return Object.fromEntries(rows.map((row) => [row.environment, chainOf(row)]));
}

const chainOf = ({ genesisHash, programId, programHash, operator }: ChainRow): ReceiptFacts["chain"] => ({
  genesisHash,
  programId,
  programHash,
  operator,
});

const TERM_COLUMNS = pick(
  PAYMENTS.columns,
  "sender",
  "recipient",
  "amount",
  "asset",
  "protectionPeriod",
  "arbiter",
  "termsHash",
  "createdAt",
  "protectionDeadline",
);
const ASSET_COLUMNS = pick(ASSETS.columns, "decimals", "tokenProgram");
const CHAIN_OF_P: Sql = sql`
    join chains c on c.environment = p.environment
    join deployments d on d.environment = p.environment`;

interface FoundRow extends ChainRow {
  readonly observedSlot: number;
  readonly signature: string | null;
}

/** The facts of a payment at this address, bound or not. The address establishes the business: it names none. */
export async function findReceiptFacts(db: Db, address: string): Promise<ReceiptFacts | null> {
  return (await findBound(db, address)) ?? (await findUnmatched(db, address));
}

type OrderRow = Omit<NonNullable<ReceiptFacts["order"]>, "business"> & NonNullable<ReceiptFacts["order"]>["business"];

async function findBound(db: Db, address: string): Promise<ReceiptFacts | null> {
  const row = await db.row<FoundRow & RecordedTerms & OrderRow & Pick<ReceiptFacts, "decision">>(sql`
    select ${CHAIN}, ${selected(TERM_COLUMNS, "p")}, ${selected(ASSET_COLUMNS, "k")},
      coalesce(p.rent_payer, p.sender) as "rentPayer", p.observed_slot::float8 as "observedSlot", p.signature,
      p.receipt_key as key, p.intent_id as intent, p.merchant_reference as reference, i.description,
      b.name, b.domain, b.support_contact as contact,
      ${decisionOf(sql`p.business_id`, sql`p.address`)} as decision
    from payments p
    join intents i on i.business_id = p.business_id and i.id = p.intent_id
    join businesses b on b.id = p.business_id
    ${CHAIN_OF_P}
    left join known_assets k on k.environment = p.environment and k.address = p.asset
    where p.address = ${address}`);
  if (row === null) return null;
  const { key, intent, reference, description, name, domain, contact } = row;
  return {
    ...factsOf(address, row),
    decision: row.decision,
    order: { key, intent, reference, description, business: { name, domain, contact } },
  };
}

async function findUnmatched(db: Db, address: string): Promise<ReceiptFacts | null> {
  const row = await db.row<FoundRow & RecordedTerms>(sql`
    select ${CHAIN}, ${selected(TERM_COLUMNS, "p")}, ${selected(ASSET_COLUMNS, "p")},
      coalesce(p.rent_payer, p.sender) as "rentPayer", p.observed_slot::float8 as "observedSlot", p.signature
    from unmatched_payments p
    ${CHAIN_OF_P}
    where p.environment = any(${[...ENVIRONMENTS]}::text[]) and p.address = ${address} limit 1`);
  return row === null ? null : { ...factsOf(address, row), decision: null, order: null };
}

const factsOf = (address: string, row: FoundRow & RecordedTerms): Omit<ReceiptFacts, "order" | "decision"> => ({
  environment: row.environment as Environment,
  chain: chainOf(row),
  address,
  terms: row,
  observedSlot: row.observedSlot,
  signature: row.signature,
});

/** The text with this hash; null if none was shown here. */
export async function findTermsText(db: Db, hash: string): Promise<string | null> {
  const row = await db.row<{ body: string }>(sql`select body from checkout_terms where hash = ${hash} limit 1`);
  return row?.body ?? null;
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
