import type { Actor } from "../../domain/callers.ts";
import { newAuditId } from "../../domain/ids.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { type AuditEntry, actorColumns } from "./audit.ts";

/** Adds to the audit log of a business (§13.6): a statement of the transaction that does it. */
export function recordAudit(actor: Actor, entry: AuditEntry): Sql {
  const by = actorColumns(actor);
  const { businessId, environment, action, target, details = {} } = entry;
  return sql`
    insert into audit_log (business_id, id, environment, action, target, details, actor, actor_name, address, recorded_at)
    values (${businessId}, ${newAuditId(new Date())}, ${environment}, ${action}, ${target}, ${JSON.stringify(details)},
      ${by.actor}, ${by.name}, ${by.address}, now())`;
}
