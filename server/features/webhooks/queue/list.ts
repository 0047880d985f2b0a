import type { Tenant } from "../../../domain/callers.ts";
import { firstEventId, isIntentId } from "../../../domain/ids.ts";
import type { Db } from "../../../store/database.ts";
import { ALL_ROWS, type IdRange, idRange, type Key, keyset } from "../../../store/keyset.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import type { EventType } from "../../events/event.ts";
import type { DeliveryStatus, Endpoint, ErrorClass } from "../webhook.ts";

/** What an endpoint's deliveries are listed by; what is null leaves nothing out. */
export interface DeliveryQuery {
  readonly status: DeliveryStatus | null;
  /** Of the last attempt. */
  readonly statusCode: number | null;
  readonly errorClass: ErrorClass | null;
  readonly type: EventType | null;
  /** An intent, with the events of its payments, or a payment by its address. */
  readonly object: string | null;
  /** When the event was made. */
  readonly createdAfter: Date | null;
  readonly createdBefore: Date | null;
  /** The event of the last delivery of the page before. */
  readonly startingAfter: string | null;
  readonly limit: number;
}

/** A delivery as a list shows it. */
export interface ListedDelivery {
  readonly event_id: string;
  readonly event_type: string;
  readonly status: DeliveryStatus;
  /** Attempts of the schedule; resends are not counted. */
  readonly attempts: number;
  /** When the next attempt is due; null when it is done. */
  readonly due_at: Date | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly status_code: number | null;
  readonly error_class: ErrorClass | null;
}

/** At least every third delivery, and so in no index of types: a page of them is soon full without it. */
const FREQUENT = "payment_intent.created";
/** Events of one object: an intent's few, and those of its payments. */
const EVENTS_OF_OBJECT_MAX = 500;

/** Newest event first; one more than the limit says that there are more. */
export async function listDeliveriesOf(db: Db, endpoint: Endpoint, query: DeliveryQuery): Promise<ListedDelivery[]> {
  const { createdAfter, createdBefore } = query;
  const firstId = (at: Date) => firstEventId(endpoint.environment, at);
  // Both bounds leave out the moment itself, so the lower one is the next.
  const from = createdAfter === null ? null : firstId(new Date(createdAfter.getTime() + 1));
  const ids = idRange(query.startingAfter, from, createdBefore === null ? null : firstId(createdBefore));
  const object = query.object === null ? null : await findEventsOf(db, endpoint, query.object);
  if (object !== null && object.eventIds.length === 0) return [];
  // The last attempt of these did not fail.
  if (query.status === "succeeded" && query.errorClass !== null) return [];
  const limit = sql`limit ${query.limit + 1}::integer`;
  const pending = sql`
    select event_id, event_type, 'pending' as status, attempts, due_at, created_at, null::timestamptz as finished_at,
      status_code, error_class::text
    from webhook_queue
    where business_id = ${endpoint.businessId} and endpoint_id = ${endpoint.id} and resend = ''
      and ${object === null ? sql`true` : sql`event_id = any(${object.eventIds}::text[])`}
      and ${matching(query, ids, object === null ? keyOf(query) : ALL_ROWS)} ${limit}`;
  const finished = sql`
    select event_id, event_type, status::text, attempts, null::timestamptz as due_at, created_at, finished_at,
      status_code, error_class::text
    from webhook_deliveries
    where business_id = ${endpoint.businessId} and endpoint_id = ${endpoint.id}
      and ${STATUS[query.status ?? "any"]}
      and ${object === null ? sql`true` : sql`event_id = any(${object.eventIds}::text[])`}
      and ${matching(query, ids, object === null ? keyOf(query) : ofIntent(object.intentId))}
      ${limit}`;
  if (query.status === "pending") return db.rows<ListedDelivery>(pending);
  if (query.status !== null) return db.rows<ListedDelivery>(finished);
  return db.rows<ListedDelivery>(
    sql`select * from ((${pending}) union all (${finished})) d order by event_id desc ${limit}`,
  );
}

/** As literals: a parameter could not choose the index of abandoned deliveries. */
const STATUS: Readonly<Record<DeliveryStatus | "any", Sql>> = {
  any: sql`true`,
  pending: sql`false`,
  succeeded: sql`status = 'succeeded'`,
  abandoned: sql`status = 'abandoned'`,
};

const ofError = (value: ErrorClass) => ({ column: sql`error_class`, value: sql`${value}::text` });
const answered = (value: number) => ({ column: sql`status_code`, value: sql`${value}::smallint` });
const ofType = (value: EventType | null) =>
  value === null ? [] : [{ column: sql`event_type`, value: sql`${value}::text` }];

const HAS_FAILED = sql`error_class is not null`;

/** The conditions that leave the least; the others only filter. */
function keyOf({ status, errorClass, statusCode, type }: DeliveryQuery): Key {
  if (errorClass !== null) return { columns: [ofError(errorClass), ...ofType(type)], predicate: HAS_FAILED };
  const isSuccess = statusCode !== null && statusCode >= 200 && statusCode < 300;
  // Any other status is a failure, and has its class.
  if (statusCode !== null && !isSuccess)
    return { columns: [answered(statusCode), ...ofType(type)], predicate: HAS_FAILED };
  // Abandoned deliveries are few and have an index of their own.
  if (status !== "abandoned" && type !== null && type !== FREQUENT)
    return { columns: ofType(type), predicate: sql`event_type <> 'payment_intent.created'` };
  if (statusCode === null) return ALL_ROWS;
  return { columns: [answered(statusCode)], predicate: sql`status_code is not null` };
}

