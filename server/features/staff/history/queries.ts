import type { Db } from "../../../store/database.ts";
import { listById } from "../../../store/keyset.ts";
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

const COLUMNS = sql`id, action, details, actor, actor_name as "actorName", address, recorded_at as "recordedAt"`;

/** Newest first, one more than the limit. Null: the cursor is no entry of this user. */
export const listHistory = (
  db: Db,
  userId: string,
  page: { readonly limit: number; readonly startingAfter: string | null },
): Promise<HistoryRow[] | null> =>
  listById<HistoryRow>(db, { columns: COLUMNS, table: sql`user_log`, scope: sql`user_id = ${userId}` }, page);
