import type { Db } from "../../../store/database.ts";
import { plannedOnce } from "../../../store/planSettings.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import type { EventType } from "../../events/eventTypes.ts";
import { deliveryTime } from "./clock.ts";
import { CONCURRENCY_LIMIT_START } from "./endpointLease.ts";
import { QUEUED_ENDPOINTS, takeLeases } from "./leaseQueries.ts";

/** The time that a claim lasts. After it, any worker may claim the row again. An attempt takes at most 10 s. */
export const LEASE_MS = 30_000;
/** Events younger than this are new and go in order. Older events without an attempt are a backlog. */
const FRESH_MS = 1_000;
/** More than the rows claimed for an endpoint at once: separates the turns of its kinds of rows. */
const TURNS = 1_000_000;
/** The part of an endpoint's room that new events may use while a backlog waits. The rest is for the backlog. */
export const FRESH_SHARE = 0.75;

/**
 * Planner settings of a worker's connections. The queue grows from nothing to a million rows and back within minutes,
 * faster than its statistics, and a plan made while it was small would later read all of it. Every access here is by
 * key, in the order of an index, or by ctid, so the other plans are disabled: a sort reads all rows of an endpoint. A page
 * cost of zero makes the planner prefer the ctid, where it expects one row either way. One plan then serves all values: with a month of partitions, planning a claim takes
 * eight times as long as the claim itself.
 */
export const QUEUE_PLANNING = plannedOnce(["seqscan", "sort", "hashjoin", "mergejoin"], "random_page_cost=0");

/** One attempt, with all data that it needs. */
export interface Claim {
  readonly business_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly kind: "scheduled" | "resend" | "replay" | "test";
  /** The id of what asked for the attempt; empty for a scheduled one. */
  readonly resend: string;
  readonly event_type: EventType | "webhook.test";
  /** The event's text; null if the event was deleted, so nothing can be sent. */
  readonly body: string | null;
  readonly sequence: string | null;
  /** Scheduled attempts that have failed. */
  readonly attempts: number;
  readonly token: string;
  readonly url: string;
  readonly api_version: string;
  /** Encrypted, newest first. */
  readonly secrets: readonly string[];
  readonly claimed_at: Date;
  /** The endpoint's, as stored. */
  readonly concurrency_limit: number;
}

/** The number of deliveries that a worker's claim may take, in all and for each endpoint that it knows. */
export interface Room {
  readonly worker: string;
  readonly slots: number;
  /** The number of them that may go to endpoints whose last attempt failed. */
  readonly failingSlots: number;
  readonly endpoints: readonly { readonly id: string; readonly free: number; readonly failing: boolean }[];
}

/** A row of the queue without a valid lease. */
const unleased = (): Sql => sql`(q.leased_until is null or q.leased_until <= ${deliveryTime()})`;

/**
 * Endpoints of `leased` (`business_id`, `endpoint_id`, `concurrency_limit`) that have room, and its size. The room
 * travels as one JSON object and each endpoint finds its own by key; with a join, each endpoint would be compared with
 * all of them.
 */
const endpointsWithRoom = ({ endpoints }: Room, leased: Sql): Sql => sql`
      select l.business_id, l.endpoint_id as id, l.concurrency_limit, f.failing, f.free, random() as chance
      from ${leased} l
        cross join lateral (
          select known.room -> l.endpoint_id as own from (select ${showRoom(endpoints)}::jsonb as room) known) k
        cross join lateral (
          select coalesce((k.own -> 0)::integer, l.concurrency_limit) as free, coalesce((k.own -> 1)::boolean, false) as failing) f
      where f.free > 0`;

const showRoom = (endpoints: Room["endpoints"]): string =>
  JSON.stringify(Object.fromEntries(endpoints.map(({ id, free, failing }) => [id, [free, failing]])));

/**
 * Leases the rows of CTE `locked` (`ctid`, `concurrency_limit`) and returns all that is needed to send them. Rows are
 * named by ctid, which leaves one plan; with a key, a plan made while the queue was empty may later read all of it. A row
 * that changed since the statement began is not found and is left for the next claim. A claim lost in a crash was never
 * made, so its commit does not wait for the disk.
 */
