import type { Tenant } from "../../../domain/callers.ts";
import { newResendId } from "../../../domain/ids.ts";
import type { Db } from "../../../store/database.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import { QUEUED, queued } from "../fragments.ts";
import { draftTestEvent, type Endpoint } from "../webhook.ts";
import { deliveryTime } from "./clock.ts";

/** True if an event `v` is for this endpoint. The event of a restored database is for all (§6.6.6). */
const subscribed = (endpoint: Endpoint) =>
  sql`(${endpoint.eventTypes}::text[] is null or v.type = any(${endpoint.eventTypes}::text[])
    or v.type = 'events.restored')`;

/** The values of a row of the queue for one more attempt now of an event `v`, asked for by a person. */
const onceMore = ({ id }: Endpoint, resend: string): Sql =>
  queued({
    endpointId: sql`${id}`,
    kind: sql`'resend'`,
    resend: sql`${resend}`,
    priority: sql`'asked'`,
    dueAt: deliveryTime(),
    createdAt: deliveryTime(),
  });

/** A resend of one event: its id, and true if it was queued now rather than before. */
export interface QueuedResend {
  readonly id: string;
  readonly isNew: boolean;
}

/**
 * Queues one attempt, due now, of an event that has a delivery to the endpoint, finished or not (§6.7.5). Does nothing
 * while a manual resend of it is queued. Null if it has no delivery. Needs a transaction, which holds its lock.
 */
export async function queueResend(db: Db, endpoint: Endpoint, eventId: string): Promise<QueuedResend | null> {
  // Two clicks at the same moment take turns at the endpoint's row: the second sees the resend of the first.
  await db.rows(sql`
    select from webhook_endpoints where business_id = ${endpoint.businessId} and id = ${endpoint.id} for no key update`);
  const waiting = await db.row<{ resend: string }>(sql`
    select resend from webhook_queue
    where business_id = ${endpoint.businessId} and endpoint_id = ${endpoint.id} and event_id = ${eventId}
      and kind = 'resend'
    limit 1`);
  if (waiting !== null) return { id: waiting.resend, isNew: false };
  const id = newResendId(new Date());
  const row = await db.row(sql`
    insert into webhook_queue (${QUEUED})
    select ${onceMore(endpoint, id)}
    from events v
    where v.business_id = ${endpoint.businessId} and v.environment = ${endpoint.environment} and v.id = ${eventId}
      and exists (select from webhook_all_deliveries d
        where d.business_id = v.business_id and d.endpoint_id = ${endpoint.id} and d.event_id = v.id and d.kind = 'scheduled')
    returning event_id`);
  return row === null ? null : { id, isNew: true };
}

/** Far more events than an intent has. The oldest are sent. */
export const RESENDS_OF_OBJECT_MAX = 500;

/**
 * Queues the subscribed events of one object, in order: each is due when the attempt before it has ended (§6.7.5). The
 * object is an intent, with the events of its payments, or a payment. Returns the number.
 */
export async function queueObjectResend(db: Db, endpoint: Endpoint, objectId: string, resend: string): Promise<number> {
  const rows = await db.rows(sql`
    with found as materialized (
      select v.business_id, v.id, v.type, v.recorded_at, v.intent_id, v.sequence
      from events v
      where v.business_id = ${endpoint.businessId} and v.environment = ${endpoint.environment}
        and (v.intent_id = ${objectId} or v.payment_address = ${objectId}) and ${subscribed(endpoint)}),
    oldest as (select * from found order by sequence limit ${RESENDS_OF_OBJECT_MAX}::integer),
    subscribed as (
      select o.*, lead(o.id) over (order by o.sequence) as next_id, row_number() over (order by o.sequence) as ordinal
      from oldest o)
    insert into webhook_queue (${QUEUED})
    select ${queued({
      endpointId: sql`${endpoint.id}`,
      kind: sql`'resend'`,
      resend: sql`${resend}`,
      priority: sql`'asked'`,
      dueAt: sql`case when v.ordinal = 1 then ${deliveryTime()} end`,
      createdAt: deliveryTime(),
      turn: { waits: sql`v.ordinal > 1`, nextEventId: sql`v.next_id` },
    })}
    from subscribed v
    returning event_id`);
  return rows.length;
}

/** The start of a replay: a time of recording, or a sequence. */
export type ReplayFrom = { readonly since: Date } | { readonly afterSequence: bigint };

interface Replayed {
  /** Events with a delivery: one more attempt each. */
  readonly resent: number;
  /** Events without one: a delivery with the full schedule each. */
  readonly made: number;
}

const PAGE = 5_000;

/** Queues one attempt of each of these events, due now. Returns the number. */
export async function queueResends(
  db: Db,
  endpoint: Endpoint,
  resend: string,
  eventIds: readonly string[],
): Promise<number> {
  const rows = await db.rows(sql`
    insert into webhook_queue (${QUEUED})
    select ${onceMore(endpoint, resend)}
    from events v
    where v.business_id = ${endpoint.businessId} and v.environment = ${endpoint.environment} and v.id = any(${eventIds}::text[])
    returning event_id`);
  return rows.length;
}

/** The number of waiting manual attempts (`asked`), or of retries and replays (`later`), counted up to the limit. */
export async function countWaiting(
  db: Db,
  { businessId, id }: Endpoint,
  priority: "asked" | "later",
  limit: number,
): Promise<number> {
  const row = await db.row<{ waiting: string }>(sql`
    select count(*) as waiting from (
      select from webhook_queue
      where business_id = ${businessId} and endpoint_id = ${id} and priority = ${priority}
      limit ${limit}::integer) counted`);
  return Number(row!.waiting);
}

