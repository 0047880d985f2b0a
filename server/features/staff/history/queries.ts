import { listPage, pagedById } from "../../../edge/http/listFilters.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import type { UserAction } from "../staff.ts";
import { type HistoryQuery, LIST_HISTORY } from "./schema.ts";

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

const page = pagedById(LIST_HISTORY.query, sql`id`);

/** Newest first, one more than the limit. Null: the cursor is no entry of this user. */
export const listHistory = (db: Db, userId: string, query: HistoryQuery): Promise<HistoryRow[] | null> =>
  listPage(db, COLUMNS, sql`user_log where user_id = ${userId}`, page(query), query.startingAfter);
