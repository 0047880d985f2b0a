import type { Tenant } from "../../../domain/callers.ts";
import { newEndpointId } from "../../../domain/ids.ts";
import { ENDPOINTS_MAX } from "../../../domain/limits.ts";
import { API_VERSION } from "../../../domain/version.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import type { EventType } from "../../events/eventTypes.ts";
import { deliveryTime } from "../delivery/clock.ts";
import { type KeyRing, newSigningSecret, sealSecret } from "../sending/secret.ts";
import {
  ENDPOINT_STEPS,
  type Endpoint,
  type EndpointRow,
  readEndpointRow,
  SECRET_GRACES,
  type SecretGrace,
} from "../webhook.ts";
import type { Held } from "./describeState.ts";
import { HELD_COUNTED_MAX } from "./limits.ts";

/** An endpoint and its signing secret, which is shown once. */
export interface IssuedEndpoint {
  readonly endpoint: Endpoint;
  readonly secret: string;
}

/** An endpoint of a business that is known to be the caller's. */
type EndpointRef = Pick<Endpoint, "businessId" | "id">;

export interface NewEndpoint {
  readonly url: string;
  readonly eventTypes: readonly EventType[] | null;
}

/** Inserts an endpoint in a free slot. Null if the business already has five in this environment. */
export async function insertEndpoint(
  db: Db,
  ring: KeyRing,
  tenant: Tenant,
  { url, eventTypes }: NewEndpoint,
): Promise<IssuedEndpoint | null> {
  // Another call may take the slot first; the next round tries another free one.
  for (let tries = 0; tries < ENDPOINTS_MAX; tries++) {
    const id = newEndpointId(tenant, new Date());
    const secret = newSigningSecret();
    const row = await db.row<EndpointRow>(sql`
        insert into webhook_endpoints (business_id, id, environment, slot, url, event_types, api_version, secret, secret_form, created_at)
        select ${tenant.businessId}, ${id}, ${tenant.environment}, free.slot, ${url}, ${eventTypes}::text[], ${API_VERSION},
          ${sealSecret(ring, id, secret)}, 'standard', now()
        from (
          select min(n)::smallint as slot from generate_series(1, ${ENDPOINTS_MAX}::integer) n where not exists (
            select from webhook_endpoints e
            where e.business_id = ${tenant.businessId} and e.environment = ${tenant.environment} and e.slot = n)) free
        where free.slot is not null
        on conflict (business_id, environment, slot) do nothing
        returning *`);
    if (row !== null) return { endpoint: readEndpointRow(row), secret };
  }
  return null;
}

/** The endpoints of both environments, oldest first in each. */
export async function listEndpoints(db: Db, businessId: string): Promise<Endpoint[]> {
  const rows = await db.rows<EndpointRow>(
    sql`select * from webhook_endpoints where business_id = ${businessId} order by environment, id`,
  );
  return rows.map(readEndpointRow);
}

/**
 * Changes URL and types. Secret, pending deliveries and count stay; the health seen at another URL is reset. Null if
 * there is no such endpoint.
 */
export async function changeEndpoint(
  db: Db,
  { businessId, id }: EndpointRef,
  { url, eventTypes }: NewEndpoint,
): Promise<Endpoint | null> {
  const row = await db.row<EndpointRow>(sql`
    update webhook_endpoints set url = ${url}, event_types = ${eventTypes}::text[],
      failing_since = case when url = ${url} then failing_since end, last_error = case when url = ${url} then last_error end
    where business_id = ${businessId} and id = ${id} returning *`);
  return row === null ? null : readEndpointRow(row);
}

/**
 * Replaces the secret (§6.3.5). The current one stays valid for the grace, and the one before it ends at once. Null if
 * there is no such endpoint.
 */
export async function replaceSecret(
  db: Db,
  ring: KeyRing,
  { businessId, id }: EndpointRef,
  grace: SecretGrace,
): Promise<IssuedEndpoint | null> {
  const secret = newSigningSecret();
  const seconds = SECRET_GRACES[grace];
  const row = await db.row<EndpointRow>(sql`
    update webhook_endpoints set
      secret = ${sealSecret(ring, id, secret)}, secret_form = 'standard',
      previous_secret = case when ${seconds}::integer > 0 then secret end,
      previous_secret_until = case when ${seconds}::integer > 0
        then ${deliveryTime()} + make_interval(secs => ${seconds}::integer) end
    where business_id = ${businessId} and id = ${id} returning *`);
  return row === null ? null : { endpoint: readEndpointRow(row), secret };
}

/**
 * Enables an endpoint (§6.7.3): its count of abandoned deliveries becomes 0, and the deliveries held for it are due.
 * Needs a transaction. Null if there is no such endpoint.
 */
export async function markEnabled(db: Db, { businessId, id }: EndpointRef): Promise<Endpoint | null> {
  const { from, to } = ENDPOINT_STEPS.enabled_by_a_person;
  const old = await db.row<EndpointRow>(
    sql`select * from webhook_endpoints where business_id = ${businessId} and id = ${id} for no key update`,
  );
  // An endpoint that is already enabled keeps its count, and its retries keep their times.
  if (!from.some((status) => status === old?.status)) return old === null ? null : readEndpointRow(old);
  const row = await db.row<EndpointRow>(sql`
    update webhook_endpoints set status = ${to}, disabled_at = null, enabled_at = ${deliveryTime()}, abandoned_in_a_row = 0
    where business_id = ${businessId} and id = ${id} returning *`);
  await db.rows(sql`
    update webhook_queue set due_at = ${deliveryTime()}
    where business_id = ${businessId} and endpoint_id = ${id} and kind = 'scheduled' and due_at > ${deliveryTime()}`);
  return readEndpointRow(row!);
}

/** Disables an endpoint at a user's request (§6.7.2): its events are held. Null if there is no such endpoint. */
export async function markDisabled(db: Db, { businessId, id }: EndpointRef): Promise<Endpoint | null> {
  const row = await db.row<EndpointRow>(sql`
    update webhook_endpoints set status = ${ENDPOINT_STEPS.disabled_by_a_person.to}, disabled_at = coalesce(disabled_at, ${deliveryTime()})
    where business_id = ${businessId} and id = ${id} returning *`);
  return row === null ? null : readEndpointRow(row);
}

/** Deletes an endpoint and its waiting deliveries. Returns false if there is no such endpoint. */
export async function removeEndpoint(db: Db, { businessId, id }: EndpointRef): Promise<boolean> {
  const row = await db.row(sql`
    with removed as (delete from webhook_endpoints where business_id = ${businessId} and id = ${id} returning id),
    queue_removed as (
      delete from webhook_queue where business_id = ${businessId} and endpoint_id = ${id} and exists (select from removed)),
    lease_removed as (
      delete from webhook_leases where business_id = ${businessId} and endpoint_id = ${id} and exists (select from removed))
    select id from removed`);
  return row !== null;
}

/**
 * The waiting deliveries of each endpoint of the environment: a limited number of rows, so a backlog of any length
 * costs the same.
 */
export const listHeld = (db: Db, tenant: Tenant) =>
  db.rows<Held>(sql`
    select e.id as "endpointId", h.pending::integer, h.oldest as "oldestAt"
    from webhook_endpoints e cross join lateral (
      select count(*) as pending, min(q.created_at) as oldest from (
        select q.created_at from webhook_queue q
        where q.business_id = e.business_id and q.endpoint_id = e.id and q.kind = 'scheduled'
        order by q.event_id limit ${HELD_COUNTED_MAX}::integer) q) h
    where e.business_id = ${tenant.businessId} and e.environment = ${tenant.environment}`);
