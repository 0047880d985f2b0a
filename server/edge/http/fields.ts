import { type TSchema, type TSchemaOptions, Type } from "typebox";
import { ApiError, InvalidBodyError, invalid } from "../../domain/errors.ts";
import type { JsonMember, JsonObject } from "../../domain/json.ts";
import { isLine } from "../../domain/names.ts";
import { nullable } from "./schemas.ts";

/** A member of a request's body: its schema in the document, and its parser. */
export interface Field<Value> {
  readonly schema: TSchema;
  /** The value in words, as they follow "Required:" and "Expected". */
  readonly expected: string;
  /** Parses the value, or throws `invalid_request`. */
  readonly parse: (member: JsonMember, name: string) => Value;
  /** The value of a body without this member. A field without a fallback is required. */
  readonly fallback?: Value;
  /** The later field that may stand in its place; it is null then. */
  readonly replacedBy?: string;
}

type BodyFields = Readonly<Record<string, Field<unknown>>>;
type FieldValues<Fields extends BodyFields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer Value> ? Value : never;
};

/** The body of an operation, declared once: its parser, its type and its component of the document. */
export interface RequestBody<Value> {
  /** Its name among the document's components. */
  readonly component: string;
  readonly schema: TSchema;
  /** The schemas of its members, for an answer that shows every one of them. */
  readonly members: Readonly<Record<string, TSchema>>;
  readonly example: object;
  /** False if all fields may be left out together: then no body, or an empty one, is taken too. */
  readonly isRequired: boolean;
  readonly parse: (body: JsonObject) => Value;
}

/**
 * Declares a body by its fields. They are parsed in the order declared, whatever the order of the body, so the first
 * invalid one in the document's order is reported, and to staff the others too. Unknown members are reported after them
 * (§4.1.1).
 */
export function requestBody<const Fields extends BodyFields>(body: {
  readonly component: string;
  /** The operation's name in its error messages: "Create takes …". */
  readonly operation: string;
  readonly fields: Fields;
  readonly example: object;
  readonly description?: string;
  /** True if each field may be left out, but not all of them: the operation checks it. */
  readonly needsOne?: true;
}): RequestBody<FieldValues<Fields>> {
  const { component, operation, fields, example, description, needsOne = false } = body;
  const entries = Object.entries<Field<unknown>>(fields);
  const mayBeAbsent = (field: Field<unknown>) => "fallback" in field || field.replacedBy !== undefined;
  const properties = entries.map(([name, field]) => [
    name,
    mayBeAbsent(field) ? Type.Optional(field.schema) : field.schema,
  ]);
  return {
    component,
    example,
    isRequired: needsOne || entries.some(([, field]) => !("fallback" in field)),
    members: Object.fromEntries(entries.map(([name, field]) => [name, field.schema])),
    schema: Type.Object(Object.fromEntries(properties), {
      additionalProperties: false,
      ...(needsOne ? { minProperties: 1 } : {}),
      ...(description === undefined ? {} : { description }),
    }),
    parse: (members) => {
      const values: Record<string, unknown> = {};
      const refused: ApiError[] = [];
      const isGiven = (name = "") => members.has(name) && members.get(name)!.value !== null;
      for (const [name, field] of entries)
        try {
          const replaced = entries.find(([other, { replacedBy }]) => replacedBy === name && isGiven(other))?.[0];
          if (replaced !== undefined && isGiven(name)) throw invalid(name, `Give ${replaced} or ${name}, not both.`);
          const isReplaced = !isGiven(name) && isGiven(field.replacedBy);
          values[name] = isReplaced ? null : parseField(field, members.get(name), name);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          refused.push(error);
        }
      const unknown = [...members.keys()].find((name) => !Object.hasOwn(fields, name));
      if (unknown !== undefined)
        refused.push(invalid(unknown, `Unknown field. ${operation} takes ${Object.keys(fields).join(", ")}.`));
      const [first, ...others] = refused;
      if (first !== undefined) throw new InvalidBodyError([first, ...others]);
      return values as FieldValues<Fields>;
    },
  };
}

function parseField(field: Field<unknown>, member: JsonMember | undefined, name: string): unknown {
  if (member !== undefined) return field.parse(member, name);
  if (!("fallback" in field)) throw invalid(name, `Required: ${field.expected}.`);
  return field.fallback;
}

/** Parses the body of an operation without a payload: empty, or an empty object. */
export function parseNoBody(body: JsonObject): null {
  for (const name of body.keys()) throw invalid(name, "Unknown field. This operation takes none: send no body, or {}.");
  return null;
}

/** A JSON string. `parse` returns the value, or null for an invalid text. */
export const parsedText = <Value>(
  schema: TSchema,
  expected: string,
  parse: (text: string) => Value | null,
): Field<Value> => ({
  schema,
  expected,
  parse: (member, name) => {
    if (typeof member.value !== "string") throw invalid(name, `Expected a JSON string: ${expected}.`);
    if (member.unstorable)
      throw invalid(name, "The string holds an escaped NUL (\\u0000) or half of a surrogate pair. Leave it out.");
    const value = parse(member.value);
    if (value === null) throw invalid(name, `Expected ${expected}.`);
    return value;
  },
});

/** A field in whose place a later one may stand: null then, and never beside it. */
export const replaceable = <Value>(field: Field<Value>, replacedBy: string): Field<Value | null> => ({
  ...field,
  replacedBy,
});

/** A text that passes a check and stays unchanged. */
export const checkedText = (schema: TSchema, expected: string, isValid: (text: string) => boolean): Field<string> =>
  parsedText(schema, expected, (text) => (isValid(text) ? text : null));

/** A name or label of one line (§2.3.6). */
export const lineField = (noun: string): Field<string> =>
  checkedText(
    Type.String({ minLength: 1, maxLength: 100 }),
    `a ${noun} of 1 to 100 characters without control characters`,
    isLine,
  );

export const flagField: Field<boolean> = {
  schema: Type.Boolean(),
  expected: "true or false",
  parse: ({ value }, name) => {
    if (typeof value !== "boolean") throw invalid(name, "Expected true or false.");
    return value;
  },
};

/** A JSON number without a fraction. */
export const integerField = (
  schema: TSchema,
  expected: string,
  isValid: (value: number) => boolean,
): Field<number> => ({
  schema,
  expected,
  parse: ({ value }, name) => {
    if (typeof value !== "number" || !Number.isSafeInteger(value) || !isValid(value))
      throw invalid(name, `Expected ${expected}.`);
    return value;
  },
});

/** A value of a fixed list of words. */
export const choiceField = <const Choice extends string>(
  choices: readonly Choice[],
  options: TSchemaOptions = {},
): Field<Choice> =>
  parsedText(
    Type.Enum([...choices], { type: "string", ...options }),
    `one of ${choices.join(", ")}`,
    (text) => choices.find((known) => known === text) ?? null,
  );

/** An optional field, which may also be null. */
export function optional<Value>(field: Field<Value>): Field<Value | null> {
  return {
    schema: nullable(field.schema),
    expected: field.expected,
    fallback: null,
    parse: (member, name) => (member.value === null ? null : field.parse(member, name)),
  };
}
