import { type Sql, sql } from "./sql.ts";

/** A list's filter in SQL: the condition of its rows for a value; a null value leaves out none. */
export interface Filter<Value> {
  condition(value: Value): Sql;
  /** The column that equals the value, so that an index may begin with it. */
  readonly column?: { readonly name: Sql; readonly type: Sql };
  /** The time in the ids is the bound; the condition stands with their range. */
  readonly idBound?: "after" | "before";
}

export const equals = (name: Sql, type = sql`text`): Filter<string | number | null> => ({
  column: { name, type },
  condition: (value) => sql`(${value}::${type} is null or ${name} = ${value}::${type})`,
});

/** True: the column has a value. */
export const isPresent = (name: Sql): Filter<boolean | null> => ({
  condition: (value) => sql`(${value}::boolean is null or (${name} is not null) = ${value}::boolean)`,
});

export const isAfter = (time: Sql): Filter<Date | null> => ({
  condition: (value) => sql`(${value}::timestamptz is null or ${time} > ${value}::timestamptz)`,
});

export const isBefore = (time: Sql): Filter<Date | null> => ({
  condition: (value) => sql`(${value}::timestamptz is null or ${time} < ${value}::timestamptz)`,
});

/** Of ids that begin with the time: see `idsBetween`. */
const bound = (idBound: "after" | "before"): Filter<Date | null> => ({ condition: () => sql`true`, idBound });
export const IDS_AFTER = bound("after");
export const IDS_BEFORE = bound("before");
