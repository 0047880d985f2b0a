import type { Tenant } from "../../domain/callers.ts";
import { firstEventId, isEventId } from "../../domain/ids.ts";
import type { Environment } from "../../domain/terms.ts";
import { conditionsOf } from "../../edge/http/listFilters.ts";
import { environmentNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import type { EventType } from "./eventTypes.ts";
import { type EventFilter, type EventQuery, LIST_EVENTS } from "./schema.ts";

/** An event as stored: its sequence, and its body, which never changes. */
export interface StoredEvent {
  readonly sequence: string;
  readonly body: string;
}

/** Sequences strictly between `above` and `below`: the highest of them, or the lowest if `upward`. Newest first either way. */
export interface EventRange {
  readonly above: string | null;
  readonly below: string | null;
  readonly upward: boolean;
  readonly limit: number;
}

/** At least every third event has this type, so a page of it fills soon. The index `events_of_type` leaves it out. */
const FREQUENT = "payment_intent.created";
/** Above every sequence: a bound that excludes nothing, but lets PostgreSQL search an index. */
const SEQUENCE_MAX = "9223372036854775807";

const conditions = conditionsOf(LIST_EVENTS.query);

const MINUTE_MS = 60_000;
/**
 * Longer than any transaction is open, and further than the database's clock is set back: of two events recorded so far
 * apart, the earlier one has the lower sequence.
 */
const COMMIT_MS_MAX = 10 * MINUTE_MS;

/** The sequence of an event of the tenant. The bounds of its id keep the search from the events of the other environment. */
const sequenceOf = ({ businessId, environment }: Tenant, event: Sql): Sql => sql`(
      select b.sequence from events b where b.business_id = ${businessId} and b.environment = ${environment}
        and b.id > ${`evt_${environment}_`} and b.id < ${`evt_${environment}_~`} and ${event} limit 1)`;

/**
 * The events recorded after a time, with a bound on their sequences, so that a page reads no other day. The bound is that of
 * an event which was recorded long enough before; its id only makes the search for it short.
 */
function recordedAfter(tenant: Tenant, time: Date): Sql {
  const before = new Date(time.getTime() - COMMIT_MS_MAX);
  const found = sequenceOf(
    tenant,
    sql`b.id < ${firstEventId(tenant, before)} and b.recorded_at < ${before}::timestamptz order by b.id desc`,
  );
  return sql`e.recorded_at > ${time}::timestamptz and e.sequence > coalesce(${found}, -1)`;
}

/** The events recorded before a time, like {@link recordedAfter}. */
function recordedBefore(tenant: Tenant, time: Date): Sql {
  const after = new Date(time.getTime() + COMMIT_MS_MAX);
  const found = sequenceOf(
    tenant,
    sql`b.id >= ${firstEventId(tenant, after)} and b.recorded_at >= ${after}::timestamptz order by b.id`,
  );
  return sql`e.recorded_at < ${time}::timestamptz and e.sequence < coalesce(${found}, ${SEQUENCE_MAX}::bigint)`;
}

/** Up to one row more than the limit, which says that there is more in that direction. */
export async function listEvents(
  db: Db,
  tenant: Tenant,
  filter: EventFilter,
  range: EventRange,
): Promise<StoredEvent[]> {
  const events = await db.rows<StoredEvent>(selectEvents(tenant, filter, range));
  return range.upward ? events.reverse() : events;
}

function selectEvents(tenant: Tenant, filter: EventFilter, range: EventRange): Sql {
  const types = filter.type;
  const limit = range.limit + 1;
  const order = range.upward ? sql`order by e.sequence limit ${limit}` : sql`order by e.sequence desc limit ${limit}`;
  const matching = sql`
    e.business_id = ${tenant.businessId}
    and e.sequence > ${range.above ?? "-1"}::bigint and e.sequence < ${range.below ?? SEQUENCE_MAX}::bigint
    and ${conditions(filter)}`;
  const ofTenant = sql`e.environment = ${tenant.environment} and ${matching}`;
  const ofTypes = sql`(${types.length === 0} or e.type = any(${types}::text[]))`;
  const columns = sql`e.sequence, e.body`;
  const ofAll = (given: Sql) =>
    sql`select ${columns} from events e where ${ofTenant} and ${ofTypes} and ${given} ${order}`;
  // No index fits the environment as it is written here: by a plain comparison, the planner would walk all events of the tenant.
  const ofObject = (given: Sql) => sql`
    select ${columns} from events e
    where ${given} and ${matching} and e.environment || '' = ${tenant.environment} and ${ofTypes} ${order}`;
  const ofEachType = (given: Sql) => sql`
    select ${columns} from unnest(${types}::text[]) as t (type) cross join lateral (
      select ${columns} from events e
      where e.type = t.type and e.type <> 'payment_intent.created' and ${ofTenant} and ${given} ${order}) e ${order}`;
  const list = types.length === 0 || types.includes(FREQUENT) ? ofAll : ofEachType;
  const { occurredAfter, occurredBefore } = filter;
  // Only the most selective condition may use an index; the others filter.
  if (filter.payment !== null) return ofObject(sql`e.payment_address = ${filter.payment}`);
  if (filter.intent !== null) return ofObject(sql`e.intent_id = ${filter.intent}`);
  if (occurredAfter === null && occurredBefore === null) return list(sql`true`);
  // Most events are recorded within a minute of the time at which they occurred; the others have indexes of their own.
  const from = occurredAfter && new Date(occurredAfter.getTime() - MINUTE_MS);
  const until = occurredBefore && new Date(occurredBefore.getTime() + MINUTE_MS);
  const soon = list(sql`
    ${from === null ? sql`true` : recordedAfter(tenant, from)} and ${until === null ? sql`true` : recordedBefore(tenant, until)}`);
  const early = ofAll(sql`
    e.recorded_at <= ${from}::timestamptz and e.occurred_at - e.recorded_at > interval '1 minute'`);
  const late = ofAll(sql`
    e.recorded_at >= ${until}::timestamptz and e.recorded_at - e.occurred_at > interval '1 minute'`);
  return sql`
    select ${columns} from (
      (${soon}) ${from === null ? sql`` : sql`union all (${early})`} ${until === null ? sql`` : sql`union all (${late})`}) e ${order}`;
}

/** The oldest sequence that is still stored, and the newest that was given; null if there is none. */
interface SequenceBounds {
  readonly oldest: string | null;
  readonly last: string | null;
}

export interface BoundedEvents extends SequenceBounds {
  readonly events: readonly StoredEvent[];
}

/**
 * As {@link listEvents}, with the bounds of the tenant's sequence from the same snapshot: the list lacks no event up to
 * `last` that passes the filter.
 */
export async function listBoundedEvents(
  db: Db,
  tenant: Tenant,
  filter: EventFilter,
  range: EventRange,
): Promise<BoundedEvents> {
  type Row = SequenceBounds & (StoredEvent | { readonly sequence: null });
  const rows = await db.rows<Row>(sql`
    -- Materialized: otherwise the oldest sequence is searched once for each event of the page.
    with bounds as materialized (
      select nullif(c.last_sequence, 0) as last, (
        select e.sequence from events e
        where e.business_id = c.business_id and e.environment = c.environment
        order by e.sequence limit 1) as oldest
      from event_counters c where c.business_id = ${tenant.businessId} and c.environment = ${tenant.environment})
    select b.oldest, b.last, e.sequence, e.body from bounds b
    left join (${selectEvents(tenant, filter, range)}) e on true
    order by e.sequence desc`);
  const { oldest, last } = rows[0] ?? { oldest: null, last: null };
  return { oldest, last, events: rows.filter((row) => row.sequence !== null) };
}

export const findEvent = (db: Db, tenant: Tenant, id: string) =>
  db.row<StoredEvent>(sql`
    select e.sequence, e.body from events e
    where e.business_id = ${tenant.businessId} and e.id = ${id} and e.environment = ${tenant.environment}`);

/** An event with the facts that its page shows first. */
export interface RecordedEvent {
  readonly body: string;
  readonly type: EventType;
  readonly intentId: string | null;
  /** Real time, even if the environment's clock runs ahead. */
  readonly recordedAt: Date;
}

export const findRecordedEvent = async (db: Db, tenant: Tenant, id: string): Promise<RecordedEvent | null> =>
  isEventId(id)
    ? db.row<RecordedEvent>(sql`
        select e.body, e.type, e.intent_id as "intentId", e.recorded_at as "recordedAt" from events e
        where e.business_id = ${tenant.businessId} and e.id = ${id} and e.environment = ${tenant.environment}`)
    : null;

/** True if the payment at this address, bound or not, has an event. */
export const hasEventsOfPayment = (db: Db, tenant: Tenant, address: string): Promise<boolean> =>
  db.has(sql`
    select 1 from events e
    where e.business_id = ${tenant.businessId} and e.payment_address = ${address} and e.environment = ${tenant.environment}
    limit 1`);

/** The range of a list query; null if its cursor is no event of the tenant. */
export async function findRange(
  db: Db,
  tenant: Tenant,
  query: Pick<EventQuery, "limit" | "afterSequence" | "startingAfter" | "endingBefore">,
): Promise<EventRange | null> {
  const { limit, afterSequence, startingAfter, endingBefore } = query;
  if (afterSequence !== null) return { above: afterSequence, below: null, upward: true, limit };
  const cursor = startingAfter ?? endingBefore;
  if (cursor === null) return { above: null, below: null, upward: false, limit };
  const event = isEventId(cursor) ? await findEvent(db, tenant, cursor) : null;
  if (event === null) return null;
  return startingAfter === null
    ? { above: event.sequence, below: null, upward: true, limit }
    : { above: null, below: event.sequence, upward: false, limit };
}

/** The newest sequence of each tenant, in the order of `tenants`. */
export async function listLastSequences(db: Db, tenants: readonly Tenant[]): Promise<string[]> {
  const rows = await db.rows<{ last_sequence: string }>(sql`
    select c.last_sequence
    from unnest(${tenants.map((tenant) => tenant.businessId)}::text[], ${tenants.map((tenant) => tenant.environment)}::text[])
      with ordinality as o (business_id, environment, ordinal)
    join event_counters c on c.business_id = o.business_id and c.environment = o.environment
    order by o.ordinal`);
  return rows.map((row) => row.last_sequence);
}

/** A tenant whose sequence was raised; `before` is the first number after the gap. */
interface LiftedSequence {
  readonly businessId: string;
  readonly before: string;
  readonly now: Date;
}

/** Raises the sequences of an environment's next businesses after `above`, and locks them to the end of the transaction. */
export const liftSequences = (
  db: Db,
  environment: Environment,
  { above, lift, limit }: { readonly above: string; readonly lift: number; readonly limit: number },
): Promise<LiftedSequence[]> =>
  db.rows<LiftedSequence>(sql`
    with page as (
      select business_id from event_counters
      where environment = ${environment} and business_id > ${above} order by business_id limit ${limit}::integer for update),
    clock as materialized (select ${environmentNow(environment)} as now),
    lifted as (
      update event_counters c set last_sequence = c.last_sequence + ${lift}::bigint, restored_at = k.now
      from page p, clock k where c.business_id = p.business_id and c.environment = ${environment}
      returning c.business_id as "businessId", c.last_sequence + 1 as before, k.now)
    select * from lifted order by "businessId"`);
