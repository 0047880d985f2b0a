import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import type { UserAction } from "../staff.ts";

/** An entry of what happened to a user's account. */
export interface HistoryRow {
  readonly id: string;
  readonly action: UserAction;
  /** JSON, as text. */
  readonly details: string;
  readonly actor: string;
  readonly actorName: string;
  readonly address: string | null;
  readonly recordedAt: Date;
}

/** Newest first, one more than the limit. Null: the cursor is no entry of this user. */
export async function listHistory(
  db: Db,
  userId: string,
  { limit, startingAfter }: { readonly limit: number; readonly startingAfter: string | null },
): Promise<HistoryRow[] | null> {
  if (startingAfter !== null) {
    const cursor = await db.row(sql`select id from user_log where user_id = ${userId} and id = ${startingAfter}`);
    if (cursor === null) return null;
  }
  return db.rows<HistoryRow>(sql`
    select id, action, details, actor, actor_name as "actorName", address, recorded_at as "recordedAt"
    from user_log
    where user_id = ${userId} and (${startingAfter}::text is null or id < ${startingAfter}::text)
    order by id desc limit ${limit + 1}::integer`);
}
