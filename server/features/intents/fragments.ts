import { ERASED } from "../../domain/buyerAddress.ts";
import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import { type FieldsOf, integer, nullable, pick, type Row, rowReader, text, time, word } from "../../lib/columns.ts";
import { environmentNow, readNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { choose, type Keys, type Parts, type PartsOf, rowPart } from "../../store/parts.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { INTENTS, type Intent, readIntentRow } from "./intent.ts";

/** What a buyer reads of the order besides its terms; null without one. */
export const INTENT_TEXTS = rowPart(
  pick(INTENTS.columns, "description", "returnUrl", "locale", "price", "quote"),
  "i",
  ({ businessId, intentId }) => sql`intents i where i.business_id = ${businessId} and i.id = ${intentId}`,
);

/** The time at which the intent was created; null without one. */
export const createdAtOf = ({ businessId, intentId }: Pick<Keys, "businessId" | "intentId">): Sql =>
  sql`(select i.created_at from intents i where i.business_id = ${businessId} and i.id = ${intentId})`;

/** The keys of a row `i` of intents. */
export const KEYS_OF_I: Keys = {
  environment: sql`i.environment`,
  businessId: sql`i.business_id`,
  intentId: sql`i.id`,
  payment: sql`i.payment_address`,
  asset: sql`i.asset`,
  termsHash: sql`null::text`,
};

/** An intent for the holders of its link. */
export interface IntentView {
  readonly intent: Intent;
  /** The time of the last event of the intent and its payments, in milliseconds: each event is later than those before it. */
  readonly version: number;
  /** The environment's time. */
  readonly now: Date;
  /** Real time, even if the clock of a local chain runs ahead. */
  readonly at: Date;
}

/**
 * Makes the reader of intents by their links, each with the chosen parts, from one snapshot: a payment that a fork removes
 * is in the status and in the parts, or in neither. Unknown ones are left out. The link establishes the business.
 */
export function intentReader<const Chosen extends Parts>(parts: Chosen) {
  const { columns, keys, read } = choose(parts, KEYS_OF_I);
  return async (db: Db, ids: readonly string[]): Promise<(IntentView & PartsOf<Chosen>)[]> => {
    const rows = await db.rows<Row & { last_occurred_at: Date; now: Date; at: Date }>(sql`
      select i.*, ${environmentNow(KEYS_OF_I.environment)} as now, date_trunc('milliseconds', clock_timestamp()) as at${columns}
      from unnest(${[...ids]}::text[]) a (id)
      join intents i on i.id = a.id ${keys}`);
    return rows.flatMap((row) => {
      const chosen = read(row);
      const { now, at, last_occurred_at } = row;
      return chosen === null
        ? []
        : [{ intent: readIntentRow(row), version: last_occurred_at.getTime(), now, at, ...chosen }];
    });
  };
}

/** The update that erases the merchant's addresses of buyers; `of`: a query of businesses and intents. */
export const eraseBuyerEmails = (of: Sql): Sql => sql`
  update intents set buyer_email = ${ERASED} where (business_id, id) in ${of} and buyer_email is not null`;

/** The merchant's sealed address of the buyer of an intent. */
export const sealedEmailOf = (businessId: Sql, intentId: Sql): Sql =>
  sql`(select i.buyer_email from intents i where i.business_id = ${businessId} and i.id = ${intentId})`;

/** The update that replaces a sealed address by the same under another key. */
export const replaceSealedEmail = (businessId: string, intentId: string, before: string, sealed: string): Sql =>
  sql`update intents set buyer_email = ${sealed} where business_id = ${businessId} and id = ${intentId} and buyer_email = ${before}`;

/** True if there is an intent with this id. The id is the link to its page, so it establishes the business. */
export const hasIntent = (db: Db, id: string): Promise<boolean> =>
  db.has(sql`select true from intents where id = ${id}`);

/** The columns of `intents` that only the writers of its state need. */
export const STATE_COLUMNS = {
  paymentAddress: nullable(word()),
  generation: integer(),
  mismatchCount: integer(),
  lastOccurredAt: time(),
  /** See `showAnnouncedIntent`. */
  announced: nullable(text()),
};

/** An intent under its row lock. */
export interface LockedIntent extends FieldsOf<typeof STATE_COLUMNS> {
  readonly intent: Intent;
  /** The environment's time, read after the lock was taken. */
  readonly now: Date;
}

const readState = rowReader(STATE_COLUMNS);
/** An intent whose row a statement has locked, without `now`. */
export const readLockedRow = (row: Row): Omit<LockedIntent, "now"> => ({
  intent: readIntentRow(row),
  ...readState(row),
});

/** What an export adds to a row of its intent: texts of JSON. */
export type IntentTexts = Pick<Intent, "metadata" | "price" | "quote">;

/** The metadata, prices and quotes of intents, by their ids. */
export async function listIntentTexts(
  db: Db,
  { businessId, environment }: Tenant,
  ids: readonly string[],
): Promise<Map<string, IntentTexts>> {
  const rows = await db.rows<IntentTexts & { readonly id: string }>(sql`
    select i.id, i.metadata, i.price, i.quote from unnest(${[...ids]}::text[]) a (id)
      cross join lateral (
        select * from intents i where i.business_id = ${businessId} and i.id = a.id offset 0) i
    where i.environment = ${environment}`);
  return new Map(rows.map(({ id, ...found }) => [id, found]));
}

/** Locks an intent to the end of the transaction: every change to it and its payments is made under this lock. */
export const lockIntent = (db: Db, tenant: Tenant, id: string) => readIntent(db, tenant, id, sql` for update`);

/** Reads an intent without a lock, for callers that change nothing. */
export const peekIntent = (db: Db, tenant: Tenant, id: string) => readIntent(db, tenant, id, sql``);

async function readIntent(db: Db, tenant: Tenant, id: string, lock: Sql): Promise<LockedIntent | null> {
  const row = await db.row<Row>(sql`
    select * from intents
    where business_id = ${tenant.businessId} and id = ${id} and environment = ${tenant.environment}${lock}`);
  if (row === null) return null;
  // A second statement: the first one's clock was read before it waited for the lock.
  const now = await readNow(db, tenant.environment);
  return { ...readLockedRow(row), now };
}

/** Locks several intents, always in the same order, so that two transactions never deadlock. Returns those that exist, by id. */
export async function lockIntents(
  db: Db,
  environment: Environment,
  wanted: readonly { readonly tenant: Tenant; readonly id: string }[],
): Promise<ReadonlyMap<string, LockedIntent>> {
  const rows = await db.rows<Row>(sql`
    select i.* from (
      select * from unnest(
        ${wanted.map(({ tenant }) => tenant.businessId)}::text[], ${wanted.map(({ id }) => id)}::text[]) as w (business_id, id)
      order by business_id, id) w
    cross join lateral (
      -- An order by of the whole would read all intents, where connections avoid sorts.
      select i.* from intents i
      where i.business_id = w.business_id and i.id = w.id and i.environment = ${environment} for update) i`);
  // A second statement: the first one's clock was read before it waited for the locks.
  const now = await readNow(db, environment);
  return new Map(rows.map(readLockedRow).map((locked) => [locked.intent.id, { ...locked, now }]));
}

/** The update of a locked intent whose newest event is of something else, such as a dispute. */
export const moveLastOccurred = (tenant: Tenant, id: string, occurredAt: Date): Sql => sql`
  update intents set last_occurred_at = ${occurredAt}
  where business_id = ${tenant.businessId} and id = ${id} and environment = ${tenant.environment} returning id`;
