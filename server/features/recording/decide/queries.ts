import type { Tenant } from "../../../domain/callers.ts";
import { newReceiptKey } from "../../../domain/ids.ts";
import type { Environment, Terms } from "../../../domain/terms.ts";
import { flag, integer, omit, other, pick, type Row, rowReader, slot, text, word } from "../../../lib/columns.ts";
import { environmentNow } from "../../../store/clock.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { assignmentsFrom, columnNames, fieldRows, insertion } from "../../../store/table.ts";
import { sameHash } from "../../../store/textHash.ts";
import { keptTermsOf } from "../../checkout/paying/fragments.ts";
import { type DisputeChange, listDisputesAndWaits, saveDisputes } from "../../disputes/fragments.ts";
import type { EventDraft } from "../../events/event.ts";
import { eventKey, isRecorded } from "../../events/fragments.ts";
import { lockIntents, peekIntent, STATE_COLUMNS } from "../../intents/fragments.ts";
import { type Intent, readIntentRow } from "../../intents/intent.ts";
import { linkOf } from "../../links/fragments.ts";
import { moveDayTotals } from "../../overview/fragments.ts";
import { type Payment, readPaymentRow } from "../../payments/payment.ts";
import { UNMATCHED } from "../../payments/unmatched.ts";
import { endWaitOfParts } from "../../settlement/fragments.ts";
import { recordEvents } from "../../webhooks/fragments.ts";
import { mismatchTransition } from "./decision.ts";
import {
  changesIntent,
  type IntentState,
  KNOWN_COLUMNS,
  type KnownPayment,
  type ObservedClosing,
  type ObservedPayment,
} from "./state.ts";
import { draftClosed, draftUnmatched, type ObservedUnmatched } from "./unmatched.ts";

/** Establishes the tenants: finds the intents of these payment ids. Unknown ids are left out. */
export async function findTenantsByPaymentId(db: Db, environment: Environment, paymentIds: readonly string[]) {
  const rows = await db.rows<{ payment_id: string; business_id: string; intent_id: string }>(sql`
    select payment_id, business_id, id as intent_id from intents
    where payment_id = any(${paymentIds}::bigint[]) and environment = ${environment}`);
  return new Map(
    rows.map((row) => [row.payment_id, { businessId: row.business_id, environment, intentId: row.intent_id }]),
  );
}

const readKnown = rowReader(KNOWN_COLUMNS);
export const readKnownRow = (row: Row): KnownPayment => ({
  ...readKnown(row),
  isSuspected: row.suspected_at !== null,
});

/** The observed payments of one intent, to be decided together. */
export interface ObservedGroup {
  readonly tenant: IntentTenant;
  readonly observed: readonly ObservedPayment[];
  /** A payment that is observed in another way, and is disputed. */
  readonly disputed?: string;
}

export type IntentTenant = Tenant & { readonly intentId: string };

export interface LockedState {
  readonly state: IntentState;
  readonly now: Date;
}

/** {@link lockIntentStates} for one intent. */
export const lockIntentState = async (db: Db, group: ObservedGroup): Promise<LockedState | null> =>
  (await lockIntentStates(db, group.tenant.environment, [group]))[0]!;

/**
 * Locks the rows of intents to the end of the transaction. Then reads what decisions on these observed payments depend
 * on, in the order of the groups; null for an intent that does not exist.
 */
export async function lockIntentStates(
  db: Db,
  environment: Environment,
  groups: readonly ObservedGroup[],
): Promise<(LockedState | null)[]> {
  const wanted = groups.map(({ tenant }) => ({ tenant, id: tenant.intentId }));
  const intents = await lockIntents(db, environment, wanted);
  const generationOf = ({ tenant }: ObservedGroup) => intents.get(tenant.intentId)?.generation ?? 1;
  const recorded = await listRecorded(
    db,
    groups.map((group) => ({ ...group, generation: generationOf(group) })),
  );
  const disputes = await listDisputes(db, environment, groups, recorded);
  return groups.map(({ tenant }, index) => {
    const locked = intents.get(tenant.intentId);
    if (locked === undefined) return null;
    const { now, paymentAddress: _, ...state } = locked;
    return { state: { ...state, ...recorded[index]!, ...disputes }, now };
  });
}

const NO_DISPUTES: Pick<IntentState, "disputes" | "waits"> = { disputes: new Map() };

