import type { Tenant } from "../../domain/callers.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import { HOLD, RULE_HOLDS } from "./fragments.ts";
import { RECIPIENTS, RECIPIENTS_MAX, SAVED_ONLY_RULES, type SavedOnlyRule, type SavedRecipient } from "./recipient.ts";

const FOUND: Sql = sql`
  select ${selected(RECIPIENTS.columns, "r")},
    case when r.added_at > o.since and r.added_at > now() - ${HOLD} then r.added_at + ${HOLD} end as "heldUntil",
    r.test_intent as "testIntent"
  from saved_recipients r
  left join saved_recipients_only o on o.business_id = r.business_id and o.environment = r.environment and ${RULE_HOLDS}`;

/** The row of a recipient. */
const isOne = ({ businessId, environment }: Tenant, address: string): Sql =>
  sql`business_id = ${businessId} and environment = ${environment} and address = ${address}`;

/** Sorted by label. */
export const listRecipients = (db: Db, { businessId, environment }: Tenant): Promise<SavedRecipient[]> =>
  db.rows<SavedRecipient>(sql`
    ${FOUND} where r.business_id = ${businessId} and r.environment = ${environment}
    order by lower(r.label), r.address limit ${RECIPIENTS_MAX}::integer`);

export const findRecipient = (db: Db, { businessId, environment }: Tenant, address: string) =>
  db.row<SavedRecipient>(sql`
    ${FOUND} where r.business_id = ${businessId} and r.environment = ${environment} and r.address = ${address}`);

/** Locks the row to the end of the transaction. Returns false if the tenant has no such recipient. */
export const lockRecipient = (db: Db, tenant: Tenant, address: string): Promise<boolean> =>
  db.has(sql`select address from saved_recipients where ${isOne(tenant, address)} for update`);

/** Inserts a recipient in a free slot. Returns false if it exists already, or all slots are taken. */
export async function insertRecipient(db: Db, tenant: Tenant, address: string, label: string): Promise<boolean> {
  // Another call may take the slot first; the next round tries another free one.
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

export const renameRecipient = (db: Db, tenant: Tenant, address: string, label: string) =>
  db.rows(sql`update saved_recipients set label = ${label} where ${isOne(tenant, address)}`);

export const deleteRecipient = (db: Db, tenant: Tenant, address: string) =>
  db.rows(sql`delete from saved_recipients where ${isOne(tenant, address)}`);

export const setTestIntent = (db: Db, tenant: Tenant, address: string, intentId: string) =>
  db.rows(sql`update saved_recipients set test_intent = ${intentId} where ${isOne(tenant, address)}`);

export const setConfirmed = (db: Db, tenant: Tenant, address: string, by: string) =>
  db.rows(sql`update saved_recipients set confirmed_at = now(), confirmed_by = ${by} where ${isOne(tenant, address)}`);

/** The tenant's rule; null if creates may name any recipient. */
export const findSavedOnlyRule = (db: Db, { businessId, environment }: Tenant): Promise<SavedOnlyRule | null> =>
  db.row<SavedOnlyRule>(sql`
    select ${selected(SAVED_ONLY_RULES.columns, "o")} from saved_recipients_only o
    where o.business_id = ${businessId} and o.environment = ${environment} and ${RULE_HOLDS}`);

/** Starts the rule, or calls its end off (then `isNew` is false). Null if it holds already and no owner has asked to end it. */
export const beginSavedOnly = (db: Db, { businessId, environment }: Tenant): Promise<{ isNew: boolean } | null> =>
  db.row<{ isNew: boolean }>(sql`
    insert into saved_recipients_only as o (business_id, environment, since) values (${businessId}, ${environment}, now())
    on conflict (business_id, environment) do update
      set since = case when ${RULE_HOLDS} then o.since else now() end, ends_at = null
      where o.ends_at is not null
    returning o.since = now() as "isNew"`);

/** Ends the rule once the hold is over. Null if it does not hold, or an owner has already asked to end it. */
export const endSavedOnly = (db: Db, { businessId, environment }: Tenant): Promise<{ endsAt: Date } | null> =>
  db.row<{ endsAt: Date }>(sql`
    update saved_recipients_only set ends_at = now() + ${HOLD}
    where business_id = ${businessId} and environment = ${environment} and ends_at is null
    returning ends_at as "endsAt"`);
