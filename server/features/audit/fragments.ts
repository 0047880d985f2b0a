import type { Actor } from "../../domain/callers.ts";
import { newAuditId } from "../../domain/ids.ts";
import { omit } from "../../lib/columns.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { columnNames, columnValues } from "../../store/table.ts";
import { AUDIT_LOG, type AuditEntry, actorColumns } from "./audit.ts";

const INSERTED = omit(AUDIT_LOG.columns, "recordedAt");
const names = columnNames(INSERTED);
const values = columnValues(INSERTED);

/** Adds to the audit log of a business (§13.6). Runs in the transaction that makes the change. */
export function recordAudit(actor: Actor, { details = {}, ...entry }: AuditEntry): Sql {
  const fields = { ...entry, id: newAuditId(new Date()), details: JSON.stringify(details), ...actorColumns(actor) };
  return sql`insert into audit_log (${names}, recorded_at) values (${values(fields)}, now())`;
}

/** Users who lost ownership of a business within the last week. */
export const formerOwners = (businessId: string): Sql => sql`
      select target from audit_log
      where business_id = ${businessId} and recorded_at > now() - interval '7 days'
        and action in ('member.removed', 'member.role_changed')
        and coalesce(details::json ->> 'from', details::json ->> 'role') = 'owner'`;
