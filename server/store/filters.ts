import { piece, type Sql, sql } from "./sql.ts";

/** A list's filter in SQL. */
export interface Filter<Value> {
  /** The condition on a row; true if the value is null. */
  condition(value: Value): Sql;
  /** The column that equals the value: an index may begin with it. */
  readonly column?: { readonly name: Sql; readonly type: Sql };
}

export function equals(column: string, ofType = "text"): Filter<string | number | null> {
  const [name, type] = [piece(column), piece(ofType)];
  const condition = (value: string | number | null) => sql`(${value}::${type} is null or ${name} = ${value}::${type})`;
  return { column: { name, type }, condition };
}

/** Filters rows by a column that has a value, or has none. */
export function isPresent(column: string): Filter<boolean | null> {
  const name = piece(column);
  return { condition: (value) => sql`(${value}::boolean is null or (${name} is not null) = ${value}::boolean)` };
}

/** Filters texts by their beginning. */
export function beginsWith(column: string): Filter<string | null> {
  const name = piece(column);
  return { condition: (value) => sql`(${value}::text is null or starts_with(${name}, ${value}::text))` };
}

/** Filters texts by any part of them, in whatever case. No index helps: the list says how many rows it reads. */
export function contains(column: string): Filter<string | null> {
  const name = piece(column);
  return { condition: (value) => sql`(${value}::text is null or strpos(lower(${name}), lower(${value}::text)) > 0)` };
}

export function isAfter(column: string): Filter<Date | null> {
  const name = piece(column);
  return { condition: (value) => sql`(${value}::timestamptz is null or ${name} > ${value}::timestamptz)` };
}

export function isBefore(column: string): Filter<Date | null> {
  const name = piece(column);
  return { condition: (value) => sql`(${value}::timestamptz is null or ${name} < ${value}::timestamptz)` };
}

/** Filters by ids that begin with a time: their range replaces the condition. */
export const IDS_AFTER: Filter<Date | null> = { condition: () => sql`true` };
export const IDS_BEFORE: Filter<Date | null> = { condition: () => sql`true` };
