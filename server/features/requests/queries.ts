import type { Tenant } from "../../domain/callers.ts";
import { pagedById } from "../../edge/http/listFilters.ts";
import type { FieldsOf } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { columnNames, fieldRows, selected } from "../../store/table.ts";
import { DETAILED, firstRequestId, LISTED, type LoggedRequest, REQUESTS, timeOfRequest } from "./request.ts";
import { LIST_REQUESTS, type RequestQuery } from "./schema.ts";

const inserted = columnNames(REQUESTS.columns);
const logged = fieldRows("r", REQUESTS.columns);

/** Writes requests. The log may lose some in a crash, so the commit does not wait for the disk. */
export const insertRequests = (db: Db, requests: readonly LoggedRequest[]) =>
  db.rows(sql`
    with unsynced as materialized (select set_config('synchronous_commit', 'off', true) as setting)
    insert into request_log (${inserted})
    select ${inserted} from unsynced u, ${logged(requests.map((one) => ({ ...one, arrivedAt: timeOfRequest(one.id)! })))} where u.setting is not null`);

const FAILED = sql`error_code is not null`;
const isFailed = ({ failed, errorCode }: RequestQuery): boolean => failed === true || errorCode !== null;

/** Failed requests have their own indexes, so that those of a key or an object are found without reading all. */
const page = pagedById(LIST_REQUESTS.query, sql`id`, [
  { by: ["about"], predicate: sql`object_id is not null and error_code is not null`, when: isFailed },
  { by: ["about"], predicate: sql`object_id is not null` },
  { by: ["key", "error_code"], predicate: FAILED },
  { by: ["error_code"], predicate: FAILED },
  { by: ["key"], predicate: FAILED, when: isFailed },
  { by: ["key"] },
  { by: [], predicate: FAILED, when: isFailed },
]);

/** Newest first, up to one row more than the limit. */
export const listRequests = (db: Db, tenant: Tenant, query: RequestQuery): Promise<FieldsOf<typeof LISTED>[]> =>
  db.rows(sql`
    select ${selected(LISTED, "request_log")} from request_log
    where business_id = ${tenant.businessId} and environment = ${tenant.environment} and ${page(query, firstRequestId)}`);

/** One request with its body and, if it was refused, the answer. Its id contains the day of its arrival. */
export async function findRequest(db: Db, tenant: Tenant, id: string): Promise<FieldsOf<typeof DETAILED> | null> {
  const arrivedAt = timeOfRequest(id);
  if (arrivedAt === null) return null;
  return db.row(sql`
    select ${selected(DETAILED, "request_log")} from request_log
    where business_id = ${tenant.businessId} and environment = ${tenant.environment} and id = ${id} and arrived_at = ${arrivedAt}`);
}
