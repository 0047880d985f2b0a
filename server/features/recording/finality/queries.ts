import type { Tenant } from "../../../domain/callers.ts";
import type { Environment } from "../../../domain/terms.ts";
import type { Row } from "../../../lib/columns.ts";
import { statementNow } from "../../../store/clock.ts";
import type { Db } from "../../../store/database.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import { type DisputeChange, saveDisputes } from "../../disputes/fragments.ts";
import type { EventDraft } from "../../events/event.ts";
import { eventKey, isRecorded } from "../../events/fragments.ts";
import type { Intent } from "../../intents/intent.ts";
import { moveDayTotals } from "../../overview/fragments.ts";
import { showPaymentText } from "../../payments/payment.ts";
import { recordEvents } from "../../webhooks/fragments.ts";
import { readKnownRow } from "../decide/queries.ts";
import type { KnownPayment } from "../decide/state.ts";
import type { Reversal } from "./reversal.ts";

/** Unfinished payments of a table that were last checked longer ago than this and are not in `except`, longest ago first. */
export async function listUnfinished(
  db: Db,
  environment: Environment,
  table: Sql,
  olderThanMs: number,
  limit: number,
  except: readonly string[] = [],
): Promise<string[]> {
  const rows = await db.rows<{ address: string }>(sql`
    select address from ${table}
    where environment = ${environment} and status in ('protected', 'disputed') and not address = any(${except}::text[])
      and checked_at < ${statementNow(environment)} - make_interval(secs => ${olderThanMs / 1000}::double precision)
    order by checked_at limit ${limit}::integer`);
  return rows.map((row) => row.address);
}

/**
 * Moves `checkedAt` of payments that a check could not record. Those whose accounts are absent are final no longer: even
 * what was final may vanish, with a restart of the cluster or a node that lied, and finality decides anew.
 */
export const touchMissing = (
  db: Db,
  environment: Environment,
  { unrecorded, absent }: { readonly unrecorded: readonly string[]; readonly absent: readonly string[] },
) =>
  db.rows(sql`
    with unmatched as (
      update unmatched_payments set checked_at = ${statementNow(environment)}
      where environment = ${environment} and address = any(${[...unrecorded, ...absent]}::text[]))
    update payments set checked_at = ${statementNow(environment)}, finalized = finalized and not address = any(${absent}::text[])
    where environment = ${environment} and address = any(${[...unrecorded, ...absent]}::text[])`);

/**
 * Recorded payments that are not final and not in `except`, oldest record first. Includes some that a final account
 * contradicted, longest unread first, so that neither kind waits for the other for ever.
 */
export async function listUnfinalized(
  db: Db,
  environment: Environment,
  limit: number,
  contradictedLimit: number,
  except: readonly string[] = [],
): Promise<KnownPayment[]> {
  const rows = await db.rows<Row>(sql`
    (select * from payments
      where environment = ${environment} and not finalized and contradicted_at is null and not address = any(${except}::text[])
      order by greatest(coalesce(created_slot, observed_slot), changed_slot) limit ${limit - contradictedLimit}::integer)
    union all
    (select * from payments
      where environment = ${environment} and not finalized and contradicted_at is not null and not address = any(${except}::text[])
      order by contradicted_at limit ${contradictedLimit}::integer)`);
  return rows.map(readKnownRow);
}

/** Moves payments whose final account is absent or contradicts them to the end of their queue. */
export async function markContradicted(
  db: Db,
  environment: Environment,
  payments: readonly KnownPayment[],
): Promise<void> {
  if (payments.length === 0) return;
  await db.rows(sql`
    update payments set contradicted_at = now()
    where address = any(${payments.map(({ id }) => id)}::text[]) and environment = ${environment} and not finalized`);
}

/**
 * The suspicion of an earlier read: whether there is one, its age in real time, and its node. Null if the payment is
 * final or gone.
 */
export async function findSuspicion(db: Db, environment: Environment, address: string) {
  const row = await db.row<{ suspected_at: Date | null; suspected_by_node: number | null; ago_ms: string | null }>(sql`
    select suspected_at, suspected_by_node, extract(epoch from now() - suspected_at) * 1000 as ago_ms from payments
    where address = ${address} and environment = ${environment} and not finalized`);
  return row === null
    ? null
    : { isSuspected: row.suspected_at !== null, byNode: row.suspected_by_node, agoMs: Number(row.ago_ms ?? 0) };
}

