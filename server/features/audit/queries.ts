import type { Environment } from "../../domain/terms.ts";
import type { Db } from "../../store/database.ts";
import { listById } from "../../store/keyset.ts";
import { sql } from "../../store/sql.ts";
import type { AuditAction } from "./audit.ts";

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

/** Null: the value says nothing. */
export interface AuditQuery {
  readonly limit: number;
  readonly startingAfter: string | null;
  readonly action: AuditAction | null;
  /** The id of a user, `cli` or `service`, or the address or account as the entries name it. */
  readonly actor: string | null;
  readonly target: string | null;
  readonly recordedAfter: Date | null;
  readonly recordedBefore: Date | null;
}

export const ALL_ENTRIES = {
  action: null,
  actor: null,
  target: null,
  recordedAfter: null,
  recordedBefore: null,
} as const;

const COLUMNS = sql`
  id, environment, action, target, details, actor, actor_name as "actorName", address, recorded_at as "recordedAt"`;

/** Newest first, one more than the limit. Null: the cursor is no entry of this business. */
export function listAuditEntries(db: Db, businessId: string, query: AuditQuery): Promise<AuditRow[] | null> {
  const { action, actor, target, recordedAfter, recordedBefore } = query;
  const matching = sql`
    (${action}::text is null or action = ${action}::text)
    and (${actor}::text is null or actor = ${actor}::text or lower(actor_name) = lower(${actor}::text))
    and (${target}::text is null or target = ${target}::text)
    and (${recordedAfter}::timestamptz is null or date_trunc('milliseconds', recorded_at) > ${recordedAfter}::timestamptz)
    and (${recordedBefore}::timestamptz is null or date_trunc('milliseconds', recorded_at) < ${recordedBefore}::timestamptz)`;
  const scope = sql`business_id = ${businessId}`;
  return listById<AuditRow>(db, { columns: COLUMNS, table: sql`audit_log`, scope, matching }, query);
}
