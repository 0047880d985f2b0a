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
    select d.event_id, d.event_type, d.status, d.attempts, d.due_at, d.created_at, d.finished_at, coalesce((
      select json_agg(json_build_object('number', a.number, 'startedAt', to_char(a.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'durationMs', round(extract(epoch from a.ended_at - a.started_at) * 1000), 'succeeded', a.succeeded,
        'statusCode', a.status_code, 'error', a.error) order by a.ended_at)
      from webhook_attempts a
      where a.business_id = ${businessId} and a.endpoint_id = ${id} and a.event_id = d.event_id), '[]') as attempt_log
    from webhook_all_deliveries d
    where d.business_id = ${businessId} and d.endpoint_id = ${id} and d.kind = 'scheduled'
      and (${filter.eventId}::text is null or d.event_id = ${filter.eventId}) and ${ofStatus}
    order by d.event_id desc limit ${filter.limit}::integer`);
};

/** The one attempt of a test. */
export interface TestAttemptRow {
  readonly succeeded: boolean;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly took_ms: string;
}

/** The attempt of a test; null until it has ended. */
export const findTestAttempt = (db: Db, { businessId, id }: Endpoint, eventId: string) =>
  db.row<TestAttemptRow>(sql`
    select succeeded, status_code, error, round(extract(epoch from ended_at - started_at) * 1000) as took_ms
    from webhook_attempts
    where business_id = ${businessId} and endpoint_id = ${id} and event_id = ${eventId}
    limit 1`);
