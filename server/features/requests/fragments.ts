import type { Tenant } from "../../domain/callers.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { firstRequestId } from "./request.ts";

/** The time between a request's arrival and its change, before and after, by clocks that may differ. */
const BEFORE_MS = 120_000;
const AFTER_MS = 5_000;
/** The maximum of requests that are read. A client may poll the object. */
const READ_MAX = 50;

/**
 * Query: the requests about an object that changed it and succeeded, around the time of a change. `first` selects
 * those that arrived first, else those that arrived last; the oldest comes first either way.
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
      ${order} limit ${READ_MAX}::integer) r
    where r.method = 'POST' and r.error_code is null order by r.id`;
}
