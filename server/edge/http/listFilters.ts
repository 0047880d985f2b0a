import type { Db } from "../../store/database.ts";
import { type Filter, IDS_AFTER, IDS_BEFORE } from "../../store/filters.ts";
import { type Key, keyset } from "../../store/keyset.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { camelCase, type QueryParameters, type QueryValues } from "./parameters.ts";

const valueIn = (values: object, name: string): unknown => (values as Record<string, unknown>)[camelCase(name)] ?? null;

/**
 * Returns the conditions of a list's declared filters, for the values of a query. The statement itself handles parameters
 * without one.
 */
export const conditionsOf =
  <const Parameters extends QueryParameters>(parameters: Parameters) =>
  (values: Partial<QueryValues<Parameters>>): Sql =>
    Object.entries(parameters).reduce(
      (all, [name, { filter }]) => (filter ? sql`${all} and ${filter.condition(valueIn(values, name))}` : all),
      sql`true`,
    );

/** An index of a list: the filters that must be set for its columns before the id, and the rows that it holds. */
interface Index<Parameters extends QueryParameters> {
  readonly by: readonly (keyof Parameters & string)[];
  readonly predicate?: Sql;
  /** Returns false if the query asks for rows outside the index. */
  readonly when?: (values: QueryValues<Parameters>) => boolean;
}

/** Above every id. */
const ID_MAX = "~";

/**
 * Returns the conditions, order and limit of a page, newest first and one row more than the limit. The first index that
 * fits the query selects the fewest rows; the other conditions only filter them. `firstId` is the lowest id of a time, for
 * the bounds of ids.
 */
export function pagedById<const Parameters extends QueryParameters>(
  parameters: Parameters,
  id: Sql,
  indexes: readonly Index<Parameters>[] = [],
) {
  type Values = QueryValues<Parameters> & { readonly startingAfter: string | null; readonly limit: number };
  const conditions = conditionsOf(parameters);
  const keyOf = (values: Values): Key => {
    const found = indexes.find(
      ({ by, when }) => by.every((name) => valueIn(values, name) !== null) && when?.(values) !== false,
    );
    const columns = (found?.by ?? []).map((name) => {
      const { name: column, type } = parameters[name]!.filter!.column!;
      return { column, value: sql`${valueIn(values, name)}::${type}` };
    });
    return { columns, predicate: found?.predicate ?? sql`true` };
  };
  const boundOf = (values: Values, bound: Filter<never>): Date | null => {
    const name = Object.keys(parameters).find((name) => parameters[name]!.filter === bound);
    return name === undefined ? null : (valueIn(values, name) as Date | null);
  };

  return (values: Values, firstId: (at: Date) => string = () => "", key = keyOf(values)): Sql => {
    const [after, before] = [boundOf(values, IDS_AFTER), boundOf(values, IDS_BEFORE)];
    // Both bounds exclude their own moment, so the lower one is the next millisecond.
    const from = after === null ? "" : firstId(new Date(after.getTime() + 1));
    const bounds = [before === null ? ID_MAX : firstId(before), values.startingAfter ?? ID_MAX];
    const { range, order } = keyset(id, key, from, bounds.sort()[0]!);
    return sql`${range} and ${conditions(values)} ${order} limit ${values.limit + 1}::integer`;
  };
}

/** Reads a page of `rows`, a text such as "audit_log where …". Null: the cursor is not the id of one of them. */
export async function listPage<Row>(
  db: Db,
  columns: Sql,
  rows: Sql,
  page: Sql,
  cursor: string | null,
): Promise<Row[] | null> {
  if (cursor !== null && !(await db.has(sql`select id from ${rows} and id = ${cursor}`))) return null;
  return db.rows<Row>(sql`select ${columns} from ${rows} and ${page}`);
}