const leaseLocked = (token: string): Sql => sql`
    unsynced as materialized (select set_config('synchronous_commit', 'off', true) as setting),
    claimed as (
      update webhook_queue q set lease_token = ${token}::uuid,
        leased_until = ${deliveryTime()} + make_interval(secs => ${LEASE_MS / 1000}::double precision)
      from locked l where q.ctid = l.ctid
      returning q.*, l.concurrency_limit)
    select c.business_id, c.endpoint_id, c.event_id, c.kind, c.resend, c.event_type, coalesce(c.body, v.body) as body, v.sequence,
      c.attempts, c.lease_token as token, c.concurrency_limit, e.url, e.api_version, ${deliveryTime()} as claimed_at,
      case when e.previous_secret_until > ${deliveryTime()} then array[e.secret, e.previous_secret] else array[e.secret] end as secrets
    from unsynced u, claimed c
      join webhook_endpoints e on e.business_id = c.business_id and e.id = c.endpoint_id
      left join events v on v.business_id = c.business_id and v.id = c.event_id and v.recorded_at = c.event_recorded_at
    where u.setting is not null
    order by c.due_at`;

/**
 * Claims due attempts (§6.4) of the endpoints that a worker leases, in one round trip.
 *
 * - `queued`: the endpoints with rows, by a loose scan of the index: a backlog of any length costs the same.
 * - `open`: those of them with a lease and room, in random order. With more endpoints than slots, chance selects those that are
 *   served.
 * - `reached`: each endpoint's next rows, up to its room; at most as many endpoints as there are slots. An endpoint's
 *   rows go in this order: manual attempts; for three quarters of the room, rows without an attempt, new events in order
 *   and then the latest first, so that a new event never waits for a backlog; then the backlog and the retries, oldest
 *   first; then the remaining rows without an attempt. Rows that were held until the endpoint was enabled are only a
 *   backlog, so they go in the order of their events.
 * - `chosen`: one row of each endpoint in turn until the slots are full, failing endpoints within their own.
 * - `locked`: skips rows that the other claim of the worker has locked.
 *
 * A disabled or failing endpoint gets only what was asked for (§6.7.2).
 *
 * A row whose lease has expired is claimed again: that is the whole recovery from a crash. `now()` keeps `due_at` an
 * index condition.
 */
export const claimDeliveries = (db: Db, room: Room, token: string): Promise<Claim[]> => {
  const now = deliveryTime();
  const isUnleased = unleased();
  const fresh = sql`${now} - make_interval(secs => ${FRESH_MS / 1000}::double precision)`;
  const ofEndpoint = sql`q.business_id = o.business_id and q.endpoint_id = o.id`;
  const nextRows = sql`
      select (array_agg(t.row order by t.turn))[1:o.free] as rows from (
        select u.row, min(u.turn) as turn from (
          select q.row, row_number() over (order by q.due_at) as turn from (
            select q.ctid as row, q.due_at from webhook_queue q
            where ${ofEndpoint} and q.priority = 'asked' and q.due_at <= ${now} and ${isUnleased}
            order by q.due_at limit o.free) q
          union all
          select n.row, n.ordinal + case when n.ordinal <= o.fresh then ${TURNS}::integer else ${TURNS * 3}::integer end
          from (
            select f.row, row_number() over (order by f.kind, f.age) as ordinal from (
              (select q.ctid as row, 1 as kind, q.due_at - ${now} as age from webhook_queue q
              where ${ofEndpoint} and q.priority = 'new' and e.status = 'enabled' and q.due_at <= ${now} and q.due_at > greatest(${fresh}, e.enabled_at) and ${isUnleased}
              order by q.due_at limit o.free)
              union all
              (select q.ctid as row, 2 as kind, ${now} - q.due_at as age from webhook_queue q
              where ${ofEndpoint} and q.priority = 'new' and e.status = 'enabled' and q.due_at <= ${fresh} and q.due_at > coalesce(e.enabled_at, '-infinity')
                and ${isUnleased}
              order by q.due_at desc limit o.free)) f) n
          union all
          select b.row, row_number() over (order by b.due_at) + ${TURNS * 2}::integer from (
            (select q.ctid as row, q.due_at from webhook_queue q
            where ${ofEndpoint} and q.priority = 'new' and e.status = 'enabled' and q.due_at <= greatest(${fresh}, e.enabled_at)
              and q.due_at <= ${now} and ${isUnleased}
            order by q.due_at limit o.free)
            union all
            (select q.ctid as row, q.due_at from webhook_queue q
            where ${ofEndpoint} and q.priority = 'later' and e.status = 'enabled' and q.due_at <= ${now} and ${isUnleased}
            order by q.due_at limit o.free)) b) u
        group by u.row) t`;
  return db.rows<Claim>(sql`
    with recursive ${QUEUED_ENDPOINTS},
    open as (
      select o.*, floor(o.free * ${FRESH_SHARE}::double precision + random()) as fresh
      from (select * from queued order by random()) p cross join lateral (
        ${endpointsWithRoom(room, sql`webhook_leases`)}
          and l.business_id = p.business_id and l.endpoint_id = p.endpoint_id and l.leased_by = ${room.worker}::uuid) o),
    reached as (
      select kind.failing, kind.most, found.concurrency_limit, found.rows
      from (values (false, ${room.slots}::integer), (true, ${room.failingSlots}::integer)) as kind (failing, most)
        cross join lateral (
          select o.concurrency_limit, next.rows from open o
            join webhook_endpoints e on e.business_id = o.business_id and e.id = o.id
            cross join lateral (${nextRows}) next
          where o.failing = kind.failing and next.rows is not null limit kind.most) found),
    chosen as (
      select by_turns.row, by_turns.concurrency_limit from (
        select r.most, r.concurrency_limit, n.row, row_number() over (partition by r.failing order by n.ordinal) as turn
        from reached r cross join lateral unnest(r.rows) with ordinality as n (row, ordinal)) by_turns
      where by_turns.turn <= by_turns.most
      order by by_turns.turn limit ${room.slots}::integer),
    locked as (
      select q.ctid, c.concurrency_limit from webhook_queue q join chosen c on q.ctid = c.row
      where ${isUnleased}
      for update of q skip locked),
    ${leaseLocked(token)}`);
};

