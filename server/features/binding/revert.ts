import type { Owner } from "../../domain/callers.ts";
import { showFields } from "../../domain/show.ts";
import type { Environment } from "../../domain/terms.ts";
import { failpoint } from "../../lib/failpoint.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { draftEvent, type EventDraft } from "../events/event.ts";
import { recordEvents } from "../events/fragments.ts";
import { lockIntent } from "../intents/fragments.ts";
import type { Intent } from "../intents/intent.ts";
import { showPayment } from "../payments/payment.ts";
import { listKnownPayments } from "./queries.ts";
import type { Recording } from "./record.ts";
import { decideReversal, type Reversal } from "./reverting.ts";

/** Gives a binding up, in one transaction under the intent's lock; nothing happens if it became final meanwhile. */
export async function revertPayment(
  { database, checkoutUrl }: Recording,
  environment: Environment,
  address: string,
): Promise<void> {
  await database.transaction(async (db) => {
    const at = await db.row<{ business_id: string; intent_id: string }>(sql`
      select business_id, intent_id from payment_addresses where address = ${address} and environment = ${environment}`);
    if (at === null) return;
    const owner: Owner = { businessId: at.business_id, environment };
    const locked = await lockIntent(db, owner, at.intent_id);
    if (locked === null) return;
    const payments = await listKnownPayments(db, owner, at.intent_id);
    const payment = payments.find((known) => known.id === address);
    if (payment === undefined || payment.finalized) return;

    const circumstances = {
      referenceTaken: await freeReference(db, locked.intent, locked.now),
      expiryTold: await wasExpiryTold(db, locked.intent),
    };
    const reversal = decideReversal({ ...locked, payments }, payment, circumstances, locked.now, checkoutUrl);
    await writeReversal(
      db,
      owner,
      reversal,
      reversal.happenings.map((happening) => draftEvent(owner, happening, locked.now)),
      locked.now,
    );
    failpoint("revert.before_commit");
  });
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
