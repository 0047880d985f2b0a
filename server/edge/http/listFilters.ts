import type { Filter } from "../../store/filters.ts";
import { ALL_ROWS, idRange, type Key, keyset } from "../../store/keyset.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { camelCase, type QueryParameters, type QueryValues } from "./parameters.ts";

/** The conditions of a list's declared filters, for the values of a query. A parameter without one is the statement's own. */
export function conditionsOf<const Parameters extends QueryParameters>(parameters: Parameters) {
  const all = filtersOf(parameters);
  return (values: Partial<QueryValues<Parameters>>): Sql =>
    all.reduce((before, { filter, valueIn }) => sql`${before} and ${filter.condition(valueIn(values))}`, sql`true`);
}

/** An index of a list: filters that must all be given, for the columns before the id, and the rows that it holds. */
interface Index<Parameters extends QueryParameters> {
  readonly by: readonly (keyof Parameters & string)[];
  readonly predicate?: Sql;
  /** False: the query asks for rows that the index does not hold. */
  readonly when?: (values: QueryValues<Parameters>) => boolean;
}

interface PagedValues {
  readonly startingAfter: string | null;
  readonly limit: number;
}

/**
 * The conditions, order and limit of a page of rows whose ids begin with their times, newest first and one more than the
 * limit. The first index that fits leaves the fewest rows, and so finds them; the other conditions only filter.
 */
export function pagedById<const Parameters extends QueryParameters>(
  parameters: Parameters,
  id: Sql,
  indexes: readonly Index<Parameters>[],
) {
  const conditions = conditionsOf(parameters);
  const all = filtersOf(parameters);
  const keys = indexes.map(({ by, predicate = sql`true`, when = () => true }) => ({
    predicate,
    when,
    columns: by.map((name) => {
      const { filter, valueIn } = all.find((one) => one.name === name)!;
      return { column: filter.column!.name, type: filter.column!.type, valueIn };
    }),
  }));
  const keyOf = (values: QueryValues<Parameters>): Key => {
    const found = keys.find((key) => key.columns.every(({ valueIn }) => valueIn(values) !== null) && key.when(values));
    if (found === undefined) return ALL_ROWS;
    const { columns, predicate } = found;
    return {
      columns: columns.map(({ column, type, valueIn }) => ({ column, value: sql`${valueIn(values)}::${type}` })),
      predicate,
    };
  };
  const boundOf = (bound: Filter<unknown>["idBound"], values: QueryValues<Parameters>): Date | null =>
    (all.find(({ filter }) => filter.idBound === bound)?.valueIn(values) ?? null) as Date | null;

  return (values: QueryValues<Parameters> & PagedValues, firstId: (at: Date) => string, key = keyOf(values)): Sql => {
    const [after, before] = [boundOf("after", values), boundOf("before", values)];
    // Both bounds leave out the moment itself, so the lower one is the next.
    const from = after === null ? null : firstId(new Date(after.getTime() + 1));
    const ids = idRange(values.startingAfter, from, before === null ? null : firstId(before));
    const { range, order } = keyset(id, key, ids);
    return sql`${range} and ${conditions(values)} ${order} limit ${values.limit + 1}::integer`;
  };
}

const filtersOf = (parameters: QueryParameters) =>
  Object.entries(parameters).flatMap(([name, { filter }]) => {
    const property = camelCase(name);
    const valueIn = (values: object): unknown => (values as Record<string, unknown>)[property] ?? null;
    return filter === undefined ? [] : [{ name, filter, valueIn }];
  });
