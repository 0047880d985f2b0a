import { listPage, pagedById } from "../../../edge/http/listFilters.ts";
import type { FieldsOf } from "../../../lib/columns.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { selected } from "../../../store/table.ts";
import { HISTORY_ENTRY } from "../user.ts";
import { type HistoryQuery, LIST_HISTORY } from "./schema.ts";

/** An entry of the history of a user's account. */
type HistoryRow = FieldsOf<typeof HISTORY_ENTRY>;

const page = pagedById(LIST_HISTORY.query, sql`id`);

/** Newest first, up to one row more than the limit. Null if the cursor is no entry of this user. */
export const listHistory = (db: Db, userId: string, query: HistoryQuery): Promise<HistoryRow[] | null> =>
  listPage(
    db,
    selected(HISTORY_ENTRY, "user_log"),
    sql`user_log where user_id = ${userId}`,
    page(query),
    query.startingAfter,
  );