/** One part of a replay, and the start of the next. */
export interface ReplayedPart extends Replayed {
  /** The start of the next part; null if nothing is left. */
  readonly afterSequence: bigint | null;
  readonly upToSequence: bigint;
}

/**
 * Queues one part of a replay: every subscribed event recorded since then, up to the newest event at the start. The rows have
 * the priority of retries, so new events go first. `after` and `upTo` are those of the part before, null for the first.
 */
export async function queueReplayPart(
  db: Db,
  endpoint: Endpoint,
  {
    from,
    after,
    upTo,
    resend,
  }: {
    readonly from: ReplayFrom;
    readonly after: bigint | null;
    readonly upTo: bigint | null;
    readonly resend: string;
  },
): Promise<ReplayedPart> {
  const until = upTo ?? (await findNewest(db, endpoint));
  const since = "since" in from ? from.since : null;
  const below = after ?? ("since" in from ? await findBelow(db, endpoint, since) : from.afterSequence);
  if (below === null || below >= until) return { resent: 0, made: 0, afterSequence: null, upToSequence: until };
  const page = await queueReplayPage(db, endpoint, resend, below, until, since);
  const afterSequence = page.last === null || page.last >= until ? null : page.last;
  return { resent: page.resent, made: page.made, afterSequence, upToSequence: until };
}

async function findNewest(db: Db, { businessId, environment }: Tenant): Promise<bigint> {
  const row = await db.row<{ newest: string }>(sql`
    select c.last_sequence as newest from event_counters c
    where c.business_id = ${businessId} and c.environment = ${environment}`);
  return BigInt(row?.newest ?? "0");
}

/** An upper bound on the events recorded since then, of any type: sequences have no gaps, except those of a restore. */
export async function countSince(db: Db, tenant: Tenant, since: Date): Promise<number> {
  const below = await findBelow(db, tenant, since);
  return below === null ? 0 : Number((await findNewest(db, tenant)) - below);
}

/** The sequence before the first event recorded since then; null if there is none. */
async function findBelow(db: Db, tenant: Tenant, since: Date | null): Promise<bigint | null> {
  const row = await db.row<{ below: string | null }>(sql`
    select min(sequence) - 1 as below from events
    where business_id = ${tenant.businessId} and environment = ${tenant.environment} and recorded_at >= ${since}::timestamptz`);
  return row?.below == null ? null : BigInt(row.below);
}

async function queueReplayPage(
  db: Db,
  endpoint: Endpoint,
  resend: string,
  below: bigint,
  newest: bigint,
  since: Date | null,
) {
  const row = await db.row<{ resent: string; made: string; last: string | null }>(sql`
    with page as (
      select v.business_id, v.id, v.type, v.recorded_at, v.intent_id, v.sequence, ${subscribed(endpoint)} as wanted
      from events v
      where v.business_id = ${endpoint.businessId} and v.environment = ${endpoint.environment}
        and v.sequence > ${below.toString()}::bigint and v.sequence <= ${newest.toString()}::bigint
        and (${since}::timestamptz is null or v.recorded_at >= ${since}::timestamptz)
      order by v.sequence limit ${PAGE}::integer),
    known as (
      select p.*,
        exists (select from webhook_all_deliveries d
          where d.business_id = p.business_id and d.endpoint_id = ${endpoint.id} and d.event_id = p.id
            and d.kind = 'scheduled' and d.open_until >= p.recorded_at) as delivered
      from page p where p.wanted),
    queued as (
      insert into webhook_queue (${QUEUED})
      select ${queued({
        endpointId: sql`${endpoint.id}`,
        kind: sql`case when v.delivered then 'replay' else 'scheduled' end`,
        resend: sql`case when v.delivered then ${resend} else '' end`,
        priority: sql`'later'`,
        // Rows with the same due time have no order. These are a microsecond apart, the newest due now.
        dueAt: sql`${deliveryTime()} - interval '1 microsecond' * row_number() over (order by v.sequence desc)`,
        createdAt: deliveryTime(),
      })}
      from known v
      on conflict (business_id, endpoint_id, event_id, resend) do nothing
      returning kind)
    select count(*) filter (where kind = 'replay') as resent, count(*) filter (where kind = 'scheduled') as made,
      (select max(sequence) from page) as last
    from queued`);
  return {
    resent: Number(row!.resent),
    made: Number(row!.made),
    last: row!.last === null ? null : BigInt(row!.last),
  };
}

/**
 * Queues one attempt, due now, of a `webhook.test` event, even if the endpoint does not subscribe to it. Returns the
 * event's id.
 */
export async function queueTest(db: Db, endpoint: Endpoint): Promise<string> {
  const time = await db.row<{ now: Date }>(sql`select date_trunc('milliseconds', now()) as now`);
  const { id, body } = draftTestEvent(endpoint, time!.now);
  await db.rows(sql`
    insert into webhook_queue (business_id, endpoint_id, event_id, kind, resend, event_type, body, priority, due_at, created_at)
    values (${endpoint.businessId}, ${endpoint.id}, ${id}, 'test', ${newResendId(time!.now)}, 'webhook.test', ${body}, 'asked', now(), now())`);
  return id;
}
