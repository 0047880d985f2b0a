import type { Tenant } from "../../domain/callers.ts";
import type { Page } from "../../domain/page.ts";
import type { Db } from "../../store/database.ts";
import { relation, type Sql, sql } from "../../store/sql.ts";
import { firstRequestId, type LoggedRequest, timeOfRequest } from "./request.ts";

const logged = relation("r", {
  business_id: "text",
  environment: "text",
  id: "text",
  key_id: "text",
  method: "text",
  path: "text",
  status: "smallint",
  error_code: "text",
  duration_ms: "real",
  object_id: "text",
  body: "text",
  answer: "text",
  arrived_at: "timestamptz",
});

/** Writes requests. What a crash loses of a log was never promised, so the commit does not wait for the disk. */
export const insertRequests = (db: Db, requests: readonly LoggedRequest[]) =>
  db.rows(sql`
    with unsynced as materialized (select set_config('synchronous_commit', 'off', true) as setting)
    insert into request_log (business_id, environment, id, key_id, method, path, status, error_code, duration_ms, object_id, body, answer, arrived_at)
    select r.business_id, r.environment, r.id, r.key_id, r.method, r.path, r.status, r.error_code, r.duration_ms, r.object_id, r.body, r.answer, r.arrived_at
    from unsynced u, ${logged(requests.map(rowOf))} where u.setting is not null`);

const rowOf = ({ businessId, environment, id, keyId, ...one }: LoggedRequest) => ({
  business_id: businessId,
  environment,
  id,
  key_id: keyId,
  method: one.method,
  path: one.path,
  status: one.status,
  error_code: one.errorCode,
  duration_ms: one.durationMs,
  object_id: one.objectId,
  body: one.body,
  answer: one.answer,
  arrived_at: timeOfRequest(id),
});

export interface RequestRow extends Omit<LoggedRequest, keyof Tenant | "body" | "answer"> {
  readonly arrivedAt: Date;
}

export interface RequestFilter extends Pick<Page, "limit" | "startingAfter"> {
  readonly key: string | null;
  readonly errorCode: string | null;
  /** Only those that were answered with an error. */
  readonly failed: boolean | null;
  readonly object: string | null;
  readonly after: Date | null;
  readonly before: Date | null;
}

const COLUMNS = sql`id, key_id as "keyId", method, path, status, error_code as "errorCode", duration_ms as "durationMs",
  object_id as "objectId", arrived_at as "arrivedAt"`;

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
export function listRequests(db: Db, tenant: Tenant, filter: RequestFilter): Promise<RequestRow[]> {
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
  return db.rows<RequestRow>(sql`
    select ${COLUMNS} from request_log
    where business_id = ${tenant.businessId} and environment = ${tenant.environment} and ${range}
      and (${filter.key}::text is null or key_id = ${filter.key})
      and (${errorCode}::text is null or error_code = ${errorCode})
      and (${failed}::boolean is null or (error_code is not null) = ${failed})
    ${order} limit ${limit + 1}::integer`);
}

/** One request with its body and, where it was refused, what it was answered. Its id says on which day it arrived. */
export async function findRequest(
  db: Db,
  tenant: Tenant,
  id: string,
): Promise<(RequestRow & Pick<LoggedRequest, "body" | "answer">) | null> {
  const arrivedAt = timeOfRequest(id);
  if (arrivedAt === null) return null;
  return db.row(sql`
    select ${COLUMNS}, body, answer from request_log
    where business_id = ${tenant.businessId} and environment = ${tenant.environment} and id = ${id} and arrived_at = ${arrivedAt}`);
}
