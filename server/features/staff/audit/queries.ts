import type { Page } from "../../../domain/page.ts";
import type { Environment } from "../../../domain/terms.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";

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

/** Newest first, one more than the limit. Null: the cursor is no entry of this business. */
export async function listAuditEntries(
  db: Db,
  businessId: string,
  { limit, startingAfter }: Pick<Page, "limit" | "startingAfter">,
): Promise<AuditRow[] | null> {
  if (startingAfter !== null) {
    const cursor = await db.row(
      sql`select id from audit_log where business_id = ${businessId} and id = ${startingAfter}`,
    );
    if (cursor === null) return null;
  }
  return db.rows<AuditRow>(sql`
    select id, environment, action, target, details, actor, actor_name as "actorName", address, recorded_at as "recordedAt"
    from audit_log
    where business_id = ${businessId} and (${startingAfter}::text is null or id < ${startingAfter}::text)
    order by id desc limit ${limit + 1}::integer`);
}
