import type { Tenant } from "../../domain/callers.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { firstRequestId } from "./request.ts";

/** How long before and after a change its request may have arrived, by clocks that need not agree. */
const BEFORE_MS = 120_000;
const AFTER_MS = 5_000;
/** Of an object that somebody polls, these many are looked at. */
const LOOKED_AT_MAX = 50;

/**
 * Query: the requests about an object that changed something and were answered without an error, around the moment of a
 * change. `first`: those that arrived first, else those that arrived last; the oldest of them comes first either way.
 */
export function requestsAround({ businessId, environment }: Tenant, objectId: string, at: Date, first: boolean): Sql {
  const from = new Date(at.getTime() - BEFORE_MS);
  const to = new Date(at.getTime() + AFTER_MS);
  const order = first ? sql`order by object_id, id` : sql`order by object_id desc, id desc`;
  return sql`
    select r.id, r.path from (
      select id, method, path, error_code from request_log
      where business_id = ${businessId} and environment = ${environment} and object_id is not null
        and (object_id, id) >= (${objectId}, ${firstRequestId(from)}) and (object_id, id) < (${objectId}, ${firstRequestId(to)})
        and arrived_at >= ${from} and arrived_at < ${to}
      ${order} limit ${LOOKED_AT_MAX}::integer) r
    where r.method = 'POST' and r.error_code is null order by r.id`;
}
