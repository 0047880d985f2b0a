import { type TSchema, Type } from "typebox";
import { ApiError, InvalidBodyError, invalid } from "../../domain/errors.ts";
import type { JsonMember, JsonObject } from "../../domain/json.ts";
import type { Kind } from "../../domain/values.ts";
import { member, nullable } from "./schemas.ts";

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

interface FieldOptions {
  readonly description?: string;
  readonly default?: unknown;
  readonly format?: string;
  /** Default: that of the kind. */
  readonly expected?: string;
}

/** A member of a kind. */
export const field = <Value>(
  kind: Kind<Value>,
  { description, expected = kind.expected, ...docs }: FieldOptions = {},
): Field<Value> => ({
  schema: { ...(description === undefined ? kind.schema : member(kind, description)), ...docs },
  expected,
  parse: ({ value, unstorable }, name) => {
    const isText = kind.schema.type === "string";
    if (isText && typeof value !== "string") throw invalid(name, `Expected a JSON string: ${expected}.`);
    if (isText && unstorable)
      throw invalid(name, "The string holds an escaped NUL (\\u0000) or half of a surrogate pair. Leave it out.");
    const parsed = kind.parse(value);
    if (parsed === null) throw invalid(name, `Expected ${expected}.`);
    return parsed;
  },
});

/** A field in whose place a later one may stand: null then, and never beside it. */
export const replaceable = <Value>(field: Field<Value>, replacedBy: string): Field<Value | null> => ({
  ...field,
  replacedBy,
});

/** An optional field, which may also be null. */
export function optional<Value>(field: Field<Value>): Field<Value | null> {
  return {
    schema: nullable(field.schema),
    expected: field.expected,
    fallback: null,
    parse: (member, name) => (member.value === null ? null : field.parse(member, name)),
  };
}