export const markSuspected = (db: Db, environment: Environment, address: string, node: number) =>
  db.rows(sql`
    update payments set suspected_at = now(), suspected_by_node = ${node}::integer
    where address = ${address} and environment = ${environment} and not finalized and suspected_at is null`);

/** Ends the suspicion of a payment without an account whose signature the chain still knows: the two reads begin again. */
export const dropSuspicion = (db: Db, environment: Environment, address: string) =>
  db.rows(sql`
    update payments set suspected_at = null, suspected_by_node = null
    where address = ${address} and environment = ${environment} and suspected_at is not null`);

/** Establishes the tenant of a recorded payment, by its address on chain. */
export const findTenantByPaymentAddress = (db: Db, environment: Environment, address: string) =>
  db.row<Tenant & { readonly intentId: string }>(sql`
    select business_id as "businessId", environment, intent_id as "intentId" from payments
    where address = ${address} and environment = ${environment}`);

/** Makes an expired intent give up the reference that it still holds. */
export const releaseExpiredReference = (db: Db, intent: Intent, now: Date) =>
  db.rows(sql`
    update intents set holds_reference = false
    where business_id = ${intent.businessId} and environment = ${intent.environment}
      and merchant_reference = ${intent.merchantReference} and holds_reference and expires_at < ${now}`);

/** True if another intent holds the intent's reference. */
export const isReferenceTaken = (db: Db, intent: Intent): Promise<boolean> =>
  db.has(sql`
    select id from intents
    where business_id = ${intent.businessId} and environment = ${intent.environment}
      and merchant_reference = ${intent.merchantReference} and holds_reference and id <> ${intent.id}`);

/** True if the intent, in this generation or an earlier one, has an `.expired` event. */
export const hasExpiredEvent = (db: Db, intent: Intent, generation: number): Promise<boolean> =>
  db.has(sql`
    select 1 from generate_series(1, ${generation}::integer) n (generation)
    where ${isRecorded(sql`${intent.businessId}`, eventKey(sql`${intent.id}`, sql`n.generation`, sql`'payment_intent.expired'`))}
    limit 1`);

/** Moves a payment to the reverted ones, with the events of its reversal and what it means for its dispute. */
export const moveToReverted = (
  db: Db,
  tenant: Tenant,
  { payment, intent }: Reversal,
  { events, disputes }: { readonly events: readonly EventDraft[]; readonly disputes: readonly DisputeChange[] },
  now: Date,
  checkoutUrl: string,
) =>
  db.rows(sql`
    with removed as (
      delete from payments where business_id = ${tenant.businessId} and address = ${payment.id} returning address, receipt_key),
    kept as (
      insert into reverted_payments (business_id, address, generation, intent_id, reverted_at, snapshot, receipt_key)
      select ${tenant.businessId}, address, ${payment.generation}::integer, ${intent.id}, ${now}, ${showPaymentText(payment, now, checkoutUrl)}, receipt_key from removed),
    ${recordEvents(events, sql`exists (select from removed)`)}${moveDayTotals([{ before: [payment], after: [] }], sql`recorded_events`)}${saveDisputes(disputes)}
    select sequence from recorded_events`);

/** Writes the intent after a reversal, and the duplicate that became its primary payment. */
export async function updateRevertedIntent(db: Db, tenant: Tenant, reversal: Reversal): Promise<void> {
  const { payment, intent, promoted, reopened, generation, lastOccurredAt, announced } = reversal;
  if (payment.role === "duplicate") {
    await db.rows(sql`
      update intents set last_occurred_at = ${lastOccurredAt}, announced = ${announced} where business_id = ${tenant.businessId} and id = ${intent.id}`);
    return;
  }
  if (promoted !== null)
    await db.rows(sql`
      update payments set role = 'primary', announced = ${promoted.announced} where business_id = ${tenant.businessId} and address = ${promoted.id}`);
  await db.rows(sql`
    update intents set status = ${intent.status}, canceled_at = ${intent.canceledAt}::timestamptz, payment_address = ${promoted?.id ?? null},
      holds_reference = ${reopened}, generation = ${generation}, last_occurred_at = ${lastOccurredAt}, announced = ${announced}
    where business_id = ${tenant.businessId} and id = ${intent.id}`);
}
