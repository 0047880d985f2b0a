import type { Db } from "../../../store/database.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import { ATTEMPT_MS } from "../sending/send.ts";
import type { EndpointLease } from "./endpointLease.ts";

/** CTE `queued`, for `with recursive`: the endpoints with rows, by a loose scan of the index: a backlog of any length costs the same. */
export const QUEUED_ENDPOINTS = sql`
    queued as (
      (select q.business_id, q.endpoint_id from webhook_queue q order by q.business_id, q.endpoint_id limit 1)
      union all
      select n.business_id, n.endpoint_id from queued p cross join lateral (
        select q.business_id, q.endpoint_id from webhook_queue q
        where (q.business_id, q.endpoint_id) > (p.business_id, p.endpoint_id)
        order by q.business_id, q.endpoint_id limit 1) n)`;

/**
 * True of a worker `w` that may begin attempts. One that was killed is none a moment later, long before its leases end:
 * no endpoint waits for it.
 */
const IS_SENDING = sql`
  not w.stopping and w.alive_until > now() + make_interval(secs => ${ATTEMPT_MS / 1000}::double precision)`;

/**
 * The worker that is to lease an endpoint: the smallest hash of both. This spreads the endpoints, and a worker that
 * comes or goes moves only its own.
 */
const workerFor = (endpointId: Sql): Sql => sql`
  (select w.id from webhook_workers w where ${IS_SENDING} order by md5(w.id::text || ${endpointId}) limit 1)`;

/** CTE `taken`: leases to this worker those of `free` that it is to have: endpoints (`business_id`, `endpoint_id`) without a lease. */
export const takeLeases = (worker: string, free: Sql): Sql => sql`
    taken as (
      insert into webhook_leases as l (business_id, endpoint_id, leased_by)
      -- Offset 0: the hashes are computed only of endpoints without a lease.
      select f.business_id, f.endpoint_id, ${worker}::uuid from (${free} offset 0) f
      where ${workerFor(sql`f.endpoint_id`)} = ${worker}::uuid
        -- Locked, so that the worker's row is not deleted before its leases refer to it; it may have been already.
        and exists (select from webhook_workers w where w.id = ${worker}::uuid and f.endpoint_id <> '' for key share)
      on conflict (business_id, endpoint_id) do update set leased_by = excluded.leased_by where l.leased_by is null
      returning l.business_id, l.endpoint_id)`;

/** Leases the endpoints with rows that have no lease and that this worker is to have. Returns their number. */
export async function takeQueued(db: Db, worker: string): Promise<number> {
  const row = await db.row<{ taken: string }>(sql`
    with recursive ${QUEUED_ENDPOINTS},
    ${takeLeases(
      worker,
      sql`
        select e.business_id, e.id as endpoint_id from queued q
          join webhook_endpoints e on e.business_id = q.business_id and e.id = q.endpoint_id
          left join webhook_leases l on l.business_id = q.business_id and l.endpoint_id = q.endpoint_id
        where l.leased_by is null`,
    )}
    select count(*) as taken from taken`);
  return Number(row!.taken);
}

interface Renewal {
  /** The start of the time in which this worker kept its leases. */
  readonly aliveSince: string;
  /** The workers besides this one that take endpoints. */
  readonly others: string | null;
  /** The number of workers that were no longer alive. */
  readonly dead: number;
}

/** Renews a worker, or adds it, and deletes the workers that are no longer alive, whose leases end with their rows. */
export async function renewWorker(db: Db, worker: string, aliveMs: number, stopping: boolean): Promise<Renewal> {
  const row = await db.row<Renewal>(sql`
    with dead as (
      delete from webhook_workers w using (
        -- The lock waits for no renewal, and reads the row again: what is renewed at this moment stays.
        select id from webhook_workers where alive_until <= now() and id <> ${worker}::uuid for update skip locked) d
      where w.id = d.id
      returning w.id),
    renewed as (
      insert into webhook_workers as w (id, alive_until, stopping)
      values (${worker}::uuid, now() + make_interval(secs => ${aliveMs / 1000}::double precision), ${stopping})
      on conflict (id) do update set alive_until = excluded.alive_until, stopping = excluded.stopping
      returning w.alive_since)
    select r.alive_since::text as "aliveSince", (
      select string_agg(w.id::text, ',' order by w.id) from webhook_workers w
      where w.id <> ${worker}::uuid and ${IS_SENDING}) as others, (select count(*)::integer from dead) as dead
    from renewed r`);
  return row!;
}

/** Lists the endpoints of this worker that another one is to have. */
export const listMisplaced = (db: Db, worker: string) =>
  db.rows<{ businessId: string; id: string }>(sql`
    select l.business_id as "businessId", l.endpoint_id as id from webhook_leases l
    where l.leased_by = ${worker}::uuid and ${workerFor(sql`l.endpoint_id`)} is distinct from ${worker}::uuid`);

/** Stores the changed concurrency limits of these leases, and ends the leases if `ends`. Returns those that were this worker's. */
export const storeLeases = (db: Db, worker: string, leases: readonly EndpointLease[], ends: boolean) =>
  db.rows(sql`
    update webhook_leases l set concurrency_limit = coalesce(g.concurrency_limit, l.concurrency_limit),
      leased_by = case when ${ends}::boolean then null else l.leased_by end
    from unnest(${leases.map((one) => one.businessId)}::text[], ${leases.map((one) => one.id)}::text[],
      ${leases.map((one) => (one.concurrencyLimit === one.storedLimit ? null : one.concurrencyLimit))}::integer[]) as g (business_id, endpoint_id, concurrency_limit)
    where l.business_id = g.business_id and l.endpoint_id = g.endpoint_id and l.leased_by = ${worker}::uuid
    returning l.endpoint_id`);

/** Removes a worker, and with it all of its leases. */
export const removeWorker = (db: Db, worker: string) =>
  db.rows(sql`delete from webhook_workers where id = ${worker}::uuid`);
