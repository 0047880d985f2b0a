/**
 * The kind of a column's values: a `word` holds no blank and is never empty; `text` is any text; `digits` are a number
 * that does not fit a JavaScript one; a `time` is read as a Date; a `slot` is stored as bigint and read as a number;
 * `json` is the source text of a JSON value, stored as text.
 */
type Kind = "word" | "text" | "json" | "digits" | "time" | "slot" | "number" | "flag" | "other";

/** A value's type in JSON. */
export type Wire<Value> = Value extends Date ? string : Value;

/** The API's description of a member of its objects. A column without it is never shown. */
export interface Shown<Value = unknown> {
  readonly says?: string;
  /** Left out: null, for a column that may be null. */
  readonly example?: NoInfer<Wire<Value>> | null;
  /** The member's name in JSON; left out: the field's name. */
  readonly as?: string;
  /** Further keywords of its JSON schema, such as `minimum`. */
  readonly schema?: object;
  /** Converts the value before it is sent; left out: it is sent unchanged. Never called with null. */
  show?(value: NonNullable<Value>): unknown;
}

/**
 * A column of a table, or a member of an object: its type in SQL, the type of its values in TypeScript, and its
 * description in the API.
 */
export interface Column<Value> {
  readonly kind: Kind;
  readonly type: string;
  readonly nullable: boolean;
  /** Null: the field's name in snake case. */
  readonly name: string | null;
  readonly shown: Shown | null;
  /** The only values allowed; null: any of its type. */
  readonly choices: readonly string[] | null;
  /** Never set: it only carries the type. */
  readonly value?: Value;
}

/** A column with a fixed list of values, `of`. */
type Choice<Value> = Shown<NoInfer<Value>> & { readonly of: readonly Value[] };

const column = <Value>(kind: Kind, type: string, shown?: Shown | Choice<string>): Column<Value> => ({
  kind,
  type,
  nullable: false,
  name: null,
  shown: shown ?? null,
  choices: shown !== undefined && "of" in shown ? shown.of : null,
});

export const word = <Value extends string = string>(shown?: Shown<NoInfer<Value>> | Choice<Value>) =>
  column<Value>("word", "text", shown as Shown);
export const text = (shown?: Shown<string>) => column<string>("text", "text", shown);
export const digits = (type: "numeric" | "bigint", shown?: Shown<string>) => column<string>("digits", type, shown);
export const time = (shown?: Shown<Date>) => column<Date>("time", "timestamptz", shown);
export const slot = (shown?: Shown<number>) => column<number>("slot", "bigint", shown);
export const integer = (shown?: Shown<number>) => column<number>("number", "integer", shown);
export const smallint = (shown?: Shown<number>) => column<number>("number", "smallint", shown);
export const real = (shown?: Shown<number>) => column<number>("number", "real", shown);
export const flag = (shown?: Shown<boolean>) => column<boolean>("flag", "boolean", shown);
/** A value of any other type. If it is shown, `schema` is its whole JSON schema. */
export const other = <Value>(type: string, shown?: Shown<Value>) => column<Value>("other", type, shown as Shown);
/** The source text of a JSON value, which is shown unchanged. `schema` is its whole JSON schema; the example is the value. */
export const json = (shown?: Omit<Shown, "example"> & { readonly example?: object }) =>
  column<string>("json", "text", shown);
export const nullable = <Value>(one: Column<Value>): Column<Value | null> => ({ ...one, nullable: true });
export const named = <Value>(name: string, one: Column<Value>): Column<Value> => ({ ...one, name });

/** A table's columns by the name of the field. The row's type, its reader and the insert follow from this list. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

export type FieldsOf<List extends Columns> = {
  readonly [Field in keyof List]: List[Field] extends Column<infer Value> ? Value : never;
};

/** A member of an object without a column. */
export interface Computed<Value> extends Column<Value> {
  readonly computed: true;
}
export const computed = <Value>(one: Column<Value>): Computed<Value> => ({ ...one, computed: true });

type StoredFields<List extends Columns> = {
  [Field in keyof List]: List[Field] extends Computed<unknown> ? never : Field;
}[keyof List];
export type StoredOf<List extends Columns> = Pick<List, StoredFields<List>>;
export type ComputedOf<List extends Columns> = Omit<List, StoredFields<List>>;

/** The columns among the members of an object. */
export const stored = <const List extends Columns>(members: List): StoredOf<List> =>
  Object.fromEntries(Object.entries(members).filter(([, one]) => !("computed" in one))) as StoredOf<List>;

/** The example of each member. */
export const examplesOf = <const List extends Columns>(members: List) =>
  Object.fromEntries(Object.entries(members).map(([field, { shown }]) => [field, shown?.example ?? null])) as {
    readonly [Field in keyof List]: List[Field] extends Column<infer Value> ? Wire<Value> : never;
  };

/** A table: declared once, by the feature that owns it. */
export interface Table<List extends Columns = Columns> {
  readonly name: string;
  readonly columns: List;
}
export const table = <const List extends Columns>(name: string, columns: List): Table<List> => ({ name, columns });

/** Picks some of the columns, or of the members of a row. */
export const pick = <List extends object, const Field extends keyof List & string>(
  columns: List,
  ...fields: readonly Field[]
): Pick<List, Field> => Object.fromEntries(fields.map((field) => [field, columns[field]])) as Pick<List, Field>;

/** Returns all columns but the ones named. */
export const omit = <List extends Columns, const Field extends keyof List & string>(
  columns: List,
  ...fields: readonly Field[]
): Omit<List, Field> =>
  Object.fromEntries(Object.entries(columns).filter(([field]) => !fields.some((one) => one === field))) as Omit<
    List,
    Field
  >;

/** A row as PostgreSQL returns it, by the names of the columns. */
export type Row = Readonly<Record<string, unknown>>;

export const nameOf = (field: string, { name }: Column<unknown>): string =>
  name ?? field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Makes the reader of a row that has all these columns. */
export function rowReader<const List extends Columns>(columns: List): (row: Row) => FieldsOf<List> {
  const all = Object.entries(columns).map(([field, one]) => ({
    field,
    name: nameOf(field, one),
    isSlot: one.kind === "slot",
  }));
  // Copying an object that already has every field is faster than growing one.
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
