import type { Tenant } from "../../domain/callers.ts";
import { firstIntentId } from "../../domain/ids.ts";
import { INTENT_LIFETIME_MINUTES_MAX } from "../../domain/limits.ts";
import { environmentNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { type PackedRow, packedRows } from "../../store/table.ts";
import type { EventDraft } from "../events/event.ts";
import { recordEvents } from "../events/fragments.ts";
import { PAYMENT_JSON, readPaymentJson } from "../payments/fragments.ts";
import type { Payment } from "../payments/payment.ts";
import { INTENT_COLUMNS, type Intent } from "./intent.ts";
import type { IntentQuery } from "./schema.ts";

/** An intent and, once it is paid, its primary payment. */
export interface IntentWithPayment {
  readonly intent: Intent;
  readonly payment: Payment | null;
}

/** Who holds a reference (null: nobody), and the environment's present, by which that was decided. */
export interface ReferenceHolder {
  readonly now: Date;
  readonly holder: string | null;
}

/**
 * The open intent that holds the reference. A holder that has expired gives it up here: now() cannot stand in the unique
 * index that decides, so a stored flag does. An expired row is never the answer: where another transaction clears its flag
 * at this moment, the snapshot of this statement still shows the flag.
 */
export async function findReferenceHolder(db: Db, tenant: Tenant, merchantReference: string): Promise<ReferenceHolder> {
  const row = await db.row<ReferenceHolder>(sql`
    with present as materialized (select ${environmentNow(tenant.environment)} as now),
    freed as (
      update intents i set holds_reference = false from present p
      where i.business_id = ${tenant.businessId} and i.environment = ${tenant.environment}
        and i.merchant_reference = ${merchantReference} and i.holds_reference and i.expires_at < p.now
      returning i.id)
    select p.now, (
      select i.id from intents i
      where i.business_id = ${tenant.businessId} and i.environment = ${tenant.environment}
        and i.merchant_reference = ${merchantReference} and i.holds_reference
        and i.expires_at >= p.now) as holder
    from present p`);
  return row!;
}

const packed = packedRows(INTENT_COLUMNS, ["businessId", "environment"]);
/** The intent `i` and its primary payment `p`: most intents have none. */
const FOUND = sql`${packed.select("i")}, ${PAYMENT_JSON} as payment`;

interface FoundRow extends PackedRow {
  readonly payment: Record<string, unknown> | null;
}

const readFound = (tenant: Tenant, row: FoundRow): IntentWithPayment => ({
  intent: packed.read(row, tenant),
  payment: readPaymentJson(row.payment),
});

export interface IntentRef {
  readonly tenant: Tenant;
  readonly id: string;
}

/** Each intent asked for, or null, in the order asked. */
export async function findIntents(db: Db, asked: readonly IntentRef[]): Promise<(IntentWithPayment | null)[]> {
  const rows = await db.rows<FoundRow & { ordinal: number }>(sql`
    select a.ordinal::integer, ${FOUND}
    from unnest(string_to_array(${asked.map(({ tenant }) => tenant.businessId).join(",")}, ','),
        string_to_array(${asked.map(({ tenant }) => tenant.environment).join(",")}, ','),
        string_to_array(${asked.map(({ id }) => id).join(",")}, ',')) with ordinality as a (business_id, environment, id, ordinal)
    -- By the primary key, one at a time ("offset 0" is a fence): a join would read all there are, as long as they are few.
    cross join lateral (select * from intents i where i.business_id = a.business_id and i.id = a.id offset 0) i
    left join lateral (
      select * from payments p
      where i.payment_address is not null and p.business_id = i.business_id and p.address = i.payment_address offset 0) p on true
    where i.environment = a.environment`);
  const found: (IntentWithPayment | null)[] = asked.map(() => null);
  for (const row of rows) found[row.ordinal - 1] = readFound(asked[row.ordinal - 1]!.tenant, row);
  return found;
}

/**
 * One row more than `limit` says whether there is more. `status` is matched as shown at `now`. Bounds of time are bounds
 * of ids too, since an id begins with its `createdAt`; the bounds stand in every statement, so that each walks from its
 * cursor and no further than its page, however many rows the business has.
 */
export async function listIntents(db: Db, tenant: Tenant, query: IntentQuery, now: Date): Promise<IntentWithPayment[]> {
  const upward = query.endingBefore !== null;
  const { above, below } = boundsOf(tenant, query, now);
  const range = sql`
    i.business_id = ${tenant.businessId} and i.environment = ${tenant.environment} and i.id > ${above} and i.id < ${below}
    and (${query.createdAfter}::timestamptz is null or i.created_at > ${query.createdAfter})
    and (${query.createdBefore}::timestamptz is null or i.created_at < ${query.createdBefore})`;
  const limit = query.limit + 1;
  const order = upward ? sql`order by i.id limit ${limit}` : sql`order by i.id desc limit ${limit}`;
  const referred =
    query.merchantReference === null ? range : sql`${range} and i.merchant_reference = ${query.merchantReference}`;
  const kept = sql`${referred} and i.status <> 'requires_payment' and i.status = ${query.status}`;
  const chosen =
    query.status === null
      ? sql`select i.* from intents i where ${referred} ${order}`
      : query.status === "requires_payment"
        ? sql`select i.* from intents i where ${referred} and i.status = 'requires_payment' and i.expires_at >= ${now}::timestamptz ${order}`
        : query.status === "expired"
          ? sql`select i.* from (
              (select i.* from intents i where ${kept} ${order})
              union all
              (with unannounced as materialized (
                select i.* from intents i
                where i.environment = ${tenant.environment} and i.status = 'requires_payment' and i.expires_at < ${now}::timestamptz
                  -- By time and not by business: there are few in all, since the expiry loop announces them within seconds.
                  and i.business_id || '' = ${tenant.businessId})
              select i.* from unannounced i where ${referred} ${order})) i ${order}`
          : sql`select i.* from intents i where ${kept} ${order}`;
  const rows = await db.rows<FoundRow>(sql`
    select ${FOUND}
    from (${chosen}) i
    left join payments p on p.business_id = i.business_id and p.address = i.payment_address
    order by i.id desc`);
  return rows.map((row) => readFound(tenant, row));
}

/** Between which ids the page lies, both left out. */
function boundsOf(tenant: Tenant, query: IntentQuery, now: Date): { above: string; below: string } {
  const { environment } = tenant;
  const above = [`pi_${environment}_`];
  const below = [`pi_${environment}_~`];
  if (query.startingAfter !== null) below.push(query.startingAfter);
  if (query.endingBefore !== null) above.push(query.endingBefore);
  if (query.createdAfter !== null) above.push(firstIntentId(environment, query.createdAfter));
  if (query.createdBefore !== null) below.push(firstIntentId(environment, query.createdBefore));
  // What is older has expired: a lifetime is rounded up to a whole second.
  if (query.status === "requires_payment")
    above.push(firstIntentId(environment, new Date(now.getTime() - INTENT_LIFETIME_MINUTES_MAX * 60_000 - 1_000)));
  const inOrder = (one: string, other: string) => (one < other ? -1 : 1);
  return { above: above.toSorted(inOrder).at(-1)!, below: below.toSorted(inOrder)[0]! };
}

/** Cancels an intent whose row the caller's transaction has locked, with its event. */
export const cancelLockedIntent = (db: Db, intent: Intent, canceled: EventDraft) =>
  db.rows(sql`
    with changed as (
      update intents set status = 'canceled', holds_reference = false, canceled_at = ${intent.canceledAt}, last_occurred_at = ${canceled.pendingEvent.occurredAt}
      where business_id = ${intent.businessId} and id = ${intent.id} and status = 'requires_payment'
      returning id),
    ${recordEvents([canceled], sql`exists (select from changed)`)}
    select sequence from recorded_events`);
