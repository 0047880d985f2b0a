import { createHash } from "node:crypto";

/** A statement or a piece of one; values travel as parameters, never as text. */
export interface Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  /** It records events of these businesses: whoever delivers them is woken once it has committed. */
  readonly tells?: readonly string[];
}

/** Marks a piece, and every statement it becomes a part of, as one that records events of these businesses. */
export const telling = (piece: Sql, businessIds: readonly string[]): Sql => ({ ...piece, tells: businessIds });

const isSql = (value: unknown): value is Sql =>
  typeof value === "object" && value !== null && "strings" in value && "values" in value;

/** Builds SQL from a template. A nested `sql` piece is spliced in; any other value becomes the next parameter. */
export function sql(template: TemplateStringsArray, ...inputs: readonly unknown[]): Sql {
  const strings: string[] = [template[0]!];
  const values: unknown[] = [];
  let tells: readonly string[] | null = null;
  inputs.forEach((input, index) => {
    const tail = template[index + 1]!;
    if (isSql(input)) {
      strings[strings.length - 1] += input.strings[0]!;
      strings.push(...input.strings.slice(1));
      values.push(...input.values);
      if (input.tells !== undefined) tells = tells === null ? input.tells : [...tells, ...input.tells];
      strings[strings.length - 1] += tail;
    } else {
      values.push(input);
      strings.push(tail);
    }
  });
  return tells !== null ? { strings, values, tells } : { strings, values };
}

/**
 * Rows as the relation `name` of a FROM, with a type for each column: a single row as parameters, several as one JSON
 * text, which costs a third of the CPU that arrays of columns take to write.
 */
export function relation<Column extends string>(
  name: string,
  types: Readonly<Record<Column, string>>,
  rows: readonly Readonly<Record<NoInfer<Column>, unknown>>[],
): Sql {
  const columns = Object.keys(types) as Column[];
  if (rows.length !== 1) {
    const declared = columns.map((column) => `${column} ${types[column]}`).join(", ");
    return { strings: ["json_to_recordset(", `::json) as ${name} (${declared})`], values: [JSON.stringify(rows)] };
  }
  const strings = columns.map((_, index) => (index === 0 ? "(values (" : `::${types[columns[index - 1]!]}, `));
  const last = `::${types[columns.at(-1)!]})) as ${name} (${columns.join(", ")})`;
  return { strings: [...strings, last], values: columns.map((column) => rows[0]![column]) };
}

const names = new Map<string, string>();
/** Prepared statements are never evicted by PostgreSQL, so the texts must be few: a growing number is a bug. */
const STATEMENTS_MAX = 500;

/** What `pg` takes: numbered parameters and a name, so that each connection parses a text once. */
export function prepare(statement: Sql): { name: string; text: string; values: unknown[] } {
  let text = statement.strings[0]!;
  for (let index = 1; index < statement.strings.length; index++) text += `$${index}${statement.strings[index]}`;
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= STATEMENTS_MAX)
      throw new Error("Too many different statements: a query text varies with its input.");
    name = createHash("sha256").update(text).digest("base64url").slice(0, 20);
    names.set(text, name);
  }
  return { name, text, values: statement.values as unknown[] };
}
