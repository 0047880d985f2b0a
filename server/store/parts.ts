import type { Column, Columns, FieldsOf, Row } from "../lib/columns.ts";
import { environmentNow } from "./clock.ts";
import { piece, type Sql, sql } from "./sql.ts";
import { jsonReader, jsonRow } from "./table.ts";

/** The keys of a payment or an intent in a statement, by which its surroundings are found; null for those that it lacks. */
export interface Keys {
  readonly environment: Sql;
  readonly businessId: Sql;
  readonly intentId: Sql;
  readonly payment: Sql;
  readonly asset: Sql;
  readonly termsHash: Sql;
}

/**
 * A part of the surroundings: one more column of a row. Each look-up is a subquery by a key, which no planner can turn into
 * a scan, so that a reader costs what its parts cost.
 */
export interface Part<Value> {
  readonly of: (keys: Keys) => Sql;
  readonly read: (value: unknown) => Value;
  /** A row without it is left out. */
  readonly isNeeded: boolean;
}

/** A part that is one value. */
export const part = <Value>(
  of: Part<Value>["of"],
  read: Part<Value>["read"] = (value) => value as Value,
): Part<Value> => ({ of, read, isNeeded: false });

/** A part that the API shows as it is: the column describes it. */
export const fact = <Value>(column: Column<Value>, of: Part<Value>["of"]): Column<Value> & Part<Value> => ({
  ...column,
  ...part<Value>(of),
});

/** A part that is a row of `alias` in a FROM, or null. */
export function rowPart<const List extends Columns>(columns: List, alias: string, from: (keys: Keys) => Sql) {
  const [row, read] = [jsonRow(alias, columns), jsonReader(columns)];
  return part<FieldsOf<List> | null>(
    (keys) => sql`(select ${row} from ${from(keys)})`,
    (json) => (json === null ? null : read(json as Record<string, unknown>)),
  );
}

/** A part that is all rows of `alias` in a FROM, by a column in whose order they are. */
export function rowsPart<const List extends Columns>(
  columns: List,
  alias: string,
  { from, order }: { readonly from: (keys: Keys) => Sql; readonly order: Sql },
) {
  const [row, read] = [jsonRow(alias, columns), jsonReader(columns)];
  return part<readonly FieldsOf<List>[]>(
    (keys) => sql`(select coalesce(json_agg(${row} order by ${order}), '[]') from ${from(keys)})`,
    (json) => (json as Record<string, unknown>[]).map(read),
  );
}

/** The environment's time. */
export const NOW = part<Date>(({ environment }) => environmentNow(environment));

/** The part of rows that cannot be shown without it. */
export const needed = <Value>(one: Part<Value>): Part<NonNullable<Value>> =>
  ({ ...one, isNeeded: true }) as Part<NonNullable<Value>>;

export type Parts = Readonly<Record<string, Part<unknown>>>;
/** A caller sees exactly the parts that it chose. */
export type PartsOf<Chosen extends Parts> = {
  readonly [Name in keyof Chosen]: Chosen[Name] extends Part<infer Value> ? Value : never;
};

/** The keys as a part finds them: a relation of this name cannot hide behind one of the part's own, as `p` could. */
const KEYS: Keys = {
  environment: sql`keys.environment`,
  businessId: sql`keys.business_id`,
  intentId: sql`keys.intent_id`,
  payment: sql`keys.payment`,
  asset: sql`keys.asset`,
  termsHash: sql`keys.terms_hash`,
};

/**
 * Makes the columns of the chosen parts, each with a comma in front and under a name that no table has; the relation of
 * their keys, for the end of the FROM whose row has them; and the reader of a row. Null: a needed part is missing.
 */
export function choose<const Chosen extends Parts>(parts: Chosen, row: Keys) {
  const all = Object.entries(parts).map(([name, { of, read, isNeeded }]) => ({
    name,
    column: `part_${name}`,
    of,
    read,
    isNeeded,
  }));
  return {
    columns: all.reduce((before, { column, of }) => sql`${before}, ${of(KEYS)} as ${piece(`"${column}"`)}`, sql``),
    keys: sql`cross join lateral (
      select ${row.environment} as environment, ${row.businessId} as business_id, ${row.intentId} as intent_id, ${row.payment} as payment,
        ${row.asset} as asset, ${row.termsHash} as terms_hash) keys`,
    read: (row: Row): PartsOf<Chosen> | null => {
      const found: Record<string, unknown> = {};
      for (const { name, column, read, isNeeded } of all) {
        if (isNeeded && row[column] === null) return null;
        found[name] = read(row[column]);
      }
      return found as PartsOf<Chosen>;
    },
  };
}
