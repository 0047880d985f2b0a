import type { Environment } from "../../domain/terms.ts";
import type { Database, Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { draftEvent, occurredAfter } from "../events/event.ts";
import { recordEvents } from "../events/fragments.ts";
import { lockIntent } from "./fragments.ts";
import { showIntent } from "./intent.ts";

export interface ExpiryDeps {
  readonly database: Database;
  readonly environment: Environment;
  readonly checkoutUrl: string;
}

const BATCH_MAX = 100;

/**
 * Announces intents that expired unpaid. Reads say `expired` by the clock alone; the event waits until the sweep has
 * processed everything up to past `expiresAt`, so that a payment made in time is announced first.
 */
export async function announceExpired({ database, environment, checkoutUrl }: ExpiryDeps): Promise<boolean> {
  // A value and not a join: so it is a condition of the index, and what is not due is not looked at, however much it is.
  const watermark = sql`(select c.watermark from chains c where c.environment = ${environment})`;
  const due = await database.rows<{ business_id: string; id: string; watermark: Date }>(sql`
    select i.business_id, i.id, ${watermark} as watermark from intents i
    where i.environment = ${environment} and i.status = 'requires_payment' and i.expires_at < ${watermark}
    order by i.expires_at limit ${BATCH_MAX}::integer`);
  for (const { business_id: businessId, id, watermark } of due)
    await database.transaction((db) => expire(db, { businessId, environment }, id, watermark, checkoutUrl));
  return due.length === BATCH_MAX;
}

async function expire(
  db: Db,
  tenant: { businessId: string; environment: Environment },
  id: string,
  watermark: Date,
  checkoutUrl: string,
): Promise<void> {
  const locked = await lockIntent(db, tenant, id);
  if (locked === null || locked.intent.status !== "requires_payment" || locked.intent.expiresAt >= watermark) return;
  const { intent, now } = locked;
  const expired = { ...intent, status: "expired" } as const;
  const event = draftEvent(
    tenant,
    {
      type: "payment_intent.expired",
      objectId: id,
      generation: locked.generation,
      transition: "payment_intent.expired",
      intentId: id,
      paymentAddress: null,
      occurredAt: occurredAfter(locked.lastOccurredAt, intent.expiresAt),
      object: showIntent(expired, null, now, checkoutUrl),
      // As it was until then: shown at its last moment, since by now every read says expired.
      before: showIntent(intent, null, intent.expiresAt, checkoutUrl),
    },
    now,
  );
  await db.rows(sql`
    with changed as (
      update intents set status = 'expired', holds_reference = false, last_occurred_at = ${event.pendingEvent.occurredAt}
      where business_id = ${tenant.businessId} and id = ${id}
      returning id),
    ${recordEvents([event], sql`exists (select from changed)`)}
    select sequence from recorded_events`);
}