const ofIntent = (intentId: string | null): Key => ({
  columns: [{ column: sql`intent_id`, value: sql`${intentId}::text` }],
  predicate: sql`intent_id is not null`,
});

/** The conditions of the query and its order. */
function matching({ errorClass, statusCode, type }: DeliveryQuery, ids: IdRange, key: Key): Sql {
  const { range, order } = keyset(sql`event_id`, key, ids);
  return sql`${range}
      and (${errorClass}::text is null or error_class = ${errorClass})
      and (${statusCode}::smallint is null or status_code = ${statusCode}::smallint)
      and (${type}::text is null or event_type = ${type})
    ${order}`;
}

/** The intent of an object, and the events of the object. */
async function findEventsOf(
  db: Db,
  { businessId, environment }: Tenant,
  object: string,
): Promise<{ intentId: string | null; eventIds: string[] }> {
  const column = isIntentId(object) ? sql`v.intent_id` : sql`v.payment_address`;
  const rows = await db.rows<{ id: string; intent_id: string | null }>(sql`
    select v.id, v.intent_id from events v
    where v.business_id = ${businessId} and ${column} = ${object} and v.environment = ${environment}
    order by v.sequence desc limit ${EVENTS_OF_OBJECT_MAX}::integer`);
  return { intentId: rows[0]?.intent_id ?? null, eventIds: rows.map(({ id }) => id) };
}

/** The delivery of an event to each of a business's endpoints. Null: there is no such event, or it is no longer kept. */
export async function listDeliveriesOfEvent(
  db: Db,
  tenant: Tenant,
  eventId: string,
): Promise<(ListedDelivery & { readonly endpoint_id: string })[] | null> {
  const { businessId, environment } = tenant;
  const event = await db.row<{ recorded_at: Date }>(sql`
    select recorded_at from events where business_id = ${businessId} and id = ${eventId} and environment = ${environment}`);
  if (event === null) return null;
  return db.rows(sql`
    with own as (
      select id from webhook_endpoints where business_id = ${businessId} and environment = ${environment})
    select q.endpoint_id, q.event_id, q.event_type, 'pending' as status, q.attempts, q.due_at, q.created_at,
      null::timestamptz as finished_at, q.status_code, q.error_class::text
    from own o join webhook_queue q on q.business_id = ${businessId} and q.endpoint_id = o.id and q.event_id = ${eventId}
      and q.resend = ''
    union all
    select d.endpoint_id, d.event_id, d.event_type, d.status::text, d.attempts, null, d.created_at, d.finished_at,
      d.status_code, d.error_class::text
    from own o join webhook_deliveries d on d.business_id = ${businessId} and d.endpoint_id = o.id and d.event_id = ${eventId}
      and d.finished_at >= ${event.recorded_at}
    order by 1`);
}

/** The event of a delivery, as it is sent. */
export interface SentEvent {
  readonly sequence: string;
  readonly body: string;
  readonly recorded_at: Date;
}

/** An attempt, or one that a person asked for. */
export interface AttemptRow {
  /** 1 to 9; null for an attempt that a person asked for. */
  readonly number: number | null;
  readonly started_at: Date;
  readonly took_ms: string;
  readonly succeeded: boolean;
  readonly status_code: number | null;
  readonly error: string | null;
}

/** One delivery with its event and attempts. Null: there is none, or its event is no longer kept. */
export async function findDelivery(db: Db, { businessId, id }: Endpoint, eventId: string) {
  const event = await db.row<SentEvent>(sql`
    select sequence, body, recorded_at from events where business_id = ${businessId} and id = ${eventId}`);
  if (event === null) return null;
  const delivery = await db.row<ListedDelivery>(sql`
    select event_id, event_type, 'pending' as status, attempts, due_at, created_at, null::timestamptz as finished_at,
      status_code, error_class::text
    from webhook_queue
    where business_id = ${businessId} and endpoint_id = ${id} and event_id = ${eventId} and resend = ''
    union all
    select event_id, event_type, status::text, attempts, null, created_at, finished_at, status_code, error_class::text
    from webhook_deliveries
    where business_id = ${businessId} and endpoint_id = ${id} and event_id = ${eventId} and finished_at >= ${event.recorded_at}
    limit 1`);
  if (delivery === null) return null;
  const attempts = await db.rows<AttemptRow>(sql`
    select number, started_at, round(extract(epoch from ended_at - started_at) * 1000) as took_ms, succeeded, status_code, error
    from webhook_attempts
    where business_id = ${businessId} and endpoint_id = ${id} and event_id = ${eventId} and recorded_at >= ${event.recorded_at}
    order by ended_at limit ${ATTEMPTS_SHOWN_MAX}::integer`);
  return { event, delivery, attempts };
}

/** Nine of the schedule, and those that people asked for. */
const ATTEMPTS_SHOWN_MAX = 100;