/** The disputes of payments that the books or an observation show as disputed. Where there are none, nothing is read. */
async function listDisputes(
  db: Db,
  environment: Environment,
  groups: readonly ObservedGroup[],
  recorded: readonly Recorded[],
): Promise<typeof NO_DISPUTES> {
  const asked = groups.flatMap(({ tenant, observed, disputed }, index) => {
    const known = recorded[index]!.payments.filter(({ disputedAt }) => disputedAt !== null).map(({ id }) => id);
    const seen = observed.filter(({ payment }) => payment.disputedAt !== null).map(({ payment }) => payment.address);
    return [...new Set([...known, ...seen, ...(disputed === undefined ? [] : [disputed])])].map((address) => ({
      tenant,
      address,
    }));
  });
  return asked.length === 0 ? NO_DISPUTES : listDisputesAndWaits(db, environment, asked);
}

/** An intent's state without a lock, for a preview: it may change before a decision. */
export async function findIntentState(
  db: Db,
  tenant: IntentTenant,
  observed: readonly ObservedPayment[],
): Promise<LockedState | null> {
  const peeked = await peekIntent(db, tenant, tenant.intentId);
  if (peeked === null) return null;
  const { now, paymentAddress: _, ...state } = peeked;
  const [recorded] = await listRecorded(db, [{ tenant, observed, generation: state.generation }]);
  return { state: { ...state, ...recorded!, ...NO_DISPUTES }, now };
}

type Recorded = Pick<
  IntentState,
  "payments" | "mismatchSenders" | "revertedGenerations" | "receiptKeyOf" | "keptTerms" | "linkId" | "withoutSeat"
>;

const groupRows = fieldRows("g", {
  ordinal: integer(),
  businessId: word(),
  intentId: word(),
  generation: integer(),
  transitions: other<readonly string[]>("text[]"),
  addresses: other<readonly string[]>("text[]"),
  hashes: other<readonly string[]>("text[]"),
});

/** All payments of each intent, and the earlier generations of the addresses and senders that are observed now. */
export async function listRecorded(
  db: Db,
  groups: readonly (ObservedGroup & { readonly generation: number })[],
): Promise<Recorded[]> {
  const asked = groups.map(({ tenant, observed, generation }, ordinal) => ({
    ordinal,
    ...tenant,
    generation,
    transitions: observed.map(({ payment }) => mismatchTransition(payment.sender)),
    addresses: observed.map(({ payment }) => payment.address),
    hashes: observed.map(({ payment }) => payment.termsHash).filter((hash) => hash !== null),
  }));
  // An intent without payments has one row, whose payment columns are null.
  const rows = await db.rows<Row & EarlierRow>(sql`
    select g.ordinal,
      (select json_agg(t.transition) from unnest(g.transitions) t (transition), generate_series(1, g.generation) n (generation)
        where ${isRecorded(sql`g.business_id`, eventKey(sql`g.intent_id`, sql`n.generation`, sql`t.transition`))}) as mismatches,
      (select json_agg(json_build_array(r.address, r.generation, r.receipt_key) order by r.generation)
        from reverted_payments r where r.business_id = g.business_id and r.address = any(g.addresses)) as reverted,
      ${keptTermsOf(sql`g`)} as kept_terms, ${linkOf(sql`g.business_id`, sql`g.intent_id`)} as link_id,
      p.*
    from ${groupRows(asked)}
      -- Ordered here, so that the planner chooses the index in this order even on a new table.
      left join lateral (
        select * from payments
        where business_id = g.business_id and intent_id = g.intent_id and ${sameHash(sql`intent_id`, sql`g.intent_id`)}
        order by recorded_sequence) p on true
    order by g.ordinal, p.recorded_sequence`);
  const byGroup = groups.map((): (Row & EarlierRow)[] => []);
  for (const row of rows) byGroup[row.ordinal]!.push(row);
  return groups.map(({ observed }, index) => {
    const mine = byGroup[index]!;
    const { mismatches, reverted, kept_terms, link_id } = mine[0]!;
    const senders = observed.map(({ payment }) => payment.sender);
    return {
      payments: mine.filter((row) => row.address !== null).map(readKnownRow),
      mismatchSenders: new Set(senders.filter((sender) => mismatches?.includes(mismatchTransition(sender)))),
      // Generations come in order, so the last one of an address is its highest.
      revertedGenerations: new Map(reverted?.map(([address, last]) => [address, last])),
      receiptKeyOf: (address) => reverted?.findLast(([one]) => one === address)?.[2] ?? newReceiptKey(),
      keptTerms: new Set(kept_terms),
      linkId: link_id,
      withoutSeat: NONE,
    };
  });
}

