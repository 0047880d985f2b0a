import type { Db } from "../../../store/database.ts";
import { plannedOnce } from "../../../store/planning.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import type { EventType } from "../../events/event.ts";
import { CONCURRENCY_LIMIT_START } from "../sending/permits.ts";
import { deliveryTime } from "./clock.ts";

/** A claim is good for this long; after it any worker may claim again. An attempt takes at most 10 s of it. */
export const LEASE_MS = 30_000;
/** Events younger than this are new: they go in order. Older ones that were never tried are a backlog. */
const FRESH_MS = 1_000;
/** More than an endpoint has places: keeps what is claimed first, second and third apart. */
const TURNS = 1_000_000;
/** Of an endpoint's places where new events come and a backlog waits: a quarter is left to the backlog. */
export const FRESH_SHARE = 0.75;

/**
 * For the connections of a worker. The queue goes from nothing to a million rows and back within minutes, faster than its
 * statistics; a plan made while it was small would read all of it later. Every access here is by a key or a ctid, and this
 * says so: of two accesses that touch one row, as far as anybody knows, the ctid is the cheaper once pages cost nothing.
 * One plan then serves all values: with a month of partitions, planning a claim anew takes eight times as long as the claim.
 */
export const QUEUE_PLANNING = plannedOnce(["seqscan", "hashjoin", "mergejoin"], "random_page_cost=0");

/** One attempt to make, and all that is needed to make it. */
export interface Claim {
  readonly business_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  /** Empty for the delivery's own schedule. */
  readonly resend: string;
  readonly event_type: EventType | "webhook.test";
  /** Null: the event is gone; nothing can be sent. */
  readonly body: string | null;
  readonly sequence: string | null;
  /** Failed attempts of the schedule so far. */
  readonly attempts: number;
  readonly token: string;
  readonly url: string;
  readonly api_version: string;
  /** Sealed, the newest first. */
  readonly secrets: readonly string[];
  readonly claimed_at: Date;
}

/** What this process can take on, by endpoint it knows. */
export interface Room {
  readonly slots: number;
  /** Of them, for endpoints whose last attempt failed. */
  readonly failingSlots: number;
  readonly endpoints: readonly { readonly id: string; readonly free: number; readonly failing: boolean }[];
}

/** A row of the queue that no worker holds a lease on. */
const unleased = (): Sql => sql`(q.leased_until is null or q.leased_until <= ${deliveryTime()})`;

/** An endpoint's state, and its places: found by a search within the value; joined as rows, each would look through them all. */
const openEndpoints = ({ endpoints }: Room): Sql => sql`
      select e.business_id, e.id, e.status, f.failing, f.free, random() as chance from webhook_endpoints e
        cross join lateral (
          select known.room -> e.id as own from (select ${showPlaces(endpoints)}::jsonb as room) known) k
        cross join lateral (
          select coalesce((k.own -> 0)::integer, ${CONCURRENCY_LIMIT_START}::integer) as free, coalesce((k.own -> 1)::boolean, false) as failing) f
      where f.free > 0`;

const showPlaces = (endpoints: Room["endpoints"]): string =>
  JSON.stringify(Object.fromEntries(endpoints.map(({ id, free, failing }) => [id, [free, failing]])));

/**
 * Takes the rows that CTE `locked` names and answers with what is needed to send them. Rows are named by ctid, which can be
 * followed in one way only; for a key, a plan made while the queue was empty may read all of it later. One that was changed
 * since the statement began is not found, and left for the next claim. A claim that is lost in a crash is one that was
 * never made, so its commit does not wait for the disk.
 */
const takeLocked = (token: string): Sql => sql`
    hurried as materialized (select set_config('synchronous_commit', 'off', true) as how),
    claimed as (
      update webhook_queue q set lease_token = ${token}::uuid,
        leased_until = ${deliveryTime()} + make_interval(secs => ${LEASE_MS / 1000}::double precision)
      from locked l where q.ctid = l.ctid
      returning q.*)
    select c.business_id, c.endpoint_id, c.event_id, c.resend, c.event_type, coalesce(c.body, v.body) as body, v.sequence,
      c.attempts, c.lease_token as token, e.url, e.api_version, ${deliveryTime()} as claimed_at,
      case when e.previous_secret_until > ${deliveryTime()} then array[e.secret, e.previous_secret] else array[e.secret] end as secrets
    from hurried h, claimed c
      join webhook_endpoints e on e.business_id = c.business_id and e.id = c.endpoint_id
      left join events v on v.business_id = c.business_id and v.id = c.event_id and v.recorded_at = c.event_recorded_at
    where h.how is not null
    order by c.due_at`;

/**
 * Claims attempts that are due, in one round trip and two steps: endpoints that have work (a loose scan of the index, so a
 * backlog of any length costs the same), then each endpoint's next rows, as many as it has places, by turns over the
 * endpoints. With more of them than slots, chance decides whose turn it is, and no more are looked into than can get one.
 * Per endpoint: what a person asked for; for three quarters of the places what was never tried, new events in
 * order and then the latest first, so that a new event never waits for a backlog; for the rest the backlog, oldest first;
 * then whatever is left over. Rows locked by another worker are passed by. An expired lease is claimed anew:
 * that is the recovery from a crash. `now()` keeps due_at an index condition.
 */
