import type { ChainPayment } from "../../../chain/port.ts";
import type { Tenant } from "../../../domain/callers.ts";
import type { Environment, Terms } from "../../../domain/terms.ts";
import { environmentNow } from "../../../store/clock.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import type { EventDraft } from "../../events/event.ts";
import { recordEvents } from "../../events/fragments.ts";
import { type Intent, type IntentRow, readIntentRow } from "../../intents/intent.ts";
import { type Payment, type PaymentRow, readPaymentRow } from "../../payments/payment.ts";
import type { Decision, IntentState, KnownPayment, ObservedPayment } from "./decision.ts";

/** Which intents the payment ids belong to; ids of nobody are left out. */
export async function findTenantsByPaymentId(db: Db, environment: Environment, paymentIds: readonly string[]) {
  const rows = await db.rows<{ payment_id: string; business_id: string; intent_id: string }>(sql`
    select payment_id, business_id, intent_id from payment_ids
    where payment_id = any(${paymentIds}::bigint[]) and environment = ${environment}`);
  return new Map(
    rows.map((row) => [row.payment_id, { businessId: row.business_id, environment, intentId: row.intent_id }]),
  );
}

export interface KnownRow extends PaymentRow {
  generation: number;
  observed_slot: string;
  created_slot: string | null;
  changed_slot: string | null;
  finalized: boolean;
  suspected_at: Date | null;
}

export const readKnownRow = (row: KnownRow): KnownPayment => ({
  ...readPaymentRow(row),
  generation: row.generation,
  observedSlot: Number(row.observed_slot),
  createdSlot: row.created_slot === null ? null : Number(row.created_slot),
  changedSlot: row.changed_slot === null ? null : Number(row.changed_slot),
  finalized: row.finalized,
  isSuspected: row.suspected_at !== null,
});

/** All payments of an intent, oldest recorded first; read after the intent's lock is held. */
export async function listKnownPayments(db: Db, tenant: Tenant, intentId: string): Promise<KnownPayment[]> {
  const rows = await db.rows<KnownRow>(sql`
    select * from payments where business_id = ${tenant.businessId} and intent_id = ${intentId} order by recorded_sequence`);
  return rows.map(readKnownRow);
}

/** How often this address was recorded and reverted before: its next life is one more. */
export async function findGeneration(db: Db, tenant: Tenant, address: string): Promise<number> {
  const row = await db.row<{ generation: number }>(sql`
    select coalesce(max(generation), 0) + 1 as generation from reverted_payments
    where business_id = ${tenant.businessId} and address = ${address}`);
  return row!.generation;
}

/** Writes a payment that is new, the intent it may have paid, and the events, in one statement. */
export const insertPayment = (
  db: Db,
  tenant: Tenant,
  { payment, state, outcome }: Decision & { payment: KnownPayment },
  events: readonly EventDraft[],
) =>
  db.rows(sql`
    with intent as (
      update intents set
        status = 'paid', holds_reference = false, last_occurred_at = ${state.lastOccurredAt},
        payment_address = case when ${outcome === "bound"} then ${payment.id} else payment_address end
      where business_id = ${tenant.businessId} and id = ${payment.intentId}
      returning id),
    ${recordEvents(events, sql`exists (select from intent)`)},
    addressed as (
      insert into payment_addresses (address, business_id, environment, intent_id)
      select ${payment.id}, ${tenant.businessId}, ${tenant.environment}, id from intent),
    -- Of an earlier life of the address, which did not match.
    matched as (
      delete from unmatched_payments where environment = ${tenant.environment} and address = ${payment.id})
    insert into payments (business_id, address, environment, intent_id, generation, recorded_sequence, role, status, sender,
      recipient, amount, asset, protection_period, merchant_reference, late_reason, signature, created_at,
      protection_deadline, disputed_at, settled_at, refunded_at, checked_at, created_slot, observed_slot, changed_slot, finalized)
    select ${tenant.businessId}, ${payment.id}, ${tenant.environment}, ${payment.intentId}, ${payment.generation}, last - ${events.length - 1}::integer,
      ${payment.role}, ${payment.status}, ${payment.sender}, ${payment.recipient}, ${payment.amount}::numeric, ${payment.asset},
      ${payment.protectionPeriod}, ${payment.merchantReference}, ${payment.lateReason}, ${payment.signature}, ${payment.createdAt},
      ${payment.protectionDeadline}, ${payment.disputedAt}::timestamptz, ${payment.settledAt}::timestamptz,
      ${payment.refundedAt}::timestamptz, ${payment.checkedAt}, ${payment.createdSlot}::bigint, ${payment.observedSlot}::bigint,
      ${payment.changedSlot}::bigint, ${payment.finalized}
    from numbered`);

