import type { Tenant } from "../../../domain/callers.ts";
import type { Environment, Terms } from "../../../domain/terms.ts";
import { flag, integer, nullable, type Row, rowReader, slot } from "../../../lib/columns.ts";
import { environmentNow } from "../../../store/clock.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { assignments, columnNames, columnValues } from "../../../store/table.ts";
import type { EventDraft } from "../../events/event.ts";
import { recordEvents } from "../../events/fragments.ts";
import { lockIntent } from "../../intents/fragments.ts";
import { type Intent, readIntentRow } from "../../intents/intent.ts";
import { PAYMENT_COLUMNS, type Payment, readPaymentRow } from "../../payments/payment.ts";
import { type Binding, mismatchTransition, type Rejection } from "./decision.ts";
import type { AccountState, IntentState, KnownPayment, ObservedClosing, ObservedPayment } from "./state.ts";

/** Establishes the tenants: which intents the payment ids belong to. Unknown ids are left out. */
export async function findTenantsByPaymentId(db: Db, environment: Environment, paymentIds: readonly string[]) {
  const rows = await db.rows<{ payment_id: string; business_id: string; intent_id: string }>(sql`
    select payment_id, business_id, intent_id from payment_ids
    where payment_id = any(${paymentIds}::bigint[]) and environment = ${environment}`);
  return new Map(
    rows.map((row) => [row.payment_id, { businessId: row.business_id, environment, intentId: row.intent_id }]),
  );
}

const KNOWN_COLUMNS = {
  ...PAYMENT_COLUMNS,
  generation: integer(),
  observedSlot: slot(),
  createdSlot: nullable(slot()),
  changedSlot: nullable(slot()),
  finalized: flag(),
};

const readKnown = rowReader(KNOWN_COLUMNS);
export const readKnownRow = (row: Row): KnownPayment => ({
  ...readKnown(row),
  isSuspected: row.suspected_at !== null,
});

/**
 * Locks an intent's row to the end of the transaction and reads, after the lock is held, what a decision on these observed
 * payments depends on. Null: there is no such intent.
 */
export async function lockIntentState(
  db: Db,
  tenant: Tenant,
  intentId: string,
  observed: readonly ObservedPayment[],
): Promise<{ readonly state: IntentState; readonly now: Date } | null> {
  const locked = await lockIntent(db, tenant, intentId);
  if (locked === null) return null;
  const { now, intent, generation, mismatchCount, lastOccurredAt } = locked;
  const recorded = await listRecorded(db, tenant, intentId, observed);
  return { state: { intent, generation, mismatchCount, lastOccurredAt, ...recorded }, now };
}

/** All payments of an intent, and what earlier generations left of the addresses and senders observed now. */
export async function listRecorded(
  db: Db,
  tenant: Tenant,
  intentId: string,
  observed: readonly ObservedPayment[],
): Promise<Pick<IntentState, "payments" | "mismatchSenders" | "revertedGenerations">> {
  const senders = [...new Set(observed.map(({ payment }) => payment.sender))];
  // Without a payment there is one row, whose columns of payments are null.
  const rows = await db.rows<Row & EarlierRow>(sql`
    select p.*, earlier.mismatches, earlier.reverted from (
      select
        (select json_agg(transition) from event_keys
          where business_id = ${tenant.businessId} and object_id = ${intentId}
            and transition = any(${senders.map(mismatchTransition)}::text[])) as mismatches,
        (select json_agg(json_build_array(address, generation) order by generation) from reverted_payments
          where business_id = ${tenant.businessId}
            and address = any(${observed.map(({ payment }) => payment.address)}::text[])) as reverted) earlier
      -- Ordered here already, so that the index in this order is chosen, however young the table.
      left join lateral (
        select * from payments
        where business_id = ${tenant.businessId} and intent_id = ${intentId} order by recorded_sequence) p on true
    order by p.recorded_sequence`);
  const { mismatches, reverted } = rows[0]!;
  return {
    payments: rows.filter((row) => row.address !== null).map(readKnownRow),
    mismatchSenders: new Set(senders.filter((sender) => mismatches?.includes(mismatchTransition(sender)))),
    // In the order of generations, so that the last of an address is its highest.
    revertedGenerations: new Map(reverted),
  };
}

