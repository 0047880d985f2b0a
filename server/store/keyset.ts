import { type Sql, sql } from "./sql.ts";

/** An index that ends in the id of a list: its columns before the id, with the values asked for, and the rows it holds. */
export interface Key {
  readonly columns: readonly { readonly column: Sql; readonly value: Sql }[];
  readonly predicate: Sql;
}

/** The index of the ids alone. */
export const ALL_ROWS: Key = { columns: [], predicate: sql`true` };

/**
 * The condition of a key's rows with ids from `from` to below `before`, and their order, newest first. Only the key changes
 * the text: statements are prepared and kept, so their texts must be few. The key's columns and the id are compared as one
 * row, which only the index of both can do: by two conditions the planner may walk all rows in their order instead.
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
