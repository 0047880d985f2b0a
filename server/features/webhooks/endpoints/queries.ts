import type { Tenant } from "../../../domain/callers.ts";
import { newEndpointId } from "../../../domain/ids.ts";
import { ENDPOINTS_MAX } from "../../../domain/limits.ts";
import { API_VERSION } from "../../../domain/version.ts";
import type { Database, Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import type { EventType } from "../../events/event.ts";
import { nowAhead } from "../queue/now.ts";
import { type Endpoint, type EndpointRow, readEndpointRow, SECRET_GRACES, type SecretGrace } from "../webhook.ts";
import { type KeyRing, newSigningSecret, sealSecret } from "./secret.ts";

/** An endpoint and its signing secret, which nobody will see again. */
export interface IssuedEndpoint {
  readonly endpoint: Endpoint;
  readonly secret: string;
}

export interface NewEndpoint {
  readonly url: string;
  readonly eventTypes: readonly EventType[] | null;
}

/** Adds an endpoint in a free slot. Null: the business has five in this environment. */
export async function addEndpoint(
  db: Db,
  ring: KeyRing,
  tenant: Tenant,
  { url, eventTypes }: NewEndpoint,
): Promise<IssuedEndpoint | null> {
  // One that lost the race for its slot looks again: another one may be free.
  for (let tries = 0; tries < ENDPOINTS_MAX; tries++) {
    const id = newEndpointId(new Date());
    const secret = newSigningSecret();
    const row = await db.row<EndpointRow>(sql`
      with added as (
        insert into webhook_endpoints (business_id, id, environment, slot, url, event_types, api_version, secret, created_at)
        select ${tenant.businessId}, ${id}, ${tenant.environment}, free.slot, ${url}, ${eventTypes}::text[], ${API_VERSION},
          ${sealSecret(ring, id, secret)}, now()
        from (
          select min(n)::smallint as slot from generate_series(1, ${ENDPOINTS_MAX}::integer) n where not exists (
            select from webhook_endpoints e
            where e.business_id = ${tenant.businessId} and e.environment = ${tenant.environment} and e.slot = n)) free
        where free.slot is not null
        on conflict (business_id, environment, slot) do nothing
        returning *),
      shared as (insert into webhook_permits (business_id, endpoint_id) select business_id, id from added)
      select * from added`);
    if (row !== null) return { endpoint: readEndpointRow(row), secret };
  }
  return null;
}

/** Of both environments, oldest first in each. */
export async function listEndpoints(db: Db, businessId: string): Promise<Endpoint[]> {
  const rows = await db.rows<EndpointRow>(
    sql`select * from webhook_endpoints where business_id = ${businessId} order by environment, id`,
  );
  return rows.map(readEndpointRow);
}

/** For verbs that name the endpoint alone. */
export async function findEndpoint(db: Db, id: string): Promise<Endpoint | null> {
  const row = await db.row<EndpointRow>(sql`select * from webhook_endpoints where id = ${id}`);
  return row === null ? null : readEndpointRow(row);
}

/** Changes URL and types; secret, pending deliveries and count stay. Null: it is gone. */
export async function updateEndpoint(
  db: Db,
  { businessId, id }: Endpoint,
  { url, eventTypes }: NewEndpoint,
): Promise<Endpoint | null> {
  const row = await db.row<EndpointRow>(sql`
    update webhook_endpoints set url = ${url}, event_types = ${eventTypes}::text[]
    where business_id = ${businessId} and id = ${id} returning *`);
  return row === null ? null : readEndpointRow(row);
}

/** Issues a new secret; the one before stays valid for the grace, the one before that no longer. */
export async function rollSecret(
  db: Db,
  ring: KeyRing,
  { businessId, id }: Endpoint,
  grace: SecretGrace,
  aheadMs = 0,
): Promise<IssuedEndpoint | null> {
  const secret = newSigningSecret();
  const seconds = SECRET_GRACES[grace];
  const row = await db.row<EndpointRow>(sql`
    update webhook_endpoints set
      secret = ${sealSecret(ring, id, secret)},
      previous_secret = case when ${seconds}::integer > 0 then secret end,
      previous_secret_until = case when ${seconds}::integer > 0
        then ${nowAhead(aheadMs)} + make_interval(secs => ${seconds}::integer) end
    where business_id = ${businessId} and id = ${id} returning *`);
  return row === null ? null : { endpoint: readEndpointRow(row), secret };
}

/** Enables an endpoint: its count is 0 again and what was held for it is due. Null: it is gone. */
export function enableEndpoint(
  database: Database,
  { businessId, id }: Endpoint,
  aheadMs = 0,
): Promise<Endpoint | null> {
  return database.transaction(async (db) => {
    const old = await db.row<EndpointRow>(
      sql`select * from webhook_endpoints where business_id = ${businessId} and id = ${id} for no key update`,
    );
    // One that is enabled already keeps its count, and its retries their times.
    if (old === null || old.status === "enabled") return old === null ? null : readEndpointRow(old);
    const row = await db.row<EndpointRow>(sql`
      update webhook_endpoints set status = 'enabled', disabled_at = null, abandoned_in_a_row = 0
      where business_id = ${businessId} and id = ${id} returning *`);
    await db.rows(sql`
      update webhook_queue set due_at = ${nowAhead(aheadMs)}
      where business_id = ${businessId} and endpoint_id = ${id} and resend = '' and due_at > ${nowAhead(aheadMs)}`);
    return readEndpointRow(row!);
  });
}

/** Disables an endpoint by a person's wish; events go on being recorded and held for it. Null: it is gone. */
export async function disableEndpoint(db: Db, { businessId, id }: Endpoint, aheadMs = 0): Promise<Endpoint | null> {
  const row = await db.row<EndpointRow>(sql`
    update webhook_endpoints set status = 'disabled', disabled_at = coalesce(disabled_at, ${nowAhead(aheadMs)})
    where business_id = ${businessId} and id = ${id} returning *`);
  return row === null ? null : readEndpointRow(row);
}

/** Deletes an endpoint and all that was still to be sent to it. False: it is gone already. */
export async function deleteEndpoint(db: Db, { businessId, id }: Endpoint): Promise<boolean> {
  const row = await db.row(sql`
    with gone as (delete from webhook_endpoints where business_id = ${businessId} and id = ${id} returning id),
    emptied as (
      delete from webhook_queue where business_id = ${businessId} and endpoint_id = ${id} and exists (select from gone)),
    forgotten as (
      delete from webhook_permits where business_id = ${businessId} and endpoint_id = ${id} and exists (select from gone))
    select id from gone`);
  return row !== null;
}

/** The versions of key-encryption keys that are in use: a process without one of them must not start to deliver. */
export async function listKeyVersions(db: Db): Promise<number[]> {
  const rows = await db.rows<{ version: string }>(sql`
    select distinct substr(split_part(s, '.', 1), 2) as version
    from webhook_endpoints, unnest(array[secret, previous_secret]) s where s is not null`);
  return rows.map((row) => Number(row.version));
}
