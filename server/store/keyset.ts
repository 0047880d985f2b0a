import type { Db } from "./database.ts";
import { type Sql, sql } from "./sql.ts";

/** An index that ends in the id of a list: its columns before the id, with the values asked for, and the rows it holds. */
export interface Key {
  readonly columns: readonly { readonly column: Sql; readonly value: Sql }[];
  readonly predicate: Sql;
}

/** The index of the ids alone. */
export const ALL_ROWS: Key = { columns: [], predicate: sql`true` };

/** Ids in text order, without `before`. */
export interface IdRange {
  readonly from: string;
  readonly before: string;
}

/** Above every id. */
const ID_MAX = "~";

/** The ids of a page that follows `startingAfter`, newest first, within bounds; null: there is no such bound. */
export function idRange(startingAfter: string | null, from: string | null, before: string | null): IdRange {
  const bound = before ?? ID_MAX;
  return { from: from ?? "", before: startingAfter !== null && startingAfter < bound ? startingAfter : bound };
}

/**
 * The condition and the order, newest first, of the rows of a key. Only the key changes the text: statements are prepared
 * and kept, so their texts must be few. The key's columns and the id are compared as one row, which only the index of both
 * can do: by two conditions the planner may walk all rows in their order instead.
 */
export function keyset(id: Sql, { columns, predicate }: Key, { from, before }: IdRange): { range: Sql; order: Sql } {
  let [names, values, order] = [sql``, sql``, sql``];
  for (const { column, value } of columns) {
    names = sql`${names}${column}, `;
    values = sql`${values}${value}, `;
    order = sql`${order}${column} desc, `;
  }
  return {
    range: sql`(${names}${id}) >= (${values}${from}) and (${names}${id}) < (${values}${before}) and ${predicate}`,
    order: sql`order by ${order}${id} desc`,
  };
}

interface IdList {
  readonly columns: Sql;
  readonly table: Sql;
  /** The rows of the list, which a cursor must be one of. */
  readonly scope: Sql;
  /** The rows of the page. */
  readonly matching?: Sql;
}

/** Rows by their ids, newest first, one more than the limit. Null: the cursor is no row of the list. */
export async function listById<Row>(
  db: Db,
  { columns, table, scope, matching = sql`true` }: IdList,
  { limit, startingAfter }: { readonly limit: number; readonly startingAfter: string | null },
): Promise<Row[] | null> {
  if (startingAfter !== null) {
    const cursor = await db.row(sql`select id from ${table} where ${scope} and id = ${startingAfter}`);
    if (cursor === null) return null;
  }
  const { range, order } = keyset(sql`id`, ALL_ROWS, idRange(startingAfter, null, null));
  return db.rows<Row>(sql`
    select ${columns} from ${table} where ${scope} and ${range} and ${matching} ${order} limit ${limit + 1}::integer`);
}
