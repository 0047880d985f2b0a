/**
 * How a column's values travel: a `word` holds no blank and is never empty; `text` is any text; `digits` are a number that
 * does not fit a JavaScript one; a `time` is read as a Date; a `slot` is stored as bigint and read as a number.
 */
type Kind = "word" | "text" | "digits" | "time" | "slot" | "plain";

/** A column of a table: its type in SQL, and the type of its values here. */
export interface Column<Value> {
  readonly kind: Kind;
  readonly type: string;
  readonly nullable: boolean;
  /** Null: the field's name in snake case. */
  readonly name: string | null;
  /** Never there: it only carries the type. */
  readonly value?: Value;
}

const column = <Value>(kind: Kind, type: string): Column<Value> => ({ kind, type, nullable: false, name: null });

export const word = <Value extends string = string>() => column<Value>("word", "text");
export const text = () => column<string>("text", "text");
export const digits = (type: "numeric" | "bigint") => column<string>("digits", type);
export const time = () => column<Date>("time", "timestamptz");
export const slot = () => column<number>("slot", "bigint");
export const integer = () => column<number>("plain", "integer");
export const flag = () => column<boolean>("plain", "boolean");
export const nullable = <Value>(one: Column<Value>): Column<Value | null> => ({ ...one, nullable: true });
export const named = <Value>(name: string, one: Column<Value>): Column<Value> => ({ ...one, name });

/** A table's columns by the name of the field. This one list gives the type, the row and its reader, and the insert. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

export type FieldsOf<List extends Columns> = {
  readonly [Field in keyof List]: List[Field] extends Column<infer Value> ? Value : never;
};

/** A row as PostgreSQL returns it, by the names of the columns. */
export type Row = Readonly<Record<string, unknown>>;

export const nameOf = (field: string, { name }: Column<unknown>): string =>
  name ?? field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The reader of a row that has all these columns. */
export function rowReader<const List extends Columns>(columns: List): (row: Row) => FieldsOf<List> {
  const all = Object.entries(columns).map(([field, one]) => ({
    field,
    name: nameOf(field, one),
    isSlot: one.kind === "slot",
  }));
  // A copy of an object that has every field already is filled faster than an object that grows.
  const blank = Object.fromEntries(all.map(({ field }) => [field, null as unknown]));
  return (row) => {
    const fields = { ...blank };
    for (const { field, name, isSlot } of all) {
      const value = row[name];
      fields[field] = isSlot && value !== null ? Number(value) : value;
    }
    return fields as FieldsOf<List>;
  };
}
