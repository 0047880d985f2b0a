import { type TSchema, Type } from "typebox";
import { invalid } from "../../domain/errors.ts";
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "../../domain/limits.ts";
import { choice } from "./schemas.ts";

/** A parameter as the document shows it. */
export interface ParameterDocs {
  readonly schema: TSchema;
  readonly description: string;
  readonly example?: string | number;
  /** May be given several times (`name=a&name=b`). */
  readonly repeatable?: boolean;
}

/** A parameter of the query, declared once: its schema in the document, its parser and its type. */
export interface Parameter<Value> extends ParameterDocs {
  /**
   * Parses the values given under the name: none, one, or several of a repeatable one; throws `invalid_request`.
   * `query` is for rules between parameters.
   */
  readonly parse: (values: readonly string[], name: string, query: URLSearchParams) => Value;
}
export type QueryParameters = Readonly<Record<string, Parameter<unknown>>>;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The values of a query by the parameters' names in camel case: `created_after` → `createdAfter`. */
export type QueryValues<Parameters extends QueryParameters> = {
  readonly [Name in keyof Parameters & string as CamelCase<Name>]: Parameters[Name] extends Parameter<infer Value>
    ? Value
    : never;
};

/** PostgreSQL has no text with a NUL, so nothing could match it. */
const QUERY_TEXT = /^[^\u0000]*$/;
/** An ISO 8601 time in UTC. */
const TIMESTAMP = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,3})?Z$/;

/** The parser of a query. Names are checked first, in the query's order, then values, in the document's order (§4.9.7). */
export function queryParser<const Parameters extends QueryParameters>(
  parameters: Parameters,
): (query: URLSearchParams) => QueryValues<Parameters> {
  const parsers = Object.entries(parameters).map(([name, { parse }]) => ({ name, property: camelCase(name), parse }));
  return (query) => {
    checkNames(query, parameters);
    const values: Record<string, unknown> = {};
    for (const { name, property, parse } of parsers) values[property] = parse(query.getAll(name), name, query);
    return values as QueryValues<Parameters>;
  };
}

const camelCase = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Refuses parameters that the list does not have, and those given more often than it allows. */
function checkNames(query: URLSearchParams, known: QueryParameters): void {
  for (const name of new Set(query.keys())) {
    if (!Object.hasOwn(known, name))
      throw invalid(name, `Unknown parameter. This list takes ${Object.keys(known).join(", ")}.`);
    const values = query.getAll(name);
    if (values.length > 1 && !known[name]!.repeatable)
      throw invalid(name, `Given ${values.length} times. Give this parameter once.`);
    if (!values.every((value) => QUERY_TEXT.test(value))) throw invalid(name, "The value holds a NUL character (%00).");
  }
}

interface SingleDocs {
  readonly description: string;
  readonly example?: string;
}

/** A parameter that is given once at most; null when it is not. */
const single = <Value>(
  schema: TSchema,
  { description, example }: SingleDocs,
  parse: (text: string, name: string, query: URLSearchParams) => Value,
): Parameter<Value | null> => ({
  schema,
  description,
  ...(example === undefined ? {} : { example }),
  parse: ([text], name, query) => (text === undefined ? null : parse(text, name, query)),
});

/** Any text: a value that matches nothing gives an empty list. */
export const textParameter = (docs: SingleDocs): Parameter<string | null> =>
  single(Type.String({ pattern: QUERY_TEXT.source }), docs, (text) => text);

/** One of a set of words. */
export const choiceParameter = <const Choice extends string>(
  choices: readonly Choice[],
  docs: SingleDocs,
): Parameter<Choice | null> =>
  single(choice(choices), docs, (text, name) => {
    const found = choices.find((known) => known === text);
    if (found === undefined) throw invalid(name, `Expected one of ${choices.join(", ")}.`);
    return found;
  });

export function flagParameter(docs: SingleDocs): Parameter<boolean | null> {
  const { parse, ...shown } = choiceParameter(["true", "false"], docs);
  return {
    ...shown,
    parse: (values, name, query) => {
      const text = parse(values, name, query);
      return text === null ? null : text === "true";
    },
  };
}

export const timeParameter = (docs: SingleDocs): Parameter<Date | null> =>
  single(Type.String({ format: "date-time", pattern: TIMESTAMP.source }), docs, (text, name) => {
    const time = new Date(text);
    const isSame =
      TIMESTAMP.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 19));
    if (!isSame) throw invalid(name, "Expected an ISO 8601 time in UTC, such as 2026-11-20T08:30:00.000Z.");
    return time;
  });

/** §4.9: the parameters of every list, which come to a `Page`. The list itself looks whether a cursor is one of its items. */
export const pageParameters = (cursor: { pattern: string; example: string; noun: string }) => ({
  limit: {
    schema: Type.Integer({ minimum: 1, maximum: PAGE_LIMIT_MAX, default: PAGE_LIMIT_DEFAULT }),
    description: "Page size.",
    example: PAGE_LIMIT_DEFAULT,
    parse: parseLimit,
  },
  starting_after: single(
    Type.String({ pattern: cursor.pattern }),
    {
      description: `Id of the last ${cursor.noun} of the page before: the answer goes on with older ones.`,
      example: cursor.example,
    },
    (text) => text,
  ),
  ending_before: single(
    Type.String({ pattern: cursor.pattern }),
    {
      description: `Id of the first ${cursor.noun} of a page: the answer holds the ones just newer, still newest first. Not together with \`starting_after\`.`,
      example: cursor.example,
    },
    (text, name, query) => {
      if (query.has("starting_after")) throw invalid(name, "Give starting_after or ending_before, not both.");
      return text;
    },
  ),
});

function parseLimit([text]: readonly string[], name: string): number {
  if (text === undefined) return PAGE_LIMIT_DEFAULT;
  const limit = /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > PAGE_LIMIT_MAX) throw invalid(name, `Expected an integer from 1 to ${PAGE_LIMIT_MAX}.`);
  return limit;
}
