import type { Environment } from "../../domain/terms.ts";
import { conditionsOf } from "../../edge/http/listFilters.ts";
import type { Db } from "../../store/database.ts";
import { listById } from "../../store/keyset.ts";
import { sql } from "../../store/sql.ts";
import { type AuditQuery, LIST_AUDIT } from "./schema.ts";

/** An entry of a business's audit log. */
export interface AuditRow {
  readonly id: string;
  readonly environment: Environment | null;
  readonly action: string;
  readonly target: string | null;
  /** JSON, as text. */
  readonly details: string;
  /** The id of a user, `cli` or `service`. */
  readonly actor: string;
  readonly actorName: string;
  readonly address: string | null;
  readonly recordedAt: Date;
}

const COLUMNS = sql`
  id, environment, action, target, details, actor, actor_name as "actorName", address, recorded_at as "recordedAt"`;

const conditions = conditionsOf(LIST_AUDIT.query);

/** Newest first, one more than the limit. Null: the cursor is no entry of this business. */
export const listAuditEntries = (db: Db, businessId: string, query: AuditQuery): Promise<AuditRow[] | null> => {
  const scope = sql`business_id = ${businessId}`;
  return listById<AuditRow>(db, { columns: COLUMNS, table: sql`audit_log`, scope, matching: conditions(query) }, query);
};
