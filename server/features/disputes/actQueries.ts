import type { Tenant } from "../../domain/callers.ts";
import type { Row } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { draftEvent } from "../events/event.ts";
import { lockIntent, touchIntent } from "../intents/fragments.ts";
import { recordEvents } from "../webhooks/fragments.ts";
import { type Dispute, draftDisputeEvent } from "./dispute.ts";
import { DISPUTE_WITH_PARTS, type DisputeChange, readDisputeRow, saveDisputes } from "./fragments.ts";

/** A dispute under the lock of its intent, by which its payment is recorded too. */
export interface LockedDispute {
  readonly dispute: Dispute;
  /** The time of the intent's last event. */
  readonly lastOccurredAt: Date;
  /** The environment's time, read after the lock was taken. */
  readonly now: Date;
}

export async function findDispute(db: Db, { businessId, environment }: Tenant, id: string): Promise<Dispute | null> {
  const row = await db.row<Row>(sql`
    select ${DISPUTE_WITH_PARTS} from disputes d
    where d.business_id = ${businessId} and d.id = ${id} and d.environment = ${environment}`);
  return row === null ? null : readDisputeRow(row);
}

/** Locks a dispute to the end of the transaction. Null if the tenant has no such dispute. */
export async function lockDispute(db: Db, tenant: Tenant, id: string): Promise<LockedDispute | null> {
  const unlocked = await findDispute(db, tenant, id);
  const locked = unlocked === null ? null : await lockIntent(db, tenant, unlocked.intentId);
  const dispute = locked === null ? null : await findDispute(db, tenant, id);
  return locked === null || dispute === null
    ? null
    : { dispute, lastOccurredAt: locked.lastOccurredAt, now: locked.now };
}

/** Saves what a side did, with its event. */
export async function saveAct(
  db: Db,
  tenant: Tenant,
  { lastOccurredAt, now }: LockedDispute,
  change: DisputeChange,
): Promise<void> {
  const pending = draftDisputeEvent(change.before, change.after, lastOccurredAt, now);
  await db.rows(sql`
    with touched as (${touchIntent(tenant, change.after.intentId, pending.occurredAt)}),
    ${recordEvents([draftEvent(tenant, pending, now)], sql`exists (select from touched)`)}${saveDisputes([change])}
    select id from touched`);
}
