import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import type { DeliveryStatus, Endpoint } from "../webhook.ts";

/** The delivery of one event to one endpoint, with its attempts. */
export interface DeliveryRow {
  readonly event_id: string;
  readonly event_type: string;
  readonly status: DeliveryStatus;
  /** Scheduled attempts, without resends. */
  readonly attempts: number;
  /** The due time of the next attempt; null when the delivery has ended. */
  readonly due_at: Date | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly attempt_log: readonly Attempt[];
}

interface Attempt {
  /** 1 to 9; null for a manual resend. */
  readonly number: number | null;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly succeeded: boolean;
  readonly statusCode: number | null;
  readonly error: string | null;
}

export interface DeliveryFilter {
  readonly status: DeliveryStatus | null;
  readonly eventId: string | null;
  readonly limit: number;
}

/** An endpoint's deliveries, newest event first, each with its attempts. */
export const listDeliveryRows = (db: Db, { businessId, id }: Endpoint, filter: DeliveryFilter) => {
  // Abandoned deliveries are few and have their own index, which a parameter could not select.
  const ofStatus =
    filter.status === "abandoned"
      ? sql`status = 'abandoned'`
      : sql`(${filter.status}::text is null or status = ${filter.status})`;
  return db.rows<DeliveryRow>(sql`
    with pending as (
      select event_id, event_type, 'pending' as status, attempts, due_at, created_at, null::timestamptz as finished_at
      from webhook_queue
      where business_id = ${businessId} and endpoint_id = ${id} and resend = ''
        and (${filter.eventId}::text is null or event_id = ${filter.eventId})
        and (${filter.status}::text is null or ${filter.status} = 'pending')
      order by event_id desc limit ${filter.limit}::integer),
    finished as (
      select event_id, event_type, status, attempts, null::timestamptz as due_at, created_at, finished_at
      from webhook_deliveries
      where business_id = ${businessId} and endpoint_id = ${id}
        and (${filter.eventId}::text is null or event_id = ${filter.eventId})
        and ${ofStatus}
      order by event_id desc limit ${filter.limit}::integer)
    select d.*, coalesce((
      select json_agg(json_build_object('number', a.number, 'startedAt', to_char(a.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'durationMs', round(extract(epoch from a.ended_at - a.started_at) * 1000), 'succeeded', a.succeeded,
        'statusCode', a.status_code, 'error', a.error) order by a.ended_at)
      from webhook_attempts a
      where a.business_id = ${businessId} and a.endpoint_id = ${id} and a.event_id = d.event_id), '[]') as attempt_log
    from (select * from pending union all select * from finished) d
    order by d.event_id desc limit ${filter.limit}::integer`);
};

/** The one attempt of a test or resend. */
export interface ExtraAttemptRow {
  readonly succeeded: boolean;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly took_ms: string;
}

/** The attempt of a test or resend; null until it has ended. */
export const findExtraAttempt = (db: Db, { businessId, id }: Endpoint, eventId: string, resend: string) =>
  db.row<ExtraAttemptRow>(sql`
    select succeeded, status_code, error, round(extract(epoch from ended_at - started_at) * 1000) as took_ms
    from webhook_attempts
    where business_id = ${businessId} and endpoint_id = ${id} and event_id = ${eventId} and resend = ${resend}
    limit 1`);
