import { type Sql, sql } from "../../store/sql.ts";
import type { AuditAction, AuditEntry } from "../audit/audit.ts";
import type { EventDraft } from "../events/event.ts";
import { insertEvents } from "../events/fragments.ts";
import type { Endpoint } from "./webhook.ts";

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
    insert into webhook_queue (business_id, endpoint_id, event_id, event_type, event_recorded_at, intent_id, priority, due_at, created_at)
    select t.business_id, e.id, t.id, t.type, t.recorded_at, t.intent_id, 1, t.recorded_at, t.recorded_at
    from recorded_events t cross join lateral (
      select id, event_types from webhook_endpoints where business_id = t.business_id and environment = t.environment offset 0) e
    where (e.event_types is null or t.type = any(e.event_types) or t.type = 'events.restored')
        -- The event that an endpoint was disabled is not sent to that endpoint.
        and (t.type <> 'webhook_endpoint.disabled' or not exists (select from drafts d where d.id = t.id and d.object_id = e.id))
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