interface EarlierRow {
  readonly mismatches: readonly string[] | null;
  readonly reverted: readonly (readonly [address: string, generation: number])[] | null;
}

const KNOWN_NAMES = columnNames(KNOWN_COLUMNS);
const knownValues = columnValues(KNOWN_COLUMNS);

/** Writes a payment that is new, the intent it may have paid, and the events, in one statement. */
export const insertPayment = (
  db: Db,
  tenant: Tenant,
  { payment, state, outcome }: Binding,
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
    -- Of an earlier payment at the address, which did not match.
    matched as (
      delete from unmatched_payments where environment = ${tenant.environment} and address = ${payment.id})
    insert into payments (${KNOWN_NAMES}, recorded_sequence)
    select ${knownValues(payment)}, last - ${events.length - 1}::integer
    from numbered`);

const { businessId: _, environment: __, id: ___, intentId: ____, ...CHANGING_COLUMNS } = KNOWN_COLUMNS;
const knownChanges = assignments(CHANGING_COLUMNS);

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
        ${knownChanges(payment)},
        -- A new generation has an event of its own.
        settleable_event_sent = settleable_event_sent and generation = ${payment.generation}::integer,
        contradicted_at = case when ${payment.isSuspected} then contradicted_at end,
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

/** Counts a payment of the wrong terms, with its event. */
export const updateMismatches = (
  db: Db,
  tenant: Tenant,
  intentId: string,
  { state }: Rejection,
  events: readonly EventDraft[],
) =>
  db.rows(sql`
    with intent as (
      update intents set last_occurred_at = ${state.lastOccurredAt}, mismatch_count = ${state.mismatchCount}
      where business_id = ${tenant.businessId} and id = ${intentId}
      returning id),
    ${recordEvents(events, sql`exists (select from intent)`)}
    select sequence from recorded_events`);

/** Also `closed`: of one that was closed before it was ever observed, so that its terms are not known. */
type UnmatchedReason = "unknown_payment_id" | "terms_differ";
export type UnmatchedPayment = ObservedPayment & { readonly reason: UnmatchedReason };

/** Records payments under our operator that are bound to no intent; an answer from an older slot changes nothing. */
export const saveUnmatched = (db: Db, environment: Environment, observed: readonly UnmatchedPayment[], now: Date) => {
  const of = <Value>(pick: (payment: AccountState, observed: ObservedPayment) => Value) =>
    observed.map((one) => pick(one.payment, one));
  return db.rows(sql`
    insert into unmatched_payments as u (environment, address, reason, payment_id, status, sender, recipient, amount, asset,
      protection_period, signature, created_at, protection_deadline, disputed_at, settled_at, refunded_at, checked_at, observed_slot,
      outcome, refund_total, amount_refunded, amount_released)
    select ${environment}, s.address, s.reason, s.payment_id, s.status, s.sender, s.recipient, s.amount, s.asset,
      s.protection_period, s.signature, s.created_at, s.protection_deadline, s.disputed_at, s.settled_at, s.refunded_at, ${now}::timestamptz, s.observed_slot,
      s.outcome, s.refund_total, s.amount_refunded, s.amount_released
    from unnest(
      ${of((payment) => payment.address)}::text[], ${observed.map((one) => one.reason)}::text[], ${of((payment) => payment.paymentId)}::numeric[],
      ${of((payment) => payment.status)}::text[], ${of((payment) => payment.sender)}::text[], ${of((payment) => payment.recipient)}::text[],
      ${of((payment) => payment.amount)}::numeric[], ${of((payment) => payment.asset)}::text[], ${of((payment) => payment.protectionPeriod)}::text[],
      ${of((_, one) => one.signature)}::text[], ${of((payment) => payment.createdAt)}::timestamptz[],
      ${of((payment) => payment.protectionDeadline)}::timestamptz[], ${of((payment) => payment.disputedAt)}::timestamptz[],
      ${of((payment) => payment.settledAt)}::timestamptz[], ${of((payment) => payment.refundedAt)}::timestamptz[],
      ${of((_, one) => one.slot)}::bigint[], ${of((payment) => payment.outcome)}::text[],
      ${of((payment) => payment.refundTotal)}::numeric[], ${of((payment) => payment.amountRefunded)}::numeric[],
      ${of((payment) => payment.amountReleased)}::numeric[]
    ) as s (address, reason, payment_id, status, sender, recipient, amount, asset, protection_period, signature, created_at,
      protection_deadline, disputed_at, settled_at, refunded_at, observed_slot, outcome, refund_total, amount_refunded, amount_released)
    order by s.address
    -- After a fork it may be another payment that has the address.
    on conflict (environment, address) do update set
      reason = excluded.reason, status = excluded.status, sender = excluded.sender, recipient = excluded.recipient, amount = excluded.amount, asset = excluded.asset,
      protection_period = excluded.protection_period, created_at = excluded.created_at,
      protection_deadline = excluded.protection_deadline, disputed_at = excluded.disputed_at, settled_at = excluded.settled_at,
      refunded_at = excluded.refunded_at, outcome = excluded.outcome, refund_total = excluded.refund_total,
      amount_refunded = excluded.amount_refunded, amount_released = excluded.amount_released, checked_at = excluded.checked_at, observed_slot = excluded.observed_slot,
      signature = case when u.created_at = excluded.created_at then coalesce(excluded.signature, u.signature) else excluded.signature end
    where u.observed_slot <= excluded.observed_slot`);
};

/**
 * Records payments that are bound to no intent and were closed: those that were observed before end, of the others only
 * the end is known. An answer from an older slot changes nothing.
 */
export const saveClosed = (db: Db, environment: Environment, observed: readonly ObservedClosing[], now: Date) => {
  const of = <Value>(pick: (closing: ObservedClosing) => Value) => observed.map(pick);
  return db.rows(sql`
    insert into unmatched_payments as u (environment, address, reason, payment_id, status, outcome, amount, refund_total,
      amount_refunded, amount_released, signature, disputed_at, settled_at, refunded_at, checked_at, observed_slot)
    select ${environment}, s.address, 'closed', s.payment_id, s.status, s.outcome, s.refunded + s.released, s.refunded,
      s.refunded, s.released, s.signature, s.disputed_at, s.settled_at, s.refunded_at, ${now}::timestamptz, s.slot
    from unnest(
      ${of(({ payment }) => payment.address)}::text[], ${of(({ payment }) => payment.paymentId)}::numeric[],
      ${of(({ payment }) => payment.status)}::text[], ${of(({ payment }) => payment.outcome)}::text[],
      ${of(({ payment }) => payment.amountRefunded)}::numeric[], ${of(({ payment }) => payment.amountReleased)}::numeric[],
      ${of(({ signature }) => signature)}::text[], ${of(({ payment }) => payment.disputedAt)}::timestamptz[],
      ${of(({ payment }) => payment.settledAt)}::timestamptz[], ${of(({ payment }) => payment.refundedAt)}::timestamptz[],
      ${of(({ slot }) => slot)}::bigint[]
    ) as s (address, payment_id, status, outcome, refunded, released, signature, disputed_at, settled_at, refunded_at, slot)
    order by s.address
    on conflict (environment, address) do update set
      status = excluded.status, outcome = excluded.outcome, refund_total = excluded.refund_total,
      amount_refunded = excluded.amount_refunded, amount_released = excluded.amount_released, disputed_at = excluded.disputed_at,
      settled_at = excluded.settled_at, refunded_at = excluded.refunded_at, checked_at = excluded.checked_at,
      observed_slot = excluded.observed_slot, signature = coalesce(u.signature, excluded.signature)
    where u.observed_slot <= excluded.observed_slot`);
};

/**
 * Moves `checkedAt` of those recorded payments whose accounts agree with the books in everything, and returns their
 * addresses. Any difference, even of a time, is left to `decide`.
 */
export const touchUnchanged = (db: Db, environment: Environment, observed: readonly ObservedPayment[], now: Date) => {
  const of = <Value>(pick: (payment: AccountState) => Value) => observed.map(({ payment }) => pick(payment));
  return db.rows<{ address: string }>(sql`
    update payments p set checked_at = ${now}, observed_slot = greatest(p.observed_slot, s.slot), finalized = p.finalized or s.finalized,
      changed_slot = case when not s.finalized then p.changed_slot end,
      contradicted_at = null, suspected_at = null, suspected_by_node = null
    from unnest(
        ${of((payment) => payment.address)}::text[], ${of((payment) => payment.status)}::text[],
        ${of((payment) => payment.recipient)}::text[], ${of((payment) => payment.amount)}::numeric[],
        ${of((payment) => payment.asset)}::text[], ${of((payment) => payment.protectionPeriod)}::text[],
        ${of((payment) => payment.createdAt)}::timestamptz[], ${of((payment) => payment.disputedAt)}::timestamptz[],
        ${of((payment) => payment.settledAt)}::timestamptz[], ${of((payment) => payment.refundedAt)}::timestamptz[],
        ${of((payment) => payment.outcome)}::text[], ${of((payment) => payment.refundTotal)}::numeric[],
        ${of((payment) => payment.amountRefunded)}::numeric[], ${of((payment) => payment.amountReleased)}::numeric[],
        ${of((payment) => payment.arbiter)}::text[], ${of((payment) => payment.termsHash)}::text[],
        ${observed.map((one) => one.slot)}::bigint[], ${observed.map((one) => one.finalized)}::boolean[]
      ) as s (address, status, recipient, amount, asset, protection_period, created_at, disputed_at, settled_at, refunded_at, outcome,
        refund_total, amount_refunded, amount_released, arbiter, terms_hash, slot, finalized)
      join payment_addresses a on a.address = s.address
    where p.business_id = a.business_id and p.address = a.address and p.environment = ${environment}
      and (p.status, p.recipient, p.amount, p.asset, p.protection_period, p.created_at, p.refund_total, p.amount_refunded, p.amount_released, p.arbiter)
        = (s.status, s.recipient, s.amount, s.asset, s.protection_period, s.created_at, s.refund_total, s.amount_refunded, s.amount_released, s.arbiter)
      and p.disputed_at is not distinct from s.disputed_at and p.settled_at is not distinct from s.settled_at
      and p.refunded_at is not distinct from s.refunded_at and p.outcome is not distinct from s.outcome
      and p.terms_hash is not distinct from s.terms_hash
      and (not s.finalized or s.slot >= coalesce(p.changed_slot, 0))
    returning p.address`);
};

export interface IntentTerms extends Terms {
  readonly id: string;
  readonly paymentId: string;
}

export async function findIntentTerms(db: Db, tenant: Tenant, id: string): Promise<IntentTerms | null> {
  const row = await db.row<Row>(sql`
    select * from intents where business_id = ${tenant.businessId} and id = ${id} and environment = ${tenant.environment}`);
  return row === null ? null : readIntentRow(row);
}

/** The intent after the confirmation, its primary payment, and the payment that decided the outcome. */
export interface Confirmation {
  readonly intent: Intent;
  readonly primary: Payment | null;
  readonly payment: Payment;
  readonly now: Date;
}

/** One of an intent's payments, by address or by the transaction that made it (then the oldest recorded), with the intent. */
export async function findConfirmation(
  db: Db,
  tenant: Tenant,
  intentId: string,
  by: { readonly signature?: string; readonly address?: string },
): Promise<Confirmation | null> {
  const rows = await db.rows<Row>(sql`
    select * from payments where business_id = ${tenant.businessId} and intent_id = ${intentId} order by recorded_sequence`);
  const payment = rows.find((row) =>
    by.address === undefined ? row.signature === by.signature : row.address === by.address,
  );
  if (payment === undefined) return null;
  const primary = rows.find((row) => row.role === "primary");
  const intent = await db.row<Row & { now: Date }>(sql`
    select *, ${environmentNow(tenant.environment)} as now from intents where business_id = ${tenant.businessId} and id = ${intentId}`);
  return {
    intent: readIntentRow(intent!),
    primary: primary === undefined ? null : readPaymentRow(primary),
    payment: readPaymentRow(payment),
    now: intent!.now,
  };
}