export const claimDeliveries = (db: Db, room: Room, token: string): Promise<Claim[]> => {
  const now = deliveryTime();
  const free = unleased();
  const fresh = sql`${now} - make_interval(secs => ${FRESH_MS / 1000}::double precision)`;
  const ofEndpoint = sql`q.business_id = o.business_id and q.endpoint_id = o.id`;
  const nextRows = sql`
      select (array_agg(t.row order by t.turn))[1:o.free] as rows from (
        select u.row, min(u.turn) as turn from (
          select q.row, row_number() over (order by q.due_at) as turn from (
            select q.ctid as row, q.due_at from webhook_queue q
            where ${ofEndpoint} and q.priority = 0 and q.due_at <= ${now} and ${free}
            order by q.due_at limit o.free) q
          union all
          select n.row, n.place + case when n.place <= o.fresh then ${TURNS}::integer else ${TURNS * 3}::integer end
          from (
            select f.row, row_number() over (order by f.kind, f.age) as place from (
              (select q.ctid as row, 1 as kind, q.due_at - ${now} as age from webhook_queue q
              where ${ofEndpoint} and q.priority = 1 and o.status = 'enabled' and q.due_at <= ${now} and q.due_at > ${fresh} and ${free}
              order by q.due_at limit o.free)
              union all
              (select q.ctid as row, 2 as kind, ${now} - q.due_at as age from webhook_queue q
              where ${ofEndpoint} and q.priority = 1 and o.status = 'enabled' and q.due_at <= ${fresh} and ${free}
              order by q.due_at desc limit o.free)) f) n
          union all
          select b.row, row_number() over (order by b.due_at) + ${TURNS * 2}::integer from (
            (select q.ctid as row, q.due_at from webhook_queue q
            where ${ofEndpoint} and q.priority = 1 and o.status = 'enabled' and q.due_at <= ${fresh} and ${free}
            order by q.due_at limit o.free)
            union all
            (select q.ctid as row, q.due_at from webhook_queue q
            where ${ofEndpoint} and q.priority = 2 and o.status = 'enabled' and q.due_at <= ${now} and ${free}
            order by q.due_at limit o.free)) b) u
        group by u.row) t`;
  return db.rows<Claim>(sql`
    with recursive places as (
      (select q.business_id, q.endpoint_id from webhook_queue q order by q.business_id, q.endpoint_id limit 1)
      union all
      select n.business_id, n.endpoint_id from places p cross join lateral (
        select q.business_id, q.endpoint_id from webhook_queue q
        where (q.business_id, q.endpoint_id) > (p.business_id, p.endpoint_id)
        order by q.business_id, q.endpoint_id limit 1) n),
    open as (
      select o.*, floor(o.free * ${FRESH_SHARE}::double precision + random()) as fresh
      from (select * from places order by random()) p cross join lateral (
        ${openEndpoints(room)} and e.business_id = p.business_id and e.id = p.endpoint_id) o),
    reached as (
      select kind.failing, kind.most, found.rows
      from (values (false, ${room.slots}::integer), (true, ${room.failingSlots}::integer)) as kind (failing, most)
        cross join lateral (
          select next.rows from open o cross join lateral (${nextRows}) next
          where o.failing = kind.failing and next.rows is not null limit kind.most) found),
    chosen as (
      select by_turns.row from (
        select r.most, n.row, row_number() over (partition by r.failing order by n.place) as turn
        from reached r cross join lateral unnest(r.rows) with ordinality as n (row, place)) by_turns
      where by_turns.turn <= by_turns.most
      order by by_turns.turn limit ${room.slots}::integer),
    locked as (
      select q.ctid from webhook_queue q join chosen c on q.ctid = c.row
      where ${free}
      for update of q skip locked),
    ${takeLocked(token)}`);
};

/**
 * Claims new events of these businesses, told of just now: each enabled endpoint's in order, as many as it has places, by
 * turns. All else that is due is left to {@link claimDeliveries}. While a transaction somewhere holds back vacuum, rows long
 * done stay in the index, and what looks at everything walks over them all; what is new must not wait for that.
 */
export const claimNewDeliveries = (
  db: Db,
  room: Room,
  token: string,
  businessIds: readonly string[],
): Promise<Claim[]> =>
  db.rows<Claim>(sql`
    with found as (
      select q.row, q.place, o.failing, o.chance from (
        ${openEndpoints(room)} and e.business_id = any(${businessIds}::text[]) and e.status = 'enabled') o
        cross join lateral (
          select q.ctid as row, row_number() over (order by q.due_at) as place from (
            select q.ctid, q.due_at from webhook_queue q
            where q.business_id = o.business_id and q.endpoint_id = o.id and q.priority = 1
              and q.due_at <= now() and q.due_at > now() - make_interval(secs => ${FRESH_MS / 1000}::double precision)
              and ${unleased()}
            order by q.due_at limit o.free for update skip locked) q) q),
    locked as (
      select f.row as ctid from (
        select f.row, f.failing, row_number() over (partition by f.failing order by f.place, f.chance) as turn from found f) f
      where f.turn <= case when f.failing then ${room.failingSlots}::integer else ${room.slots}::integer end
      order by f.turn limit ${room.slots}::integer),
    ${takeLocked(token)}`);

/** Gives claims back untouched: no attempt was made, so none is counted. */
export const releaseClaims = (db: Db, claims: readonly Claim[]) =>
  db.rows(sql`
    update webhook_queue q set lease_token = null, leased_until = null
    from unnest(${claims.map((one) => one.business_id)}::text[], ${claims.map((one) => one.endpoint_id)}::text[],
      ${claims.map((one) => one.event_id)}::text[], ${claims.map((one) => one.resend)}::text[],
      ${claims.map((one) => one.token)}::uuid[]) as g (business_id, endpoint_id, event_id, resend, token)
    where g.business_id = q.business_id and g.endpoint_id = q.endpoint_id and g.event_id = q.event_id and g.resend = q.resend
      and q.lease_token = g.token`);
