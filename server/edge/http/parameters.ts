import type { TSchema } from "typebox";
import { invalid } from "../../domain/errors.ts";
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "../../domain/limits.ts";
import { type Kind, parseText, TEXT, whole } from "../../domain/values.ts";
import type { Filter } from "../../store/filters.ts";

/** A parameter as the document describes it. */
export interface ParameterDocs {
  readonly schema: TSchema;
  readonly description: string;
  readonly example?: string | number;
  /** True: it may occur several times (`name=a&name=b`). */
  readonly repeatable?: boolean;
}

/** A parameter of the query, declared once: its schema in the document, its parser and its type. */
export interface Parameter<Value> extends ParameterDocs {
  /**
   * Parses the values under the name: none, one, or several of a repeatable one; throws `invalid_request`.
   * `query` is for rules between parameters.
   */
  readonly parse: (values: readonly string[], name: string, query: URLSearchParams) => Value;
  /** The SQL condition of a list's filter. */
  readonly filter?: Filter<Value>;
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

/**
 * Makes the parser of a query. It reports the first invalid parameter in the document's order, and unknown parameters
 * after them (§4.9.7).
 */
export function queryParser<const Parameters extends QueryParameters>(
  parameters: Parameters,
): (query: URLSearchParams) => QueryValues<Parameters> {
  const parsers = Object.entries(parameters).map(([name, { parse, repeatable }]) => ({
    name,
    property: camelCase(name),
    parse,
    timesMax: repeatable ? Number.POSITIVE_INFINITY : 1,
  }));
  return (query) => {
    const values: Record<string, unknown> = {};
    for (const { name, property, parse, timesMax } of parsers) {
      const given = query.getAll(name);
      if (given.length > timesMax) throw invalid(name, `Given ${given.length} times. Give this parameter once.`);
      values[property] = parse(given, name, query);
    }
    for (const name of query.keys())
      if (!Object.hasOwn(parameters, name))
        throw invalid(name, `Unknown parameter. This list takes ${Object.keys(parameters).join(", ")}.`);
    return values as QueryValues<Parameters>;
  };
}

export const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

interface ParameterOptions<Value> {
  readonly example?: string | number;
  /** The SQL condition of a list's filter. */
  readonly filter?: Filter<Value | null>;
}

/** A parameter of a kind that occurs once at most; null without it. */
export const parameter = <Value>(
  kind: Kind<Value>,
  description: string,
  options: ParameterOptions<NoInfer<Value>> = {},
): Parameter<Value | null> => ({
  schema: kind.schema,
  description,
  ...options,
  parse: ([text], name) => {
    if (text === undefined) return null;
    const value = parseText(kind, text);
    if (value === null) throw invalid(name, `Expected ${kind.expectedInQuery ?? kind.expected}.`);
    return value;
  },
});

/** A parameter of the path; the operation itself answers 404 for what is none. */
export const pathPart = ({ schema }: Kind<unknown>, description: string, example: string) => ({
  schema,
  description,
  example,
});

/** The parameters of every list (§4.9), which become a `Page`. The list itself checks that a cursor is one of its items. */
export function pageParameters({ schema }: Kind<string>, example: string, noun: string) {
  const id = { ...TEXT, schema };
  const before = parameter(
    id,
    `Id of the first ${noun} of a page: the answer holds the ones just newer, still newest first. Not together with \`starting_after\`.`,
    { example },
  );
  return {
    limit: PAGE_LIMIT,
    starting_after: parameter(
      id,
      `Id of the last ${noun} of the page before: the answer goes on with older ones. Not together with \`ending_before\`.`,
      { example },
    ),
    ending_before: {
      ...before,
      parse: (given: readonly string[], name: string, query: URLSearchParams) => {
        if (given.length > 0 && query.has("starting_after"))
          throw invalid(name, "Give starting_after or ending_before, not both.");
        return before.parse(given, name, query);
      },
    },
  };
}

const limits = parameter(whole(1, PAGE_LIMIT_MAX, `an integer from 1 to ${PAGE_LIMIT_MAX}`), "Page size.");
const PAGE_LIMIT: Parameter<number> = {
  schema: { ...limits.schema, default: PAGE_LIMIT_DEFAULT },
  description: limits.description,
  example: PAGE_LIMIT_DEFAULT,
  parse: (...given) => limits.parse(...given) ?? PAGE_LIMIT_DEFAULT,
};
