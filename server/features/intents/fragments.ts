import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import { type FieldsOf, integer, nullable, type Row, rowReader, text, time, word } from "../../lib/columns.ts";
import { readNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { type Intent, readIntentRow } from "./intent.ts";

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
    select i.* from unnest(
        ${wanted.map(({ tenant }) => tenant.businessId)}::text[], ${wanted.map(({ id }) => id)}::text[]) as w (business_id, id)
      join intents i on i.business_id = w.business_id and i.id = w.id
    where i.environment = ${environment}
    order by i.business_id, i.id
    for update of i`);
  // A second statement: the first one's clock was read before it waited for the locks.
  const now = await readNow(db, environment);
  return new Map(rows.map(readLockedRow).map((locked) => [locked.intent.id, { ...locked, now }]));
}

/** The update of a locked intent whose newest event is of something else, such as a dispute. */
export const moveLastOccurred = (tenant: Tenant, id: string, occurredAt: Date): Sql => sql`
  update intents set last_occurred_at = ${occurredAt}
  where business_id = ${tenant.businessId} and id = ${id} and environment = ${tenant.environment} returning id`;
