import type { Owner } from "../../../domain/callers.ts";
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
import type { KnownPayment, SeenPayment, Story } from "../decide/decision.ts";
import { listKnownPayments, updatePayment } from "../decide/queries.ts";
import { type Recording, recordPayments } from "../decide/record.ts";
import { decideCorrection } from "./correction.ts";
import { decideReversal, type Reversal } from "./reversal.ts";

/**
 * Gives a binding up, in one transaction under the intent's lock. Nothing happens if the payment was seen meanwhile, or
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
  seen: SeenPayment,
): Promise<void> {
  const isAnother = await recording.database.transaction(async (db) => {
    const held = await holdMissed(db, environment, missed);
    if (held === null) return false;
    const { owner, story, payment, now } = held;
    if (mismatches(story.intent, seen.payment).length > 0) {
      await giveUp(db, held, recording.checkoutUrl);
      return true;
    }
    const correction = decideCorrection(story, payment, seen, now);
    const events = correction.happenings.map((happening) => draftEvent(owner, happening, now));
    await updatePayment(db, owner, correction, events);
    return false;
  });
  if (isAnother) await recordPayments(recording, environment, [seen]);
}

/** A payment that was missed twice, with its story under the intent's lock. */
interface Held {
  readonly owner: Owner;
  readonly story: Story;
  readonly payment: KnownPayment;
  readonly now: Date;
}

/** Null when it is no longer what the two reads missed. */
async function holdMissed(db: Db, environment: Environment, missed: KnownPayment): Promise<Held | null> {
  const at = await db.row<{ business_id: string; intent_id: string }>(sql`
    select business_id, intent_id from payment_addresses where address = ${missed.id} and environment = ${environment}`);
  if (at === null) return null;
  const owner: Owner = { businessId: at.business_id, environment };
  const locked = await lockIntent(db, owner, at.intent_id);
  if (locked === null) return null;
  const payments = await listKnownPayments(db, owner, at.intent_id);
  const payment = payments.find((known) => known.id === missed.id);
  const isStill =
    payment?.isDoubted && payment.seenSlot === missed.seenSlot && payment.generation === missed.generation;
  return isStill ? { owner, story: { ...locked, payments }, payment, now: locked.now } : null;
}

async function giveUp(db: Db, { owner, story, payment, now }: Held, checkoutUrl: string): Promise<void> {
  const circumstances = {
    referenceTaken: await freeReference(db, story.intent, now),
    expiryTold: await wasExpiryTold(db, story.intent),
  };
  const reversal = decideReversal(story, payment, circumstances, now, checkoutUrl);
  await writeReversal(
    db,
    owner,
    reversal,
    reversal.happenings.map((happening) => draftEvent(owner, happening, now)),
    now,
  );
  failpoint("revert.before_commit");
}

/** Frees the reference from an expired holder; true when an open intent holds it. */
async function freeReference(db: Db, intent: Intent, now: Date): Promise<boolean> {
  await db.rows(sql`
    update intents set open = false
    where business_id = ${intent.businessId} and environment = ${intent.environment}
      and merchant_reference = ${intent.merchantReference} and open and expires_at < ${now}`);
  const holder = await db.row(sql`
    select id from intents
    where business_id = ${intent.businessId} and environment = ${intent.environment}
      and merchant_reference = ${intent.merchantReference} and open and id <> ${intent.id}`);
  return holder !== null;
}

const wasExpiryTold = async (db: Db, intent: Intent): Promise<boolean> =>
  (await db.row(sql`
    select 1 from event_keys
    where business_id = ${intent.businessId} and object_id = ${intent.id} and transition = 'payment_intent.expired' limit 1`)) !==
  null;

async function writeReversal(
  db: Db,
  owner: Owner,
  reversal: Reversal,
  events: readonly EventDraft[],
  now: Date,
): Promise<void> {
  const { payment, intent, promoted, reopened, generation, lastOccurredAt } = reversal;
  await db.rows(sql`
    with gone as (
      delete from payments where business_id = ${owner.businessId} and address = ${payment.id} returning address),
    unaddressed as (
      delete from payment_addresses where address = ${payment.id}),
    kept as (
      insert into reverted_payments (business_id, address, generation, intent_id, reverted_at, snapshot)
      select ${owner.businessId}, address, ${payment.generation}::integer, ${intent.id}, ${now}, ${showFields(showPayment(payment, now))} from gone),
    ${recordEvents(events, sql`exists (select from gone)`)}
    select sequence from told`);
  if (payment.role === "duplicate") {
    await db.rows(
      sql`update intents set last_occurred_at = ${lastOccurredAt} where business_id = ${owner.businessId} and id = ${intent.id}`,
    );
    return;
  }
  if (promoted !== null)
    await db.rows(
      sql`update payments set role = 'primary' where business_id = ${owner.businessId} and address = ${promoted.id}`,
    );
  await db.rows(sql`
    update intents set status = ${intent.status}, canceled_at = ${intent.canceledAt}::timestamptz, payment_address = ${promoted?.id ?? null},
      open = ${reopened}, generation = ${generation}, last_occurred_at = ${lastOccurredAt}
    where business_id = ${owner.businessId} and id = ${intent.id}`);
}
