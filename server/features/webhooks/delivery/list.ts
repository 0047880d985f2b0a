import type { Tenant } from "../../../domain/callers.ts";
import { firstEventId, isIntentId } from "../../../domain/ids.ts";
import { pagedById } from "../../../edge/http/listFilters.ts";
import type { Db } from "../../../store/database.ts";
import { ALL_ROWS, type Key } from "../../../store/keyset.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import type { DeliveryStatus, Endpoint, ErrorClass } from "../webhook.ts";
import { type DeliveryQuery, LIST_DELIVERIES } from "./schema.ts";

/** A delivery in a list. */
export interface ListedDelivery {
  readonly event_id: string;
  readonly event_type: string;
  readonly status: DeliveryStatus;
  /** Scheduled attempts, without resends. */
  readonly attempts: number;
  /** The due time of the next attempt; null when it has ended. */
  readonly due_at: Date | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly status_code: number | null;
  readonly error_class: ErrorClass | null;
}

const LISTED = sql`
  d.event_id, d.event_type, d.status, d.attempts, d.due_at, d.created_at, d.finished_at, d.status_code, d.error_class::text`;

/** At least every third delivery has this type, so a page of it fills soon, without an index. */
const FREQUENT = "payment_intent.created";
/** Events of one object: an intent has few, and so do its payments. */
const EVENTS_OF_OBJECT_MAX = 500;

/** Newest event first; up to one row more than the limit, which says that there are more. */
export async function listDeliveriesOf(db: Db, endpoint: Endpoint, query: DeliveryQuery): Promise<ListedDelivery[]> {
  const firstId = (at: Date) => firstEventId(endpoint, at);
  const object = query.object === null ? null : await findEventsOf(db, endpoint, query.object);
  if (object !== null && object.eventIds.length === 0) return [];
  // The last attempt of a succeeded delivery never failed.
  if (query.status === "succeeded" && query.errorClass !== null) return [];
  const ofEvents = object === null ? sql`true` : sql`event_id = any(${object.eventIds}::text[])`;
  const key = object === null ? undefined : query.status === "pending" ? ALL_ROWS : ofIntent(object.intentId);
  return db.rows<ListedDelivery>(sql`
    select ${LISTED} from webhook_all_deliveries d
    where business_id = ${endpoint.businessId} and endpoint_id = ${endpoint.id} and kind = 'scheduled' and ${STATUS[query.status ?? "any"]}
      and ${ofEvents} and ${page(query, firstId, key)}`);
}

/** Literals: a parameter could not select the index of abandoned deliveries. */
const STATUS: Readonly<Record<DeliveryStatus | "any", Sql>> = {
  any: sql`true`,
  // A pending delivery is in no partition: this condition spares them all.
  pending: sql`finished_at is null`,
  succeeded: sql`status = 'succeeded'`,
  abandoned: sql`status = 'abandoned'`,
};

const HAS_FAILED = sql`error_class is not null`;
/** Any other status is a failure and has a class. */
const isFailure = ({ statusCode }: DeliveryQuery): boolean => statusCode! < 200 || statusCode! >= 300;

const page = pagedById(LIST_DELIVERIES.query, sql`event_id`, [
  { by: ["error_class", "type"], predicate: HAS_FAILED },
  { by: ["error_class"], predicate: HAS_FAILED },
  { by: ["status_code", "type"], predicate: HAS_FAILED, when: isFailure },
  { by: ["status_code"], predicate: HAS_FAILED, when: isFailure },
  {
    by: ["type"],
    predicate: sql`event_type <> 'payment_intent.created'`,
    // Abandoned deliveries are few and have their own index.
    when: ({ status, type }) => status !== "abandoned" && type !== FREQUENT,
  },
  { by: ["status_code"], predicate: sql`status_code is not null` },
]);

const ofIntent = (intentId: string | null): Key => ({
  columns: [{ column: sql`intent_id`, value: sql`${intentId}::text` }],
  predicate: sql`intent_id is not null`,
});

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

/** The delivery of an event to each of a business's endpoints. Null if there is no such event, or it was deleted. */
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
    select d.endpoint_id, ${LISTED}
    from own o join webhook_all_deliveries d on d.business_id = ${businessId} and d.endpoint_id = o.id and d.event_id = ${eventId}
      and d.kind = 'scheduled' and d.open_until >= ${event.recorded_at}
    order by 1`);
}

/** The event of a delivery, as it is sent. */
export interface SentEvent {
  readonly sequence: string;
  readonly body: string;
  readonly recorded_at: Date;
}

/** A scheduled attempt, or a manual one. */
export interface AttemptRow {
  /** 1 to 9; null for a manual resend. */
  readonly number: number | null;
  readonly started_at: Date;
  readonly took_ms: string;
  readonly succeeded: boolean;
  readonly status_code: number | null;
  readonly error: string | null;
}

/** One delivery with its event and attempts. Null if there is none, or its event was deleted. */
export async function findDelivery(db: Db, { businessId, id }: Endpoint, eventId: string) {
  const event = await db.row<SentEvent>(sql`
    select sequence, body, recorded_at from events where business_id = ${businessId} and id = ${eventId}`);
  if (event === null) return null;
  const delivery = await db.row<ListedDelivery>(sql`
    select ${LISTED} from webhook_all_deliveries d
    where business_id = ${businessId} and endpoint_id = ${id} and event_id = ${eventId} and kind = 'scheduled'
      and open_until >= ${event.recorded_at}
    limit 1`);
  if (delivery === null) return null;
  const attempts = await db.rows<AttemptRow>(sql`
    select number, started_at, round(extract(epoch from ended_at - started_at) * 1000) as took_ms, succeeded, status_code, error
    from webhook_attempts
    where business_id = ${businessId} and endpoint_id = ${id} and event_id = ${eventId} and recorded_at >= ${event.recorded_at}
    order by ended_at limit ${ATTEMPTS_SHOWN_MAX}::integer`);
  return { event, delivery, attempts };
}

/** Nine scheduled attempts, and the manual ones. */
export const ATTEMPTS_SHOWN_MAX = 100;