interface EarlierRow {
  readonly ordinal: number;
  readonly mismatches: readonly string[] | null;
  readonly reverted: readonly (readonly [address: string, generation: number, receiptKey: string | null])[] | null;
  readonly kept_terms: readonly string[] | null;
  readonly link_id: string | null;
}
const NONE: ReadonlySet<string> = new Set();

/** The changes that decisions on one intent's payments make: the state after them, the payments to write, their events in order. */
export interface IntentChange {
  readonly tenant: IntentTenant;
  readonly before: IntentState;
  readonly state: IntentState;
  readonly added: readonly AddedPayment[];
  readonly updated: readonly KnownPayment[];
  readonly events: readonly EventDraft[];
}

/** The disputes that differ after the decisions. */
const changedDisputes = (before: IntentState, after: IntentState): DisputeChange[] =>
  before.disputes === after.disputes
    ? []
    : [...after.disputes.values()]
        .map((dispute) => ({ before: before.disputes.get(dispute.payment) ?? null, after: dispute }))
        .filter((change) => change.before !== change.after);

/** A new payment with the first of its events, whose sequence is its position in lists. */
export interface AddedPayment {
  readonly payment: KnownPayment;
  readonly firstEvent: EventDraft;
}

const KNOWN_NAMES = columnNames(KNOWN_COLUMNS);
const addedRows = fieldRows("a", { ...KNOWN_COLUMNS, firstEvent: text() });
const updatedRows = fieldRows("u", { ...KNOWN_COLUMNS, isSuspected: flag() });
const intentRows = fieldRows("c", {
  businessId: word(),
  id: word(),
  isPaid: flag(),
  ...omit(STATE_COLUMNS, "generation"),
});
const CHANGES = assignmentsFrom(omit(KNOWN_COLUMNS, "businessId", "environment", "id", "intentId"), "u");

/** Writes new and changed payments, their intents, the events and the sums of days, in one statement. */
export async function writeChanges(db: Db, environment: Environment, changes: readonly IntentChange[]): Promise<void> {
  const [added, updated] = [changes.flatMap((change) => change.added), changes.flatMap((change) => change.updated)];
  const events = changes.flatMap((change) => change.events);
  if (added.length + updated.length + events.length === 0) return;
  const touched = changes.filter(({ before, state }) => changesIntent(before, state));
  await db.rows(sql`
    with changed_intents as (
      update intents i set
        status = case when c.is_paid then 'paid' else i.status end,
        holds_reference = i.holds_reference and not c.is_paid,
        payment_address = coalesce(c.payment_address, i.payment_address),
        mismatch_count = c.mismatch_count, last_occurred_at = c.last_occurred_at, announced = c.announced
      from ${intentRows(touched.map(intentRow))}
      where i.business_id = c.business_id and i.id = c.id returning i.id),
    changed_payments as (
      update payments p set ${CHANGES}, ${endWaitOfParts(environment)},
        -- A new generation has its own event.
        settleable_event_sent = p.settleable_event_sent and p.generation = u.generation,
        contradicted_at = case when u.is_suspected then p.contradicted_at end,
        suspected_at = case when u.is_suspected then p.suspected_at end,
        suspected_by_node = case when u.is_suspected then p.suspected_by_node end
      from ${updatedRows(updated)}
      where p.business_id = u.business_id and p.address = u.address),
    ${recordEvents(events, sql`d.intent_id in (select id from changed_intents)`)}${moveDayTotals(changes.map(paymentsChange), sql`recorded_events`)}${saveDisputes(
      changes.flatMap(({ before, state }) => changedDisputes(before, state)),
    )},
    added as materialized (
      select a.* from ${addedRows(added.map(({ payment, firstEvent }) => ({ ...payment, firstEvent: firstEvent.id })))}),
    -- Earlier payments at the addresses that did not match.
    matched as (
      delete from unmatched_payments
      where environment = ${environment} and address = any(${added.map(({ payment }) => payment.id)}::text[]))
    insert into payments (${KNOWN_NAMES}, recorded_sequence)
    select ${KNOWN_NAMES}, (select e.sequence from recorded_events e where e.id = first_event)
    from added`);
}

const paymentsChange = ({ before, state }: IntentChange) => ({ before: before.payments, after: state.payments });

