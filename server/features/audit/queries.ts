import type { Environment } from "../../domain/terms.ts";
import { listPage, pagedById } from "../../edge/http/listFilters.ts";
import type { Db } from "../../store/database.ts";
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

const page = pagedById(LIST_AUDIT.query, sql`id`);

/** Newest first, one more than the limit. Null: the cursor is no entry of this business. */
export const listAuditEntries = (db: Db, businessId: string, query: AuditQuery): Promise<AuditRow[] | null> =>
  listPage(db, COLUMNS, sql`audit_log where business_id = ${businessId}`, page(query), query.startingAfter);