/**
 * Claims new events of these businesses, which a notification has just named: in order for each enabled endpoint, up
 * to its room, one row of each endpoint in turn. Leases endpoints that have no lease, so that the first event of one
 * does not wait for a renewal. All other due rows are left to {@link claimDeliveries}. That
 * statement reads the whole index, in which finished rows stay while any transaction holds vacuum back; a new event
 * must not wait for it.
 */
export const claimNewDeliveries = (
  db: Db,
  room: Room,
  token: string,
  businessIds: readonly string[],
): Promise<Claim[]> =>
  db.rows<Claim>(sql`
    with named as (
      select e.business_id, e.id as endpoint_id, l.leased_by, coalesce(l.concurrency_limit, ${CONCURRENCY_LIMIT_START}::smallint) as concurrency_limit
      from webhook_endpoints e left join webhook_leases l on l.business_id = e.business_id and l.endpoint_id = e.id
      where e.business_id = any(${businessIds}::text[]) and e.status = 'enabled'),
    ${takeLeases(room.worker, sql`select business_id, endpoint_id from named where leased_by is null`)},
    mine as (
      select * from named n where n.leased_by = ${room.worker}::uuid or exists (
        select from taken t where t.business_id = n.business_id and t.endpoint_id = n.endpoint_id)),
    found as (
      select q.row, q.ordinal, o.concurrency_limit, o.failing, o.chance from (
        ${endpointsWithRoom(room, sql`mine`)}) o
        cross join lateral (
          select q.ctid as row, row_number() over (order by q.due_at) as ordinal from (
            select q.ctid, q.due_at from webhook_queue q
            where q.business_id = o.business_id and q.endpoint_id = o.id and q.priority = 'new'
              and q.due_at <= now() and q.due_at > now() - make_interval(secs => ${FRESH_MS / 1000}::double precision)
              and ${unleased()}
            order by q.due_at limit o.free for update skip locked) q) q),
    locked as (
      select f.row as ctid, f.concurrency_limit from (
        select f.row, f.concurrency_limit, f.failing, row_number() over (partition by f.failing order by f.ordinal, f.chance) as turn from found f) f
      where f.turn <= case when f.failing then ${room.failingSlots}::integer else ${room.slots}::integer end
      order by f.turn limit ${room.slots}::integer),
    ${leaseLocked(token)}`);

/** Releases claims: no attempt was made, so none is counted. */
export const releaseClaims = (db: Db, claims: readonly Claim[]) =>
  db.rows(sql`
    update webhook_queue q set lease_token = null, leased_until = null
    from unnest(${claims.map((one) => one.business_id)}::text[], ${claims.map((one) => one.endpoint_id)}::text[],
      ${claims.map((one) => one.event_id)}::text[], ${claims.map((one) => one.resend)}::text[],
      ${claims.map((one) => one.token)}::uuid[]) as g (business_id, endpoint_id, event_id, resend, token)
    where g.business_id = q.business_id and g.endpoint_id = q.endpoint_id and g.event_id = q.event_id and g.resend = q.resend
      and q.lease_token = g.token`);
