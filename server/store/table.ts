import { type Column, type Columns, type FieldsOf, nameOf, type Row, type Table } from "../lib/columns.ts";
import { epochMs } from "./clock.ts";
import { piece, relation, type Sql, sql } from "./sql.ts";

const namesOf = (columns: Columns): string[] => Object.entries(columns).map(([field, one]) => nameOf(field, one));

/** The names of the columns, for an insert and its select; with an alias, as columns of that relation. */
export const columnNames = (columns: Columns, alias?: string): Sql =>
  piece(
    namesOf(columns)
      .map((name) => (alias === undefined ? name : `${alias}.${name}`))
      .join(", "),
  );

/** The types of the columns by name, for a {@link relation} of rows made by {@link rowMaker}. */
export const columnTypes = (columns: Columns): Record<string, string> =>
  Object.fromEntries(Object.entries(columns).map(([field, one]) => [nameOf(field, one), one.type]));

/**
 * Selects the columns of `alias` under the names of their fields: a row of a statement with `select ${selected(…)}` or
 * `returning ${selected(…)}` is a {@link FieldsOf} without conversion.
 */
export const selected = (columns: Columns, alias: string): Sql =>
  piece(
    Object.entries(columns)
      .map(([field, one]) => {
        const value = `${alias}.${nameOf(field, one)}`;
        return `${one.kind === "slot" ? `${value}::float8` : value} as "${field}"`;
      })
      .join(", "),
  );

/** Declares rows of these columns as the relation `alias` of a FROM; its columns have the table's names. */
export function fieldRows<const List extends Columns>(alias: string, columns: List) {
  const [make, rows] = [rowMaker(columns), relation(alias, columnTypes(columns))];
  return (fields: readonly FieldsOf<List>[]): Sql => rows(fields.map(make));
}

/** The insert of rows that have all columns of the table, to be followed by `on conflict` or `returning`. */
export function insertion<const List extends Columns>(declared: Table<List>) {
  const names = columnNames(declared.columns);
  const rows = fieldRows("r", declared.columns);
  const into = piece(`${declared.name} as t (${names.strings[0]})`);
  return (fields: readonly FieldsOf<List>[]): Sql => sql`insert into ${into} select ${names} from ${rows(fields)}`;
}

/** Makes a row, by the names of the columns, from its fields. */
export function rowMaker<List extends Columns>(columns: List): (fields: FieldsOf<List>) => Row {
  const all = Object.keys(columns).map((field) => [field, nameOf(field, columns[field]!)] as const);
  return (fields) => {
    const row: Record<string, unknown> = {};
    for (const [field, name] of all) row[name] = fields[field];
    return row;
  };
}

const parameters = <List extends Columns>(columns: List, before: (name: string) => string) => {
  const all = Object.entries(columns);
  const strings = all.map(([field, one], index) => {
    const previous = index === 0 ? "" : `::${all[index - 1]![1].type}, `;
    return `${previous}${before(nameOf(field, one))}`;
  });
  strings.push(`::${all.at(-1)![1].type}`);
  return (fields: FieldsOf<List>): Sql => ({ strings, values: all.map(([field]) => fields[field]) });
};

/** The values of a new row, in the order of {@link columnNames}. */
export const columnValues = <List extends Columns>(columns: List) => parameters(columns, () => "");

/** The assignments of an update. */
export const assignments = <List extends Columns>(columns: List) => parameters(columns, (name) => `${name} = `);

/** The assignments of an update that takes its values from the relation `alias`. */
export const assignmentsFrom = (columns: Columns, alias: string): Sql =>
  piece(
    namesOf(columns)
      .map((name) => `${name} = ${alias}.${name}`)
      .join(", "),
  );

export interface PackedRow {
  readonly words: string;
  readonly [column: string]: unknown;
}

/**
 * Packs rows into as few columns as possible: all values without blanks in one text, `words`, and each free text by
 * itself. `pg` reads a row column by column, which is most of its cost. The fields in `known` are not read: the caller has
 * them.
 */
export function packedRows<List extends Columns, Known extends keyof List & string>(
  columns: List,
  known: readonly Known[],
) {
  const read = Object.entries(columns)
    .filter(([field]) => !known.some((one) => one === field))
    .map(([field, one]) => ({ ...one, field, name: nameOf(field, one) }));
  const isText = ({ kind }: Column<unknown>) => kind === "text" || kind === "json";
  const texts = read.filter(isText);
  const words = read.filter((one) => !isText(one));
  if (words.some(({ kind }) => kind !== "digits" && kind !== "time" && kind !== "word"))
    throw new Error("Only words, digits and times are packed.");
  // Copying an object that already has every field is faster than growing one.
  const blank = Object.fromEntries(Object.keys(columns).map((field) => [field, null as unknown]));

  return {
    /** Selects the packed columns of `alias`. */
    select: (alias: string): Sql => {
      const shown = words.map(({ kind, nullable, name }) => {
        const value = kind === "time" ? `(date_part('epoch', ${alias}.${name}) * 1000)::bigint` : `${alias}.${name}`;
        return nullable ? `coalesce((${value})::text, '')` : value;
      });
      return piece(
        [`concat_ws(' ', ${shown.join(", ")}) as words`, ...texts.map(({ name }) => `${alias}.${name}`)].join(", "),
      );
    },
    read: (row: PackedRow, fieldsKnown: Pick<FieldsOf<List>, Known>): FieldsOf<List> => {
      const fields = { ...blank };
      const values = row.words.split(" ");
      for (let index = 0; index < words.length; index++) {
        const { field, kind, nullable } = words[index]!;
        const value = values[index]!;
        fields[field] = nullable && value === "" ? null : kind === "time" ? new Date(Number(value)) : value;
      }
      for (const { field, name } of texts) fields[field] = row[name];
      for (const field of known) fields[field] = fieldsKnown[field];
      return fields as FieldsOf<List>;
    },
  };
}

function jsonValue(name: string, { kind, type }: Column<unknown>): string {
  if (kind === "time") return epochMs(piece(name)).strings[0]!;
  if (type === "bytea") return `encode(${name}, 'hex')`;
  return kind === "digits" ? `${name}::text` : name;
}

/** The fields of `alias` as the arguments of `json_build_object`, with times in milliseconds and bytes in hex digits. */
export const jsonFields = (alias: string, columns: Columns): Sql =>
  piece(
    Object.entries(columns)
      .map(([field, one]) => `'${field}', ${jsonValue(`${alias}.${nameOf(field, one)}`, one)}`)
      .join(", "),
  );

/** Returns a row of `alias` as one JSON object of its fields, for a row that is usually absent. {@link jsonReader} reads it. */
export const jsonRow = (alias: string, columns: Columns): Sql => sql`json_build_object(${jsonFields(alias, columns)})`;

/** Makes the reader of a {@link jsonRow}, parsed: it converts times to dates and digits to bytes, in the object itself. */
export function jsonReader<List extends Columns>(columns: List): (json: Record<string, unknown>) => FieldsOf<List> {
  const times = Object.keys(columns).filter((field) => columns[field]!.kind === "time");
  const bytes = Object.keys(columns).filter((field) => columns[field]!.type === "bytea");
  return (json) => {
    for (const field of times) {
      const ms = json[field];
      if (ms !== null) json[field] = new Date(ms as number);
    }
    for (const field of bytes) if (json[field] !== null) json[field] = Buffer.from(json[field] as string, "hex");
    return json as FieldsOf<List>;
  };
}
