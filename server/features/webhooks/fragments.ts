import { type Sql, sql } from "../../store/sql.ts";
import type { AuditAction, AuditEntry } from "../audit/audit.ts";
import type { EventDraft } from "../events/event.ts";
import { insertEvents } from "../events/fragments.ts";
import type { Endpoint } from "./webhook.ts";

/** The columns of a row of the queue, whose values are those of {@link queued}. */
export const QUEUED = sql`business_id, event_id, event_type, event_recorded_at, intent_id, endpoint_id, kind, resend, priority,
      due_at, waits_for_turn, next_event_id, created_at`;

/** The values of {@link QUEUED} for an event `v`. */
export const queued = (row: {
  readonly endpointId: Sql;
  readonly kind: Sql;
  /** The id of what asked for it; left out: the row is the delivery's own. */
  readonly resend?: Sql;
  readonly priority: Sql;
  readonly dueAt: Sql;
  readonly createdAt: Sql;
  /** Of several events in order: if it waits for the one before, and the event that waits for it. */
  readonly turn?: { readonly waits: Sql; readonly nextEventId: Sql };
}): Sql => sql`v.business_id, v.id, v.type, v.recorded_at, v.intent_id, ${row.endpointId}, ${row.kind}, ${row.resend ?? sql`''`}, ${row.priority},
      ${row.dueAt}, ${row.turn?.waits ?? sql`false`}, ${row.turn?.nextEventId ?? sql`null`}, ${row.createdAt}`;

/**
 * Records the events of a change and enqueues their deliveries: the CTEs of {@link insertEvents} and `enqueued`, for
 * the statement of the change.
 */
export const recordEvents = (drafts: readonly EventDraft[], given: Sql = sql`true`): Sql =>
  sql`${insertEvents(drafts, given)},
    ${ENQUEUED}`;

/**
 * CTE `enqueued`, after the `recorded_events` and `drafts` of the events: one delivery for each endpoint that
 * subscribes to the type, or for all endpoints if the event concerns all. Includes disabled endpoints (§6.2, §6.7.2).
 * A business without endpoints costs one probe of an index. An endpoint that is deleted at the same moment may leave a
 * row behind: upkeep deletes it, and no worker claims it before.
 */
const ENQUEUED = sql`
  enqueued as (
    insert into webhook_queue (${QUEUED})
    select ${queued({ endpointId: sql`e.id`, kind: sql`'scheduled'`, priority: sql`'new'`, dueAt: sql`v.recorded_at`, createdAt: sql`v.recorded_at` })}
    from recorded_events v cross join lateral (
      select id, event_types from webhook_endpoints where business_id = v.business_id and environment = v.environment offset 0) e
    where (e.event_types is null or v.type = any(e.event_types) or v.type = 'events.restored')
        -- The event that an endpoint was disabled is not sent to that endpoint.
        and (v.type <> 'webhook_endpoint.disabled' or not exists (select from drafts d where d.id = v.id and d.object_id = e.id))
    returning business_id)`;

/** Column `delivering`: the businesses for which this statement enqueued a delivery. Parse it with {@link deliveringBusinesses}. */
export const DELIVERING = sql`(select string_agg(distinct q.business_id, ',') from enqueued q) as delivering`;

/** The topics that a statement with the column {@link DELIVERING} announces: without a delivery, no worker is notified. */
export function deliveringBusinesses(rows: readonly unknown[]): readonly string[] {
  const [row] = rows as readonly { readonly delivering: string | null }[];
  return row?.delivering?.split(",") ?? [];
}

/** The details of an endpoint in the audit log, without the URL's query, which may hold a token of the merchant. */
export const describeEndpoint = (
  action: AuditAction,
  { businessId, environment, id, url, eventTypes }: Endpoint,
  details: Readonly<Record<string, string | number | null>> = {},
): AuditEntry => ({
  businessId,
  environment,
  action,
  target: id,
  details: { url: url.split("?", 1)[0]!, eventTypes: eventTypes?.join(",") ?? "*", ...details },
});
