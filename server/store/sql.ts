import { createHash } from "node:crypto";

/** A statement or a piece of one; values travel as parameters, never as text. */
export interface Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  /** The database announces this once the statement has committed. */
  readonly announces?: Announces;
}

/** Returns the topics a statement announces, from its rows. The caller defines their meaning. */
export type Announces = (rows: readonly unknown[]) => readonly string[];

/**
 * Marks a piece, and every statement that includes it, as one that announces something. Marking a whole statement replaces
 * the announcements of its pieces.
 */
export const announcing = (piece: Sql, announces: Announces): Sql => ({ ...piece, announces });

const both = (one: Announces | undefined, other: Announces): Announces =>
  one === undefined ? other : (rows) => [...one(rows), ...other(rows)];

const isSql = (value: unknown): value is Sql =>
  typeof value === "object" && value !== null && "strings" in value && "values" in value;

/** A piece without values, from text that never comes from outside. */
export const piece = (text: string): Sql => ({ strings: [text], values: [] });

/** A node in the tree of all sequences of pieces used so far: the same sequence returns the same array of strings again. */
interface Joint {
  readonly next: WeakMap<readonly string[], Joint>;
  strings?: readonly string[];
}

const joints: Joint["next"] = new WeakMap();
/** The mark of a value among the pieces. */
const VALUE: readonly string[] = [];

function after(next: Joint["next"], strings: readonly string[]): Joint {
  let joint = next.get(strings);
  if (joint === undefined) {
    joint = { next: new WeakMap() };
    next.set(strings, joint);
  }
  return joint;
}

/**
 * Builds SQL from a template. A nested `sql` piece is spliced in; any other value becomes the next parameter. The text is
 * built once for the same pieces, and cached by them.
 */
export function sql(template: TemplateStringsArray, ...inputs: readonly unknown[]): Sql {
  const values: unknown[] = [];
  let announces: Announces | undefined;
  let joint = after(joints, template);
  for (const input of inputs) {
    if (isSql(input)) {
      joint = after(joint.next, input.strings);
      values.push(...input.values);
      if (input.announces !== undefined) announces = both(announces, input.announces);
    } else {
      joint = after(joint.next, VALUE);
      values.push(input);
    }
  }
  joint.strings ??= splice(template, inputs);
  const { strings } = joint;
  return announces === undefined ? { strings, values } : { strings, values, announces };
}

function splice(template: readonly string[], inputs: readonly unknown[]): string[] {
  const strings: string[] = [template[0]!];
  inputs.forEach((input, index) => {
    const tail = template[index + 1]!;
    if (isSql(input)) {
      strings[strings.length - 1] += input.strings[0]!;
      strings.push(...input.strings.slice(1));
      strings[strings.length - 1] += tail;
    } else strings.push(tail);
  });
  return strings;
}

/**
 * Declares rows as the relation `name` of a FROM, with a type for each column. A single row travels as parameters, several
 * as one JSON text, which takes a third of the CPU of arrays of columns to write.
 */
export function relation<Column extends string>(name: string, types: Readonly<Record<Column, string>>) {
  const columns = Object.keys(types) as Column[];
  const declared = columns.map((column) => `${column} ${types[column]}`).join(", ");
  const many = ["json_to_recordset(", `::json) as ${name} (${declared})`];
  const before = columns.map((_, index) => (index === 0 ? "(values (" : `::${types[columns[index - 1]!]}, `));
  const one = [...before, `::${types[columns.at(-1)!]})) as ${name} (${columns.join(", ")})`];
  return (rows: readonly Readonly<Record<Column, unknown>>[]): Sql =>
    rows.length === 1
      ? { strings: one, values: columns.map((column) => rows[0]![column]) }
      : { strings: many, values: [JSON.stringify(rows)] };
}

const names = new Map<string, string>();
/**
 * Prepared statements are never evicted by PostgreSQL, so the texts must be few: a growing number is a bug. The tests run some
 * 660, and one process that serves everything may meet most of them.
 */
const STATEMENTS_MAX = 1_000;

interface Prepared {
  readonly name: string;
  readonly text: string;
}

const prepared = new WeakMap<readonly string[], Prepared>();

function numbered(strings: readonly string[]): Prepared {
  let text = strings[0]!;
  for (let index = 1; index < strings.length; index++) text += `$${index}${strings[index]}`;
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= STATEMENTS_MAX)
      throw new Error("Too many different statements: a query text varies with its input.");
    name = createHash("sha256").update(text).digest("base64url").slice(0, 20);
    names.set(text, name);
  }
  return { name, text };
}

/** Returns the statement for `pg`: numbered parameters and a name, so that each connection parses a text once. */
export function prepare({ strings, values }: Sql): { name: string; text: string; values: unknown[] } {
  let found = prepared.get(strings);
  if (found === undefined) {
    found = numbered(strings);
    prepared.set(strings, found);
  }
  return { name: found.name, text: found.text, values: values as unknown[] };
}
