import { listPage, pagedById } from "../../edge/http/listFilters.ts";
import type { FieldsOf } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import { AUDIT_ENTRY } from "./audit.ts";
import { type AuditQuery, LIST_AUDIT } from "./schema.ts";

/** An entry of a business's audit log. */
type AuditRow = FieldsOf<typeof AUDIT_ENTRY>;

const page = pagedById(LIST_AUDIT.query, sql`id`);

/** Newest first, up to one row more than the limit. Null if the cursor is no entry of this business. */
export const listAuditEntries = (db: Db, businessId: string, query: AuditQuery): Promise<AuditRow[] | null> =>
  listPage(
    db,
    selected(AUDIT_ENTRY, "audit_log"),
    sql`audit_log where business_id = ${businessId}`,
    page(query),
    query.startingAfter,
  );
