import { type TSchema, Type } from "typebox";
import { isAddress } from "../../domain/addresses.ts";
import { ADDRESS_PATTERN } from "../../domain/columns.ts";
import { invalid } from "../../domain/errors.ts";
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "../../domain/limits.ts";
import { parseTokenAmount, TOKEN_AMOUNT, type TokenAmount } from "../../domain/money.ts";
import type { Filter } from "../../store/filters.ts";
import { choice } from "./schemas.ts";

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

/** A time of RFC 3339 in UTC (§4.9.9). The groups are its seconds and its fraction. */
const TIMESTAMP = /^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,9}))?(?:Z|\+00:00)$/;
const EXPECTED_TIME =
  "Expected a time of RFC 3339 in UTC, such as 2026-11-20T08:30:00.000Z: a date and a time with seconds and at most nine fractional digits, and Z or +00:00 at its end (in a query the + is sent as %2B).";

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

interface SingleOptions<Value> {
  readonly example?: string;
  /** The SQL condition of a list's filter. */
  readonly filter?: Filter<Value | null>;
}

/** A parameter that occurs once at most; null without it. */
const single = <Value>(
  schema: TSchema,
  description: string,
  options: SingleOptions<Value>,
  parse: (text: string, name: string, query: URLSearchParams) => Value,
): Parameter<Value | null> => ({
  schema,
  description,
  ...options,
  parse: ([text], name, query) => (text === undefined ? null : parse(text, name, query)),
});

/** PostgreSQL stores no NUL. Another control character replaces it here, which no id, address or reference holds either. */
const storable = (text: string): string => text.replaceAll("\u0000", "\u0001");

/** A parameter of any text: a value without matches returns an empty list. */
export const textParameter = (description: string, options: SingleOptions<string> = {}): Parameter<string | null> =>
  single(Type.String(), description, options, storable);

/** A parameter that is an address on chain. */
export const addressParameter = (description: string, options: SingleOptions<string> = {}): Parameter<string | null> =>
  single(Type.String({ pattern: ADDRESS_PATTERN }), description, options, (text, name) => {
    if (!isAddress(text)) throw invalid(name, "Expected an address on chain (base58 of 32 bytes).");
    return text;
  });

/** A parameter that is a number of whole tokens. */
export const tokenAmountParameter = (
  description: string,
  options: SingleOptions<TokenAmount> = {},
): Parameter<TokenAmount | null> =>
  single(Type.String({ pattern: TOKEN_AMOUNT.source }), description, options, (text, name) => {
    const amount = parseTokenAmount(text);
    if (amount === null) throw invalid(name, "Expected a number of whole tokens, such as 48.5, without a sign.");
    return amount;
  });

/** A parameter with a fixed list of values. */
export const choiceParameter = <const Choice extends string>(
  choices: readonly Choice[],
  description: string,
  options: SingleOptions<Choice> = {},
): Parameter<Choice | null> =>
  single(choice(choices), description, options, (text, name) => {
    const found = choices.find((known) => known === text);
    if (found === undefined) throw invalid(name, `Expected one of ${choices.join(", ")}.`);
    return found;
  });

export const flagParameter = (description: string, options: SingleOptions<boolean> = {}): Parameter<boolean | null> =>
  single(Type.Boolean(), description, options, (text, name) => {
    if (text !== "true" && text !== "false") throw invalid(name, "Expected true or false.");
    return text === "true";
  });

export const timeParameter = (description: string, options: SingleOptions<Date> = {}): Parameter<Date | null> =>
  single(Type.String({ format: "date-time", pattern: TIMESTAMP.source }), description, options, parseTime);

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** A parameter that is a day, such as 2026-11-20. */
export const dayParameter = (description: string, options: SingleOptions<string> = {}): Parameter<string | null> =>
  single(Type.String({ format: "date", pattern: DAY.source }), description, options, (text, name) => {
    const time = DAY.test(text) ? new Date(`${text}T00:00:00Z`) : null;
    // Date would turn a day that the month lacks into one of the next month.
    if (time === null || Number.isNaN(time.getTime()) || !time.toISOString().startsWith(text) || text < "0001")
      throw invalid(name, "Expected a day such as 2026-11-20.");
    return text;
  });

function parseTime(text: string, name: string): Date {
  const time = parseTimeText(text);
  if (time === null) throw invalid(name, EXPECTED_TIME);
  return time;
}

/** A time of RFC 3339 in UTC (§4.9.9); null for any other text. */
export function parseTimeText(text: string): Date | null {
  const [, seconds, fraction = ""] = TIMESTAMP.exec(text) ?? [];
  if (seconds === undefined) return null;
  const time = new Date(`${seconds}.${fraction.slice(0, 3).padEnd(3, "0")}Z`);
  // Date would turn a day that the month lacks into one of the next month.
  return Number.isNaN(time.getTime()) || !time.toISOString().startsWith(seconds) ? null : time;
}

/** The parameters of every list (§4.9), which become a `Page`. The list itself checks that a cursor is one of its items. */
export const pageParameters = (cursor: { pattern: string; example: string; noun: string }) => ({
  limit: {
    schema: Type.Integer({ minimum: 1, maximum: PAGE_LIMIT_MAX, default: PAGE_LIMIT_DEFAULT }),
    description: "Page size.",
    example: PAGE_LIMIT_DEFAULT,
    parse: parseLimit,
  },
  starting_after: single(
    Type.String({ pattern: cursor.pattern }),
    `Id of the last ${cursor.noun} of the page before: the answer goes on with older ones. Not together with \`ending_before\`.`,
    { example: cursor.example },
    storable,
  ),
  ending_before: single(
    Type.String({ pattern: cursor.pattern }),
    `Id of the first ${cursor.noun} of a page: the answer holds the ones just newer, still newest first. Not together with \`starting_after\`.`,
    { example: cursor.example },
    (text, name, query) => {
      if (query.has("starting_after")) throw invalid(name, "Give starting_after or ending_before, not both.");
      return storable(text);
    },
  ),
});

function parseLimit([text]: readonly string[], name: string): number {
  if (text === undefined) return PAGE_LIMIT_DEFAULT;
  const limit = /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > PAGE_LIMIT_MAX) throw invalid(name, `Expected an integer from 1 to ${PAGE_LIMIT_MAX}.`);
  return limit;
}
