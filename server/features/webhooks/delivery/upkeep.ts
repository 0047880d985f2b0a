import type { Db } from "../../../store/database.ts";
import { keepPartitions } from "../../../store/partitions.ts";
import { sql } from "../../../store/sql.ts";
import type { Context } from "../../context.ts";
import { deliveryTime } from "./clock.ts";
import { finish } from "./completions.ts";

const BATCH_MAX = 1_000;
/** A list of events reads every partition, so there are few. Events may stay up to this much longer than the retention. */
export const EVENT_PARTITION_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Keeps events and finished deliveries for the retention (§4.10.5), by creating and dropping partitions. Deliveries
 * that were held for longer are abandoned first and not counted (§6.7.4). Events stay while a delivery of an older one
 * is unfinished.
 */
export async function keepHistory(
  { database, log }: Pick<Context, "database" | "log">,
  retentionDays: number,
): Promise<void> {
  const time = await database.row<{ now: Date }>(sql`select ${deliveryTime()} as now`);
  const keepFrom = new Date(time!.now.getTime() - retentionDays * DAY_MS);
  while ((await abandonHeld(database, keepFrom)) === BATCH_MAX);
  await dropOrphans(database);
  while ((await dropHours(database, keepFrom)) === BATCH_MAX);
  while ((await makeHoursAhead(database)) === BATCH_MAX);
  while ((await dropResends(database, keepFrom)) === BATCH_MAX);
  const oldest = await database.row<{ at: Date | null }>(
    sql`select min(event_recorded_at) as at from webhook_queue where event_recorded_at < ${keepFrom}`,
  );
  const outsidePartitions = await keepPartitions(
    database,
    [
      { name: "events", days: EVENT_PARTITION_DAYS, keepFrom: oldest?.at ?? keepFrom },
      { name: "webhook_deliveries", days: 1, keepFrom },
      { name: "webhook_attempts", days: 1, keepFrom },
    ],
    time!.now,
  );
  if (outsidePartitions.length > 0)
    log(`Rows were recorded on a day without a partition: ${outsidePartitions.join(", ")}.`);
}

/**
 * Abandons deliveries of events past the retention. A delivery under way stays until its attempt has ended. Of several
 * events resent in order, the next becomes due, as after an attempt: nothing else would end its wait.
 */
async function abandonHeld(db: Db, keepFrom: Date): Promise<number> {
  const rows = await db.rows(sql`
    with old as (
      select business_id, endpoint_id, event_id, resend from webhook_queue
      where event_recorded_at < ${keepFrom} and (leased_until is null or leased_until <= ${deliveryTime()})
      order by business_id, endpoint_id, event_id, resend limit ${BATCH_MAX}::integer
      for update skip locked),
    removed as (
      delete from webhook_queue q using old o
      where q.business_id = o.business_id and q.endpoint_id = o.endpoint_id and q.event_id = o.event_id and q.resend = o.resend
      returning q.*),
    next as (
      update webhook_queue q set due_at = ${deliveryTime()}, waits_for_turn = false from removed r
      where q.business_id = r.business_id and q.endpoint_id = r.endpoint_id and q.event_id = r.next_event_id
        and q.resend = r.resend and q.waits_for_turn and q.event_recorded_at >= ${keepFrom}),
    finished as (${finish(sql`removed where kind = 'scheduled'`, "held_too_long")})
    select event_id from removed`);
  return rows.length;
}

/**
 * Creates the empty hours of the next day for endpoints with deliveries in this hour. Rows created together are stored
 * together; created one by one, each would be on a separate page, among those of all other endpoints.
 */
async function makeHoursAhead(db: Db): Promise<number> {
  const row = await db.row<{ endpoints: number }>(sql`
    with day as (select date_trunc('day', ${deliveryTime()}, 'UTC') + interval '1 day' as starts),
    sent_to as (
      select h.business_id, h.endpoint_id from webhook_hours h, day d
      where h.hour = date_trunc('hour', ${deliveryTime()}, 'UTC') and h.attempts > 0 and not exists (
        select from webhook_hours t
        where t.business_id = h.business_id and t.endpoint_id = h.endpoint_id and t.hour = d.starts)
      order by h.business_id, h.endpoint_id limit ${BATCH_MAX}::integer),
    made as (
      insert into webhook_hours (business_id, endpoint_id, hour, attempts, succeeded, took_ms, took_ms_max, first_attempts, waited_ms)
      select s.business_id, s.endpoint_id, d.starts + make_interval(hours => n), 0, 0, 0, 0, 0, 0
      from sent_to s, day d, generate_series(0, 23) n
      order by s.business_id, s.endpoint_id, n
      on conflict do nothing)
    select count(*)::integer as endpoints from sent_to`);
  return row!.endpoints;
}

async function dropHours(db: Db, keepFrom: Date): Promise<number> {
  const rows = await db.rows(sql`
    delete from webhook_hours h using (
      select ctid from webhook_hours where hour < ${keepFrom} order by hour limit ${BATCH_MAX}::integer) old
    where h.ctid = old.ctid returning h.hour`);
  return rows.length;
}

async function dropResends(db: Db, keepFrom: Date): Promise<number> {
  const rows = await db.rows(sql`
    delete from webhook_resends r using (
      select ctid from webhook_resends where begun_at < ${keepFrom} order by begun_at limit ${BATCH_MAX}::integer) old
    where r.ctid = old.ctid returning r.id`);
  return rows.length;
}

/** Deletes rows that were inserted for an endpoint while it was being deleted. */
const dropOrphans = (db: Db) =>
  db.rows(sql`
    with leases as (
      delete from webhook_leases l where not exists (
        select from webhook_endpoints e where e.business_id = l.business_id and e.id = l.endpoint_id))
    delete from webhook_queue q where not exists (
      select from webhook_endpoints e where e.business_id = q.business_id and e.id = q.endpoint_id)`);
