import type { Tenant } from "../../../domain/callers.ts";
import { showFields } from "../../../domain/show.ts";
import { type Environment, mismatches } from "../../../domain/terms.ts";
import { failpoint } from "../../../lib/failpoint.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { draftEvent, type EventDraft } from "../../events/event.ts";
import { recordEvents } from "../../events/fragments.ts";
import { lockIntent } from "../../intents/fragments.ts";
import type { Intent } from "../../intents/intent.ts";
import { showPayment } from "../../payments/payment.ts";
import type { IntentState, KnownPayment, ObservedPayment } from "../decide/decision.ts";
import { listKnownPayments, updatePayment } from "../decide/queries.ts";
import { type Recording, recordPayments } from "../decide/record.ts";
import { decideCorrection } from "./correction.ts";
import { decideReversal, type Reversal } from "./reversal.ts";

/**
 * Gives a binding up, in one transaction under the intent's lock. Nothing happens if the payment was observed meanwhile, or
 * became final.
 */
export async function revertPayment(
  { database, checkoutUrl }: Recording,
  environment: Environment,
  missed: KnownPayment,
): Promise<void> {
  await database.transaction(async (db) => {
    const held = await holdMissed(db, environment, missed);
    if (held !== null) await giveUp(db, held, checkoutUrl);
  });
}

/**
 * Puts the books right where the final account is not what they say: the same payment with other steps or times goes on
 * from there; another one at its address takes its place, if it matches.
 */
export async function correctPayment(
  recording: Recording,
  environment: Environment,
  missed: KnownPayment,
  observed: ObservedPayment,
): Promise<void> {
  const isAnother = await recording.database.transaction(async (db) => {
    const held = await holdMissed(db, environment, missed);
    if (held === null) return false;
    const { tenant, state, payment, now } = held;
    if (mismatches(state.intent, observed.payment).length > 0) {
      await giveUp(db, held, recording.checkoutUrl);
      return true;
    }
    const correction = decideCorrection(state, payment, observed, now);
    const events = correction.pendingEvents.map((pendingEvent) => draftEvent(tenant, pendingEvent, now));
    await updatePayment(db, tenant, correction, events);
    return false;
  });
  if (isAnother) await recordPayments(recording, environment, [observed]);
}

/** A payment that was missed twice, with its state under the intent's lock. */
interface Held {
  readonly tenant: Tenant;
  readonly state: IntentState;
  readonly payment: KnownPayment;
  readonly now: Date;
}

/** Null when it is no longer what the two reads missed. */
async function holdMissed(db: Db, environment: Environment, missed: KnownPayment): Promise<Held | null> {
  const at = await db.row<{ business_id: string; intent_id: string }>(sql`
    select business_id, intent_id from payment_addresses where address = ${missed.id} and environment = ${environment}`);
  if (at === null) return null;
  const tenant: Tenant = { businessId: at.business_id, environment };
  const locked = await lockIntent(db, tenant, at.intent_id);
  if (locked === null) return null;
  const payments = await listKnownPayments(db, tenant, at.intent_id);
  const payment = payments.find((known) => known.id === missed.id);
  const isStill =
    payment?.isSuspected && payment.observedSlot === missed.observedSlot && payment.generation === missed.generation;
  return isStill ? { tenant, state: { ...locked, payments }, payment, now: locked.now } : null;
}

async function giveUp(db: Db, { tenant, state, payment, now }: Held, checkoutUrl: string): Promise<void> {
  const circumstances = {
    referenceTaken: await freeReference(db, state.intent, now),
    expiredEventSent: await wasExpiredEventSent(db, state.intent),
  };
  const reversal = decideReversal(state, payment, circumstances, now, checkoutUrl);
  await writeReversal(
    db,
    tenant,
    reversal,
    reversal.pendingEvents.map((pendingEvent) => draftEvent(tenant, pendingEvent, now)),
    now,
  );
  failpoint("revert.before_commit");
}

/** Frees the reference from an expired holder; true when an open intent holds it. */
async function freeReference(db: Db, intent: Intent, now: Date): Promise<boolean> {
  await db.rows(sql`
    update intents set holds_reference = false
    where business_id = ${intent.businessId} and environment = ${intent.environment}
      and merchant_reference = ${intent.merchantReference} and holds_reference and expires_at < ${now}`);
  const holder = await db.row(sql`
    select id from intents
    where business_id = ${intent.businessId} and environment = ${intent.environment}
      and merchant_reference = ${intent.merchantReference} and holds_reference and id <> ${intent.id}`);
  return holder !== null;
}

const wasExpiredEventSent = async (db: Db, intent: Intent): Promise<boolean> =>
  (await db.row(sql`
    select 1 from event_keys
    where business_id = ${intent.businessId} and object_id = ${intent.id} and transition = 'payment_intent.expired' limit 1`)) !==
  null;

async function writeReversal(
  db: Db,
  tenant: Tenant,
  reversal: Reversal,
  events: readonly EventDraft[],
  now: Date,
): Promise<void> {
  const { payment, intent, promoted, reopened, generation, lastOccurredAt } = reversal;
  await db.rows(sql`
    with gone as (
      delete from payments where business_id = ${tenant.businessId} and address = ${payment.id} returning address),
    unaddressed as (
      delete from payment_addresses where address = ${payment.id}),
    kept as (
      insert into reverted_payments (business_id, address, generation, intent_id, reverted_at, snapshot)
      select ${tenant.businessId}, address, ${payment.generation}::integer, ${intent.id}, ${now}, ${showFields(showPayment(payment, now))} from gone),
    ${recordEvents(events, sql`exists (select from gone)`)}
    select sequence from recorded_events`);
  if (payment.role === "duplicate") {
    await db.rows(
      sql`update intents set last_occurred_at = ${lastOccurredAt} where business_id = ${tenant.businessId} and id = ${intent.id}`,
    );
    return;
  }
  if (promoted !== null)
    await db.rows(
      sql`update payments set role = 'primary' where business_id = ${tenant.businessId} and address = ${promoted.id}`,
    );
  await db.rows(sql`
    update intents set status = ${intent.status}, canceled_at = ${intent.canceledAt}::timestamptz, payment_address = ${promoted?.id ?? null},
      holds_reference = ${reopened}, generation = ${generation}, last_occurred_at = ${lastOccurredAt}
    where business_id = ${tenant.businessId} and id = ${intent.id}`);
}