const intentRow = ({ tenant, state, added }: IntentChange) => ({
  ...state,
  businessId: tenant.businessId,
  id: tenant.intentId,
  isPaid: added.length > 0,
  paymentAddress: added.find(({ payment }) => payment.role === "primary")?.payment.id ?? null,
});

/** The end of a payment, in its account and in its tombstone. */
const END_FIELDS = [
  "status",
  "outcome",
  "amountReleased",
  "amountRefunded",
  "disputedAt",
  "settledAt",
  "refundedAt",
] as const;

const insertUnmatched = insertion(UNMATCHED);
const UNMATCHED_CHANGES = omit(UNMATCHED.columns, "environment", "id", "paymentId", "signature");
const OBSERVED = assignmentsFrom(UNMATCHED_CHANGES, "excluded");
const CLOSED = assignmentsFrom(
  pick(UNMATCHED_CHANGES, ...END_FIELDS, "refundTotal", "recordClosed", "checkedAt", "observedSlot"),
  "excluded",
);

/** Records payments under our operator that are bound to no intent. An answer from an older slot changes nothing. */
export const saveUnmatched = (db: Db, environment: Environment, observed: readonly ObservedUnmatched[], now: Date) =>
  db.rows(sql`
    ${insertUnmatched(observed.map((one) => draftUnmatched(environment, one, now)))} order by r.address
    -- After a fork, another payment may have the address.
    on conflict (environment, address) do update set ${OBSERVED},
      signature = case when t.created_at = excluded.created_at then coalesce(excluded.signature, t.signature) else excluded.signature end
    where t.observed_slot <= excluded.observed_slot`);

/** Records the ends of closed payments that are bound to no intent. An answer from an older slot changes nothing. */
export const saveClosed = (db: Db, environment: Environment, observed: readonly ObservedClosing[], now: Date) =>
  db.rows(sql`
    ${insertUnmatched(observed.map((one) => draftClosed(environment, one, now)))} order by r.address
    on conflict (environment, address) do update set ${CLOSED}, signature = coalesce(t.signature, excluded.signature)
    where t.observed_slot <= excluded.observed_slot`);

/** Marks recorded payments at whose addresses tombstones stand. */
export const markClosed = (db: Db, environment: Environment, addresses: readonly string[]) =>
  db.rows(sql`
    update payments set record_closed = true
    where address = any(${addresses}::text[]) and environment = ${environment} and status in ('released', 'refunded')`);

/** The fields of a payment that its account and the books both have. Any difference, even of a time, is left to `decide`. */
const COMPARED = pick(
  KNOWN_COLUMNS,
  ...END_FIELDS,
  "recipient",
  "amount",
  "asset",
  "protectionPeriod",
  "createdAt",
  "refundTotal",
  "arbiter",
  "termsHash",
);
const accountRows = fieldRows("s", { address: word(), ...COMPARED, slot: slot(), finalized: flag() });

/** Moves `checkedAt` of the recorded payments whose accounts fully agree with the books, and returns their addresses. */
export const touchUnchanged = (db: Db, environment: Environment, observed: readonly ObservedPayment[], now: Date) =>
  db.rows<{ address: string }>(sql`
    update payments p set checked_at = ${now}, observed_slot = greatest(p.observed_slot, s.slot), finalized = p.finalized or s.finalized,
      changed_slot = case when not s.finalized then p.changed_slot end, contradicted_at = null, suspected_at = null, suspected_by_node = null
    from ${accountRows(observed.map(({ payment, ...one }) => ({ ...payment, ...one })))}
    where p.address = s.address and p.environment = ${environment}
      and (${columnNames(COMPARED, "p")}) is not distinct from (${columnNames(COMPARED, "s")})
      and (not s.finalized or s.slot >= coalesce(p.changed_slot, 0))
    returning p.address`);

export type IntentTerms = Terms & Pick<Intent, "id" | "paymentId" | "merchantReference">;

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

/** A payment of an intent, found by address or by the transaction that made it (then the oldest recorded), with the intent. */
export async function findConfirmation(
  db: Db,
  tenant: Tenant,
  intentId: string,
  by: { readonly signature?: string; readonly address?: string },
): Promise<Confirmation | null> {
  const rows = await db.rows<Row>(sql`
    select * from payments
    where business_id = ${tenant.businessId} and intent_id = ${intentId} and ${sameHash(sql`intent_id`, sql`${intentId}`)}
    order by recorded_sequence`);
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
