import type { Tenant } from "../../domain/callers.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { statusAt } from "../intents/intent.ts";
import { RECIPIENTS_MAX, type Recipient } from "./recipient.ts";

interface RecipientRow {
  readonly address: string;
  readonly label: string;
  readonly added_at: Date;
  readonly confirmed_at: Date | null;
  readonly confirmed_by: string | null;
  readonly intent_id: string | null;
  readonly asset: string;
  readonly amount: string;
  readonly status: "requires_payment" | "paid" | "expired" | "canceled";
  readonly expires_at: Date;
  readonly payment_status: "protected" | "disputed" | "released" | "refunded" | null;
  readonly amount_released: string | null;
  readonly protection_deadline: Date | null;
}

const FOUND: Sql = sql`
  select r.address, r.label, r.added_at, r.confirmed_at, r.confirmed_by, i.id as intent_id, i.asset, i.amount::text as amount,
    i.status, i.expires_at, p.status as payment_status, p.amount_released::text as amount_released, p.protection_deadline
  from saved_recipients r
  left join intents i on i.business_id = r.business_id and i.id = r.test_intent
  left join payments p on p.business_id = i.business_id and p.address = i.payment_address`;

const read = (row: RecipientRow, now: Date): Recipient => ({
  address: row.address,
  label: row.label,
  addedAt: row.added_at,
  confirmedAt: row.confirmed_at,
  confirmedBy: row.confirmed_by,
  test:
    row.intent_id === null
      ? null
      : {
          intentId: row.intent_id,
          asset: row.asset,
          amount: row.amount,
          intentStatus: statusAt({ status: row.status, expiresAt: row.expires_at }, now),
          paymentStatus: row.payment_status,
          amountReleased: row.amount_released ?? "0",
          protectionDeadline: row.protection_deadline,
        },
});

/** By label. `now` is the environment's present, by which test payments are shown. */
export async function listRecipients(db: Db, tenant: Tenant, now: Date): Promise<Recipient[]> {
  const rows = await db.rows<RecipientRow>(sql`
    ${FOUND} where r.business_id = ${tenant.businessId} and r.environment = ${tenant.environment}
    order by lower(r.label), r.address limit ${RECIPIENTS_MAX}::integer`);
  return rows.map((row) => read(row, now));
}

export async function findRecipient(db: Db, tenant: Tenant, address: string, now: Date): Promise<Recipient | null> {
  const row = await db.row<RecipientRow>(sql`
    ${FOUND} where r.business_id = ${tenant.businessId} and r.environment = ${tenant.environment} and r.address = ${address}`);
  return row === null ? null : read(row, now);
}

/** Locks the row to the end of the transaction. False: it is not one of the tenant's. */
export async function lockRecipient(db: Db, { businessId, environment }: Tenant, address: string): Promise<boolean> {
  const row = await db.row(sql`
    select address from saved_recipients
    where business_id = ${businessId} and environment = ${environment} and address = ${address} for update`);
  return row !== null;
}

/** Inserts a recipient in a free slot. False: it is there already, or all slots are taken. */
export async function insertRecipient(db: Db, tenant: Tenant, address: string, label: string): Promise<boolean> {
  // Another call may take the slot first; then the next round looks for another free one.
  for (let tries = 0; tries < RECIPIENTS_MAX; tries++) {
    const row = await db.row<{ is_kept: boolean; has_slot: boolean; is_added: boolean }>(sql`
      with free as (
        select min(n)::smallint as slot from generate_series(1, ${RECIPIENTS_MAX}::integer) n where not exists (
          select from saved_recipients r
          where r.business_id = ${tenant.businessId} and r.environment = ${tenant.environment} and r.slot = n)),
      added as (
        insert into saved_recipients (business_id, environment, address, label, slot, added_at)
        select ${tenant.businessId}, ${tenant.environment}, ${address}, ${label}, free.slot, now()
        from free where free.slot is not null
        on conflict do nothing
        returning slot)
      select (select slot from free) is not null as has_slot, exists (select from added) as is_added,
        exists (select from saved_recipients r where r.business_id = ${tenant.businessId}
          and r.environment = ${tenant.environment} and r.address = ${address}) as is_kept`);
    if (row!.is_added) return true;
    if (row!.is_kept || !row!.has_slot) return false;
  }
  return false;
}

export const renameRecipient = (db: Db, { businessId, environment }: Tenant, address: string, label: string) =>
  db.rows(sql`
    update saved_recipients set label = ${label}
    where business_id = ${businessId} and environment = ${environment} and address = ${address}`);

export const deleteRecipient = (db: Db, { businessId, environment }: Tenant, address: string) =>
  db.rows(sql`
    delete from saved_recipients
    where business_id = ${businessId} and environment = ${environment} and address = ${address}`);

export const setTestIntent = (db: Db, { businessId, environment }: Tenant, address: string, intentId: string) =>
  db.rows(sql`
    update saved_recipients set test_intent = ${intentId}
    where business_id = ${businessId} and environment = ${environment} and address = ${address}`);

export const setConfirmed = (db: Db, { businessId, environment }: Tenant, address: string, by: string) =>
  db.rows(sql`
    update saved_recipients set confirmed_at = now(), confirmed_by = ${by}
    where business_id = ${businessId} and environment = ${environment} and address = ${address}`);

/** A token that a test payment may be made in. */
export interface KnownAsset {
  readonly address: string;
  readonly decimals: number;
}

/** The mints of these that the environment's chain has shown. */
export const listKnownAssets = (db: Db, { environment }: Tenant, of: readonly string[]) =>
  db.rows<KnownAsset>(sql`
    select address, decimals from known_assets
    where environment = ${environment} and address = any(${[...of]}::text[]) and is_mint and risky_extensions = '{}'
    order by address`);
