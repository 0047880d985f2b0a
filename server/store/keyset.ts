import { type Sql, sql } from "./sql.ts";

/** An index of a list that ends in its id: the columns before the id, with the filter's values, and the rows it holds. */
export interface Key {
  readonly columns: readonly { readonly column: Sql; readonly value: Sql }[];
  readonly predicate: Sql;
}

/** The index of the ids alone. */
export const ALL_ROWS: Key = { columns: [], predicate: sql`true` };

/**
 * The condition of a key's rows with ids from `from` to below `before`, and their order, newest first. Only the key
 * changes the text: statements are prepared and never evicted, so their texts must be few. The key's columns and the id
 * are compared as one row, for which only the index of both serves: with two conditions the planner may scan all rows in
 * their order instead.
 */
export function keyset(id: Sql, { columns, predicate }: Key, from: string, before: string): { range: Sql; order: Sql } {
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
