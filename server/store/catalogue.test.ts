import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "./database.ts";
import { sql } from "./sql.ts";
import { openTestDatabase } from "./testing.ts";

/** Tables without a business, each with the reason. */
const TABLES_OF_NO_BUSINESS: Readonly<Record<string, string>> = {
  businesses: "its id is the business",
  migrations: "the files that ran on this database",
  form_keys: "what people sent, at doors without a business too",
  nonce_secret: "the deployment's own",
  mailbox_secret: "the deployment's own",
  buyer_mailboxes: "of buyers, who buy from several businesses",
  clocks: "one row per environment: its offset from real time",
  chains: "one row per environment: the chain and how far it was read",
  deployments: "one row per environment: its program and operator account",
  sponsor_budgets: "one row per environment: sums over its sponsorships",
  checkout_rates: "counts what strangers ask for",
  chain_inbox: "signatures of the operator, before anyone knows whose payments they carry",
  token_rates: "what a token is worth, the same for every business",
  fiat_rates: "what one euro is worth, the same for every business",
  blockhashes: "last heights of what was built, whatever it acts on",
  known_assets: "what the chain says of a mint, the same for every business",
  known_recipients: "what the chain says of an address, the same for every business",
  users: "people, who may be members of several businesses",
  backup_codes: "of a user",
  passkeys: "of a user",
  sessions: "of a user; a request brings only its secret",
  company_identities: "of a user; a sign-in brings only a person of the provider",
  known_browsers: "of a user; a sign-in brings only its secret",
  one_time_secrets: "of a user, or before there is one",
  sign_in_tries: "counts what strangers try",
  user_log: "what was done about a user",
  emails: "to people, about accounts and businesses",
  receipt_signing_keys: "the deployment's own, for the receipts of all businesses",
  webhook_workers: "processes of the operator",
  dispute_waits: "the operator's choice, the same for every business",
  usual_outcomes: "the operator's words, the same for every business",
  unmatched_payments: "payments in the escrow that match no intent, so no business is known",
};

/** Keys of a business's table that do not start with `business_id`: look-ups that have to find the business first. */
const KEYS_THAT_FIND_THE_BUSINESS: Readonly<Record<string, string>> = {
  api_key_hashes_pkey: "an API request brings only the secret of its key",
  intents_pkey: "an intent's id begins with its business's tag, and a buyer's link brings only the id",
  intents_payment_id: "a payment on chain brings only its payment id",
  event_keys_pkey: "a key is made of its object's id, which is of one business",
  payments_primary: "an intent is of one business",
  dispute_uploads_token_hash_key: "a file that is sent brings only the token of its upload",
  payments_pkey: "a step on chain brings only the payment's address",
  webhook_leases_leased_by_fkey: "a worker delivers for all businesses",
};

interface Key {
  readonly table: string;
  /** Null: the table has no key at all. */
  readonly key: string | null;
  readonly kind: "primary key" | "unique index" | "foreign key";
  readonly columns: readonly string[];
}

/** Every primary key, unique index and foreign key of the schema's tables, partitions included, with its columns in order. */
const listKeys = (database: Database) =>
  database.rows<Key>(sql`
    with tables as (
      select c.oid, c.relname from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')),
    keys as (
      select i.indrelid as relation, x.relname as key,
        case when i.indisprimary then 'primary key' else 'unique index' end as kind, i.indkey::smallint[] as attributes
      from pg_index i join pg_class x on x.oid = i.indexrelid where i.indisunique
      union all
      select f.conrelid, f.conname, 'foreign key', f.conkey from pg_constraint f where f.contype = 'f')
    select t.relname as table, k.key, k.kind, array(
        -- An expression is no column: it counts as one without a name.
        select coalesce(a.attname::text, '') from unnest(k.attributes) with ordinality as n (attribute, ordinal)
          left join pg_attribute a on a.attrelid = k.relation and a.attnum = n.attribute and n.attribute > 0
        order by n.ordinal) as columns
    from tables t left join keys k on k.relation = t.oid
    order by t.relname, k.key`);

const listTablesWithBusiness = async (database: Database): Promise<Set<string>> => {
  const rows = await database.rows<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'business_id' and not a.attisdropped`);
  return new Set(rows.map((row) => row.name));
};

/** Lists violations of the rule that `business_id` leads every key of a business's table, one sentence each. */
async function findFaults(database: Database): Promise<string[]> {
  const keys = await listKeys(database);
  const ofBusiness = await listTablesWithBusiness(database);
  const tables = new Set(keys.map(({ table }) => table));
  const names = new Set(keys.map(({ key }) => key));
  const faults: string[] = [];
  for (const table of tables) {
    if (!ofBusiness.has(table) && !(table in TABLES_OF_NO_BUSINESS))
      faults.push(`The table ${table} has no business_id and is not listed as a table of no business.`);
    if (ofBusiness.has(table) && !keys.some((one) => one.table === table && one.kind === "primary key"))
      faults.push(`The table ${table} has no primary key.`);
  }
  for (const { table, key, kind, columns } of keys)
    if (ofBusiness.has(table) && key !== null && columns[0] !== "business_id" && !(key in KEYS_THAT_FIND_THE_BUSINESS))
      faults.push(`The ${kind} ${key} of ${table} starts with ${columns[0] || "an expression"}, not with business_id.`);
  for (const table of Object.keys(TABLES_OF_NO_BUSINESS))
    if (!tables.has(table) || ofBusiness.has(table)) faults.push(`The list names ${table}, which is no such table.`);
  for (const key of Object.keys(KEYS_THAT_FIND_THE_BUSINESS))
    if (!names.has(key)) faults.push(`The list names ${key}, which is no key.`);
  return faults;
}

test("business_id leads every primary key, unique index and foreign key of a business's table", async () => {
  await using opened = await openTestDatabase();
  assert.deepEqual(await findFaults(opened.database), []);
});

test("a planted table that breaks the rule is reported, key by key", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await database.rows(sql`
    create table planted (
      id text primary key,
      business_id text not null,
      previous_id text,
      unique (id, business_id),
      foreign key (previous_id, business_id) references planted (id, business_id))`);
  await database.rows(sql`create unique index planted_lower on planted (lower(id), business_id)`);
  await database.rows(sql`create table planted_settings (name text primary key)`);
  await database.rows(sql`create table planted_log (business_id text not null)`);
  assert.deepEqual(await findFaults(database), [
    "The table planted_log has no primary key.",
    "The table planted_settings has no business_id and is not listed as a table of no business.",
    "The unique index planted_id_business_id_key of planted starts with id, not with business_id.",
    "The unique index planted_lower of planted starts with an expression, not with business_id.",
    "The primary key planted_pkey of planted starts with id, not with business_id.",
    "The foreign key planted_previous_id_business_id_fkey of planted starts with previous_id, not with business_id.",
  ]);
});
