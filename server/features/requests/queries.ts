import type { Tenant } from "../../domain/callers.ts";
import type { Page } from "../../domain/page.ts";
import type { FieldsOf } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { columnNames, fieldRows, selected } from "../../store/table.ts";
import { DETAILED, firstRequestId, LISTED, type LoggedRequest, REQUESTS, timeOfRequest } from "./request.ts";

const inserted = columnNames(REQUESTS.columns);
const logged = fieldRows("r", REQUESTS.columns);

/** Writes requests. What a crash loses of a log was never promised, so the commit does not wait for the disk. */
export const insertRequests = (db: Db, requests: readonly LoggedRequest[]) =>
  db.rows(sql`
    with unsynced as materialized (select set_config('synchronous_commit', 'off', true) as setting)
    insert into request_log (${inserted})
    select ${inserted} from unsynced u, ${logged(requests.map((one) => ({ ...one, arrivedAt: timeOfRequest(one.id)! })))} where u.setting is not null`);

export interface RequestFilter extends Pick<Page, "limit" | "startingAfter"> {
  readonly key: string | null;
  readonly errorCode: string | null;
  /** Only those that were answered with an error. */
  readonly failed: boolean | null;
  readonly object: string | null;
  readonly after: Date | null;
  readonly before: Date | null;
}

/** What an index has before the request's id, and the values asked for. */
interface Key {
  readonly columns: Sql;
  readonly values: Sql;
  readonly descending: Sql;
  readonly predicate: Sql;
}

/**
 * The conditions that leave the least; the others only filter. Of requests that failed there are indexes of their own, so
 * that those of a key or an object are not looked for among all that went well.
 */
function keyOf({ object, errorCode, key, failed }: RequestFilter): Key | null {
  const isFailed = failed === true || errorCode !== null;
  if (object !== null)
    return {
      columns: sql`object_id`,
      values: sql`${object}::text`,
      descending: sql`object_id desc`,
      predicate: isFailed ? sql`object_id is not null and error_code is not null` : sql`object_id is not null`,
    };
  if (key !== null && errorCode !== null)
    return {
      columns: sql`key_id, error_code`,
      values: sql`${key}::text, ${errorCode}::text`,
      descending: sql`key_id desc, error_code desc`,
      predicate: sql`error_code is not null`,
    };
  if (errorCode !== null)
    return {
      columns: sql`error_code`,
      values: sql`${errorCode}::text`,
      descending: sql`error_code desc`,
      predicate: sql`error_code is not null`,
    };
  if (key === null) return null;
  return {
    columns: sql`key_id`,
    values: sql`${key}::text`,
    descending: sql`key_id desc`,
    predicate: isFailed ? sql`error_code is not null` : sql`true`,
  };
}

/** Above every request's id. */
const LAST = "req_~";

/** Newest first, one more than the limit. The columns of the key and the id are compared as one row: see lists of deliveries. */
export function listRequests(db: Db, tenant: Tenant, filter: RequestFilter): Promise<FieldsOf<typeof LISTED>[]> {
  const { startingAfter, before, after, errorCode, failed, limit } = filter;
  const from = after === null ? "" : firstRequestId(new Date(after.getTime() + 1));
  const bound = before === null ? LAST : firstRequestId(before);
  const to = startingAfter !== null && startingAfter < bound ? startingAfter : bound;
  const key = keyOf(filter);
  const range =
    key === null
      ? sql`id >= ${from} and id < ${to} and ${failed === true ? sql`error_code is not null` : sql`true`}`
      : sql`(${key.columns}, id) >= (${key.values}, ${from}) and (${key.columns}, id) < (${key.values}, ${to}) and ${key.predicate}`;
  const order = key === null ? sql`order by id desc` : sql`order by ${key.descending}, id desc`;
  return db.rows(sql`
    select ${selected(LISTED, "request_log")} from request_log
    where business_id = ${tenant.businessId} and environment = ${tenant.environment} and ${range}
      and (${filter.key}::text is null or key_id = ${filter.key})
      and (${errorCode}::text is null or error_code = ${errorCode})
      and (${failed}::boolean is null or (error_code is not null) = ${failed})
    ${order} limit ${limit + 1}::integer`);
}

/** One request with its body and, where it was refused, its answer. Its id says on which day it arrived. */
export async function findRequest(db: Db, tenant: Tenant, id: string): Promise<FieldsOf<typeof DETAILED> | null> {
  const arrivedAt = timeOfRequest(id);
  if (arrivedAt === null) return null;
  return db.row(sql`
    select ${selected(DETAILED, "request_log")} from request_log
    where business_id = ${tenant.businessId} and environment = ${tenant.environment} and id = ${id} and arrived_at = ${arrivedAt}`);
}