/** Writes what a check found of a recorded payment, and the events of the steps it took. */
export const updatePayment = (
  db: Db,
  tenant: Tenant,
  { payment, state }: { readonly payment: KnownPayment; readonly state: IntentState },
  events: readonly EventDraft[],
) =>
  db.rows(sql`
    with changed as (
      update payments set
        status = ${payment.status}, disputed_at = ${payment.disputedAt}::timestamptz, settled_at = ${payment.settledAt}::timestamptz,
        refunded_at = ${payment.refundedAt}::timestamptz, checked_at = ${payment.checkedAt}, observed_slot = ${payment.observedSlot}::bigint,
        finalized = ${payment.finalized}, signature = ${payment.signature}, created_slot = ${payment.createdSlot}::bigint,
        created_at = ${payment.createdAt}, protection_deadline = ${payment.protectionDeadline}, changed_slot = ${payment.changedSlot}::bigint,
        -- A new life is told of anew.
        settleable_event_sent = settleable_event_sent and generation = ${payment.generation}::integer, generation = ${payment.generation}::integer,
        suspected_at = case when ${payment.isSuspected} then suspected_at end,
        suspected_by_node = case when ${payment.isSuspected} then suspected_by_node end
      where business_id = ${tenant.businessId} and address = ${payment.id}
      returning intent_id),
    intent as (
      update intents set last_occurred_at = ${state.lastOccurredAt}
      where business_id = ${tenant.businessId} and id = ${payment.intentId} and ${events.length > 0}
      returning id),
    ${recordEvents(events, sql`exists (select from changed)`)}
    select sequence from recorded_events`);

/** Notes that a payment of the wrong terms was told of. */
export const updateMismatches = (
  db: Db,
  tenant: Tenant,
  intentId: string,
  { state }: Decision,
  events: readonly EventDraft[],
) =>
  db.rows(sql`
    with intent as (
      update intents set last_occurred_at = ${state.lastOccurredAt}, mismatch_count = ${state.mismatchCount}
      where business_id = ${tenant.businessId} and id = ${intentId}
      returning id),
    ${recordEvents(events, sql`exists (select from intent)`)}
    select sequence from recorded_events`);

/** Whether this sender's mismatch was told already, in whatever life of the intent: at most one per sender. */
export async function hasMismatchEvent(db: Db, tenant: Tenant, intentId: string, sender: string): Promise<boolean> {
  const row = await db.row(sql`
    select 1 from event_keys
    where business_id = ${tenant.businessId} and object_id = ${intentId}
      and transition = ${`payment_mismatch ${sender}`} limit 1`);
  return row !== null;
}

export type UnmatchedReason = "unknown_payment_id" | "terms_differ";

/** Keeps payments under our operator that are bound to no intent; an answer from an older slot changes nothing. */
export const saveUnmatched = (
  db: Db,
  environment: Environment,
  observed: readonly (ObservedPayment & { reason: UnmatchedReason })[],
  now: Date,
) => {
  const of = <Value>(pick: (payment: ChainPayment, observed: ObservedPayment) => Value) =>
    observed.map((one) => pick(one.payment, one));
  return db.rows(sql`
    insert into unmatched_payments as u (environment, address, reason, payment_id, status, sender, recipient, amount, asset,
      protection_period, signature, created_at, protection_deadline, disputed_at, settled_at, refunded_at, checked_at, observed_slot)
    select ${environment}, s.address, s.reason, s.payment_id, s.status, s.sender, s.recipient, s.amount, s.asset,
      s.protection_period, s.signature, s.created_at, s.protection_deadline, s.disputed_at, s.settled_at, s.refunded_at, ${now}::timestamptz, s.observed_slot
    from unnest(
      ${of((payment) => payment.address)}::text[], ${observed.map((one) => one.reason)}::text[], ${of((payment) => payment.paymentId)}::numeric[],
      ${of((payment) => payment.status)}::text[], ${of((payment) => payment.sender)}::text[], ${of((payment) => payment.recipient)}::text[],
      ${of((payment) => payment.amount)}::numeric[], ${of((payment) => payment.asset)}::text[], ${of((payment) => payment.protectionPeriod)}::text[],
      ${of((_, one) => one.signature)}::text[], ${of((payment) => payment.createdAt)}::timestamptz[],
      ${of((payment) => payment.protectionDeadline)}::timestamptz[], ${of((payment) => payment.disputedAt)}::timestamptz[],
      ${of((payment) => (payment.status === "released" ? payment.resolvedAt : null))}::timestamptz[],
      ${of((payment) => (payment.status === "refunded" ? payment.resolvedAt : null))}::timestamptz[],
      ${of((_, one) => one.slot)}::bigint[]
    ) as s (address, reason, payment_id, status, sender, recipient, amount, asset, protection_period, signature, created_at,
      protection_deadline, disputed_at, settled_at, refunded_at, observed_slot)
    order by s.address
    -- After a fork it may be another payment that has the address.
    on conflict (environment, address) do update set
      reason = excluded.reason, status = excluded.status, recipient = excluded.recipient, amount = excluded.amount, asset = excluded.asset,
      protection_period = excluded.protection_period, created_at = excluded.created_at,
      protection_deadline = excluded.protection_deadline, disputed_at = excluded.disputed_at, settled_at = excluded.settled_at,
      refunded_at = excluded.refunded_at, checked_at = excluded.checked_at, observed_slot = excluded.observed_slot,
      signature = case when u.created_at = excluded.created_at then coalesce(excluded.signature, u.signature) else excluded.signature end
    where u.observed_slot <= excluded.observed_slot`);
};

