import type { Tenant } from "../../../../domain/callers.ts";
import type { Db } from "../../../../store/database.ts";
import { sql } from "../../../../store/sql.ts";
import type { Endpoint } from "../../webhook.ts";

/** The counts of an endpoint in one hour: see the table. */
export interface HourRow {
  readonly hour: Date;
  readonly attempts: number;
  readonly succeeded: number;
  readonly took_ms: string;
  readonly took_ms_max: number;
  readonly first_attempts: number;
  readonly waited_ms: string;
}

/** An endpoint's hours since then, oldest first. */
export const listHours = (db: Db, { businessId, id }: Endpoint, since: Date, limit: number) =>
  db.rows<HourRow>(sql`
    select hour, attempts, succeeded, took_ms, took_ms_max, first_attempts, waited_ms from webhook_hours
    where business_id = ${businessId} and endpoint_id = ${id} and hour >= ${since} and attempts > 0
    order by hour limit ${limit}::integer`);

/** The hours of all endpoints of an environment since then, summed, oldest first. */
export const listTenantHours = (db: Db, { businessId, environment }: Tenant, since: Date, limit: number) =>
  db.rows<HourRow>(sql`
    select h.hour, sum(h.attempts)::integer as attempts, sum(h.succeeded)::integer as succeeded,
      sum(h.took_ms)::bigint as took_ms, max(h.took_ms_max) as took_ms_max,
      sum(h.first_attempts)::integer as first_attempts, sum(h.waited_ms)::bigint as waited_ms
    from webhook_endpoints e cross join lateral (
      -- Searched by the key of each endpoint: an index on hours alone would read those of all businesses.
      select w.* from webhook_hours w
      where w.business_id = e.business_id and w.endpoint_id = e.id and w.hour >= ${since} and w.attempts > 0
      offset 0) h
    where e.business_id = ${businessId} and e.environment = ${environment}
    group by h.hour order by h.hour limit ${limit}::integer`);
