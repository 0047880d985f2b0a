import type { Tenant } from "../../domain/callers.ts";
import { endOfIntentIds, firstIntentId, timeOfIntentId } from "../../domain/ids.ts";
import { INTENT_LIFETIME_MINUTES_MAX } from "../../domain/limits.ts";
import { conditionsOf } from "../../edge/http/listFilters.ts";
import { environmentNow, statementNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { type PackedRow, packedRows } from "../../store/table.ts";
import { sameHash } from "../../store/textHash.ts";
import type { EventDraft } from "../events/event.ts";
import { PRIMARY } from "../payments/fragments.ts";
import { recordEvents } from "../webhooks/fragments.ts";
import { KEYS_OF_I } from "./fragments.ts";
import { INTENTS, type Intent, type IntentWithPayment } from "./intent.ts";
import { type IntentQuery, LIST_INTENTS } from "./schema.ts";

/** The id of the open intent that holds a reference, or null, and the environment's time by which that was decided. */
export interface ReferenceHolder {
  readonly now: Date;
  readonly holder: string | null;
}

/**
 * The open intent that holds the reference. An expired holder loses its flag here: now() cannot stand in the unique
 * index that decides, so a stored flag does. An expired row is never the answer: while another transaction clears its
 * flag, this statement's snapshot still shows the flag.
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

const packed = packedRows(INTENTS.columns, ["businessId", "environment"]);
/** The intent `i` with its primary payment. Most intents have no payment. */
const FOUND = sql`${packed.select("i")}, ${PRIMARY.of(KEYS_OF_I)} as payment`;

const readFound = (tenant: Tenant, row: PackedRow): IntentWithPayment => ({
  intent: packed.read(row, tenant),
  payment: PRIMARY.read(row.payment),
});

export interface IntentRef {
  readonly tenant: Tenant;
  readonly id: string;
}

/** Each intent asked for, or null, in the order of `asked`. */
export async function findIntents(db: Db, asked: readonly IntentRef[]): Promise<(IntentWithPayment | null)[]> {
  const rows = await db.rows<PackedRow & { ordinal: number }>(sql`
    select a.ordinal::integer, ${FOUND}
    from unnest(string_to_array(${asked.map(({ tenant }) => tenant.businessId).join(",")}, ','),
        string_to_array(${asked.map(({ tenant }) => tenant.environment).join(",")}, ','),
        string_to_array(${asked.map(({ id }) => id).join(",")}, ',')) with ordinality as a (business_id, environment, id, ordinal)
    -- Looked up by primary key, one intent at a time ("offset 0" is a fence): on a small table, a join would read all rows.
    cross join lateral (select * from intents i where i.business_id = a.business_id and i.id = a.id offset 0) i
    where i.environment = a.environment`);
  const found: (IntentWithPayment | null)[] = asked.map(() => null);
  for (const row of rows) found[row.ordinal - 1] = readFound(asked[row.ordinal - 1]!.tenant, row);
  return found;
}

/** The newest intent with this reference; null if there is none. */
export async function findIntentByReference(db: Db, tenant: Tenant, merchantReference: string): Promise<string | null> {
  const row = await db.row<{ id: string }>(sql`
    select i.id from intents i
    where i.business_id = ${tenant.businessId} and i.environment = ${tenant.environment} and i.merchant_reference = ${merchantReference}
      and ${sameHash(sql`i.business_id || i.environment`, sql`${tenant.businessId}::text || ${tenant.environment}`)}
      and ${sameHash(sql`i.merchant_reference`, sql`${merchantReference}`)}
    order by i.list_position desc limit 1`);
  return row?.id ?? null;
}

/** The tenant's intent whose payment carries this number on chain; null if there is none. */
export async function findIntentByPaymentId(db: Db, tenant: Tenant, paymentId: string): Promise<string | null> {
  const row = await db.row<{ id: string }>(sql`
    select id from intents
    where payment_id = ${paymentId}::bigint and business_id = ${tenant.businessId} and environment = ${tenant.environment}`);
  return row?.id ?? null;
}

/** The position of a cursor in the tenant's list (§4.9.3). One that retention deleted is where its time is. */
export async function findListPosition(
  db: Db,
  tenant: Tenant,
  id: string,
  direction: "older" | "newer",
): Promise<string | null> {
  const time = timeOfIntentId(tenant, id);
  const row = await db.row<{ position: string | null }>(sql`
    select coalesce(
      (select list_position from intents
        where business_id = ${tenant.businessId} and id = ${id} and environment = ${tenant.environment}),
      case when ${time}::timestamptz < ${statementNow(tenant.environment)} - interval '30 days'
        then ${direction === "older" ? positionAfter(tenant, time, null) : positionBefore(tenant, time, null)} end) as position`);
  return row!.position;
}

const conditions = conditionsOf(LIST_INTENTS.query);

/** Returns up to one row more than `limit`, which says that there is more. */
export async function listIntents(
  db: Db,
  tenant: Tenant,
  query: IntentQuery,
  cursor: string | null,
  now: Date,
): Promise<IntentWithPayment[]> {
  const rows = await db.rows<PackedRow>(sql`
    select ${FOUND}
    from (${chosenIntents(tenant, query, cursor, now, query.limit + 1)}) i
    order by i.list_position desc`);
  return rows.map((row) => readFound(tenant, row));
}

/**
 * The rows `i` of at most `limit` intents of a page. `cursor` is the position of the query's cursor. `status` is matched
 * as shown at `now`. Time bounds become position bounds too, in every statement, so that each reads from its cursor little
 * more than its page, however many rows the business has.
 */
export function chosenIntents(
  tenant: Tenant,
  query: IntentQuery,
  cursor: string | null,
  now: Date,
  limit: number,
): Sql {
  const upward = query.endingBefore !== null;
  const range = sql`
    i.business_id = ${tenant.businessId} and i.environment = ${tenant.environment}
    and i.list_position > ${positionBefore(tenant, earliest(query, now), upward ? cursor : null)}
    and i.list_position < ${positionAfter(tenant, query.createdBefore, upward ? null : cursor)}
    and ${conditions(query)}`;
  const order = upward
    ? sql`order by i.list_position limit ${limit}`
    : sql`order by i.list_position desc limit ${limit}`;
  const ofTenant = sameHash(
    sql`i.business_id || i.environment`,
    sql`${tenant.businessId}::text || ${tenant.environment}`,
  );
  const walked =
    query.merchantReference === null
      ? sql`${range} and ${ofTenant}`
      : sql`${range} and i.merchant_reference = ${query.merchantReference} and ${ofTenant}
          and ${sameHash(sql`i.merchant_reference`, sql`${query.merchantReference}`)}`;
  const ofStatus = sameHash(
    sql`i.business_id || i.environment || i.status`,
    sql`${tenant.businessId}::text || ${tenant.environment} || ${query.status}`,
  );
  // Only the most selective condition may use an index; the others filter.
  const kept = sql`${query.merchantReference === null ? sql`${range} and ${ofStatus}` : walked}
    and i.status <> 'requires_payment' and i.status = ${query.status}`;
  return query.status === null
    ? sql`select i.* from intents i where ${walked} ${order}`
    : query.status === "requires_payment"
      ? sql`select i.* from intents i where ${walked} and i.status = 'requires_payment' and i.expires_at >= ${now}::timestamptz ${order}`
      : query.status === "expired"
        ? sql`select i.* from (
              (select i.* from intents i where ${kept} ${order})
              union all
              (with unannounced as materialized (
                select i.* from intents i
                where i.environment = ${tenant.environment} and i.status = 'requires_payment' and i.expires_at < ${now}::timestamptz
                  -- Searched by time, not by business: few are due at any time, since the expiry loop announces them
                  -- within seconds.
                  and i.business_id || '' = ${tenant.businessId})
              select i.* from unannounced i where ${walked} ${order})) i ${order}`
        : sql`select i.* from intents i where ${kept} ${order}`;
}

/** Every intent that the query can return was created after this time; null if there is no bound. */
function earliest({ status, createdAfter }: IntentQuery, now: Date): Date | null {
  if (status !== "requires_payment") return createdAfter;
  // Older ones have expired. A lifetime is rounded up to a whole second.
  const unexpired = new Date(now.getTime() - INTENT_LIFETIME_MINUTES_MAX * 60_000 - 1_000);
  return createdAfter !== null && createdAfter > unexpired ? createdAfter : unexpired;
}

/**
 * More than the time a create can take from its `createdAt` until it has its list position. An intent created this
 * much later than another therefore comes later in the list, too.
 */
export const CREATE_MS_MAX = 3_600_000;
const POSITION_MAX = "9223372036854775807";
const shift = (time: Date | null, ms: number): Date | null => (time === null ? null : new Date(time.getTime() + ms));
const firstId = (tenant: Tenant, time: Date | null): string | null =>
  time === null ? null : firstIntentId(tenant, time);

/** A position below those of all intents created after `time`, but not below the cursor's. Ids begin with `createdAt`. */
const positionBefore = (tenant: Tenant, time: Date | null, cursor: string | null) => sql`
  greatest(-1, ${cursor}::bigint, (
    select list_position from intents
    where business_id = ${tenant.businessId} and id < ${firstId(tenant, shift(time, -CREATE_MS_MAX))}
      and id > ${firstIntentId(tenant, new Date(0))}
    order by id desc limit 1))`;

/** A position above those of all intents created before `time`, but not above the cursor's. */
const positionAfter = (tenant: Tenant, time: Date | null, cursor: string | null) => sql`
  least(${POSITION_MAX}::bigint, ${cursor}::bigint, (
    select list_position from intents
    where business_id = ${tenant.businessId} and id >= ${firstId(tenant, shift(time, CREATE_MS_MAX))}
      and id < ${endOfIntentIds(tenant)}
    order by id limit 1))`;

/** Cancels an intent whose row the caller's transaction has locked, with its event. */
export const cancelLockedIntent = (db: Db, intent: Intent, canceled: EventDraft) =>
  db.rows(sql`
    with changed as (
      update intents set status = 'canceled', holds_reference = false, announced = null, canceled_at = ${intent.canceledAt}, last_occurred_at = ${canceled.pendingEvent.occurredAt}
      where business_id = ${intent.businessId} and id = ${intent.id} and status = 'requires_payment'
      returning id),
    ${recordEvents([canceled], sql`exists (select from changed)`)}
    select sequence from recorded_events`);