/**
 * Of these addresses, the recorded ones that a check leaves as they are; their `checkedAt` moves. Whatever differs from
 * the books, be it a time, is for `decide`.
 */
export const touchUnchanged = (db: Db, environment: Environment, observed: readonly ObservedPayment[], now: Date) => {
  const of = <Value>(pick: (payment: ChainPayment) => Value) => observed.map(({ payment }) => pick(payment));
  return db.rows<{ address: string }>(sql`
    update payments p set checked_at = ${now}, observed_slot = greatest(p.observed_slot, s.slot), finalized = p.finalized or s.finalized,
      changed_slot = case when not s.finalized then p.changed_slot end, suspected_at = null, suspected_by_node = null
    from unnest(
        ${of((payment) => payment.address)}::text[], ${of((payment) => payment.status)}::text[],
        ${of((payment) => payment.recipient)}::text[], ${of((payment) => payment.amount)}::numeric[],
        ${of((payment) => payment.asset)}::text[], ${of((payment) => payment.protectionPeriod)}::text[],
        ${of((payment) => payment.createdAt)}::timestamptz[], ${of((payment) => payment.disputedAt)}::timestamptz[],
        ${of((payment) => payment.resolvedAt)}::timestamptz[],
        ${observed.map((one) => one.slot)}::bigint[], ${observed.map((one) => one.finalized)}::boolean[]
      ) as s (address, status, recipient, amount, asset, protection_period, created_at, disputed_at, resolved_at, slot, finalized)
      join payment_addresses a on a.address = s.address
    where p.business_id = a.business_id and p.address = a.address and p.environment = ${environment}
      and (p.status, p.recipient, p.amount, p.asset, p.protection_period, p.created_at)
        = (s.status, s.recipient, s.amount, s.asset, s.protection_period, s.created_at)
      and p.disputed_at is not distinct from s.disputed_at
      and coalesce(p.settled_at, p.refunded_at) is not distinct from s.resolved_at
      and (not s.finalized or s.slot >= coalesce(p.changed_slot, 0))
    returning p.address`);
};

export interface IntentTerms extends Terms {
  readonly id: string;
  readonly paymentId: string;
}

export async function findIntentTerms(db: Db, tenant: Tenant, id: string): Promise<IntentTerms | null> {
  const row = await db.row<IntentRow>(sql`
    select * from intents where business_id = ${tenant.businessId} and id = ${id} and environment = ${tenant.environment}`);
  return row === null ? null : readIntentRow(row);
}

/** The intent as it stands, its primary payment, and the payment that decided the outcome. */
export interface Confirmation {
  readonly intent: Intent;
  readonly primary: Payment | null;
  readonly payment: Payment;
  readonly now: Date;
}

/** One of an intent's payments, by address or by the transaction that made it (then the oldest recorded), with the intent as it stands. */
export async function findConfirmation(
  db: Db,
  tenant: Tenant,
  intentId: string,
  by: { readonly signature?: string; readonly address?: string },
): Promise<Confirmation | null> {
  const rows = await db.rows<PaymentRow>(sql`
    select * from payments where business_id = ${tenant.businessId} and intent_id = ${intentId} order by recorded_sequence`);
  const payment = rows.find((row) =>
    by.address === undefined ? row.signature === by.signature : row.address === by.address,
  );
  if (payment === undefined) return null;
  const primary = rows.find((row) => row.role === "primary");
  const intent = await db.row<IntentRow & { now: Date }>(sql`
    select *, ${environmentNow(tenant.environment)} as now from intents where business_id = ${tenant.businessId} and id = ${intentId}`);
  return {
    intent: readIntentRow(intent!),
    primary: primary === undefined ? null : readPaymentRow(primary),
    payment: readPaymentRow(payment),
    now: intent!.now,
  };
}
