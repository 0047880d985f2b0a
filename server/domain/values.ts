import { type Shown, word } from "../lib/columns.ts";
import { isAddress, isSignature } from "./addresses.ts";
import { AMOUNT, isAmount, PART_AMOUNT, parseTokenAmount, TOKEN_AMOUNT, type TokenAmount } from "./money.ts";
import { isLine } from "./names.ts";
import { ENVIRONMENTS } from "./terms.ts";

/**
 * A kind of value, told once: fields of bodies, parameters of queries and paths, members of answers, columns, settings and
 * what a command takes are made from it.
 */
export interface Kind<Value> {
  /** The keywords of its JSON schema. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The value in words, as they follow "Required:" and "Expected". */
  readonly expected: string;
  /** The same for a query, where more has to be said. */
  readonly expectedInQuery?: string;
  /** The rest of a member's description. */
  readonly note?: string;
  /** Parses a JSON value; null for an invalid one. */
  readonly parse: (given: unknown) => Value | null;
}

/** A kind of text. `parse` returns the value, or null for an invalid text. */
export const textKind = <Value>(
  schema: object,
  expected: string,
  parse: (text: string) => Value | null,
): Kind<Value> => ({
  schema: { type: "string", ...schema },
  expected,
  parse: (given) => (typeof given === "string" ? parse(given) : null),
});

/** A text that passes a check and stays unchanged. */
export const checked = (schema: object, expected: string, isValid: (text: string) => boolean): Kind<string> =>
  textKind(schema, expected, (text) => (isValid(text) ? text : null));

/** A text in the form of a pattern. */
export const matching = (pattern: RegExp, expected: string): Kind<string> =>
  checked({ pattern: pattern.source }, expected, (text) => pattern.test(text));

export const BASE58 = "[1-9A-HJ-NP-Za-km-z]";
const base58Note = (bytes: number): string =>
  ` Base58 of exactly ${bytes} bytes, which the pattern alone does not say.`;

/** Base58 of 32 bytes. The pattern checks alphabet and length only; the service decodes the text. */
export const ADDRESS: Kind<string> = {
  ...checked({ pattern: `^${BASE58}{32,44}$` }, "an address on chain (base58 of 32 bytes)", isAddress),
  note: base58Note(32),
};
/** Base58 of 64 bytes. */
export const SIGNATURE: Kind<string> = {
  ...checked({ pattern: `^${BASE58}{64,88}$` }, "the transaction's signature (base58 of 64 bytes)", isSignature),
  note: base58Note(64),
};
/** Digits in a token's smallest unit. */
export const UNITS = checked(
  { pattern: AMOUNT.source },
  "an amount in the token's smallest unit, as a string of digits",
  isAmount,
);
/** The same, or zero. */
export const PART_UNITS = checked(
  { pattern: PART_AMOUNT.source },
  UNITS.expected,
  (text) => text === "0" || isAmount(text),
);
/** A number of whole tokens. */
export const TOKENS: Kind<TokenAmount> = {
  ...textKind({ pattern: TOKEN_AMOUNT.source }, "an amount such as 48.50, with a point and no comma", parseTokenAmount),
  expectedInQuery: "a number of whole tokens, such as 48.5, without a sign",
};
export const TRANSACTION = checked(
  { contentEncoding: "base64" },
  "a signed transaction in base64",
  (text) => text !== "",
);
export const SHA256 = matching(/^[0-9a-f]{64}$/, "64 hex digits in lower case");

/** A name or label of one line (§2.3.6). */
export const line = (noun: string): Kind<string> =>
  checked({ minLength: 1, maxLength: 100 }, `a ${noun} of 1 to 100 characters without control characters`, isLine);

/** PostgreSQL stores no NUL. Another control character replaces it here, which no id, address or reference holds either. */
export const TEXT = textKind({}, "a text", (text) => text.replaceAll("\u0000", "\u0001"));

export const FLAG: Kind<boolean> = {
  schema: { type: "boolean" },
  expected: "true or false",
  parse: (given) => (typeof given === "boolean" ? given : null),
};

/** A JSON number without a fraction. */
export const whole = (
  minimum: number,
  maximum: number,
  expected = `a whole number from ${minimum} to ${maximum}`,
): Kind<number> => ({
  schema: { type: "integer", minimum, maximum },
  expected,
  parse: (given) =>
    Number.isSafeInteger(given) && Number(given) >= minimum && Number(given) <= maximum ? Number(given) : null,
});

/** The value that a text of a query or a command line stands for; null for an invalid one. */
export const parseText = <Value>(kind: Kind<Value>, text: string): Value | null => kind.parse(jsonOf(kind, text));

function jsonOf({ schema }: Kind<unknown>, text: string): unknown {
  switch (schema.type) {
    case "boolean":
      return text === "true" ? true : text === "false" ? false : null;
    case "integer":
      return /^(?:0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : null;
    default:
      return text;
  }
}

/** A value of a fixed list of words. */
export const oneOf = <const Choice extends string>(choices: readonly Choice[]): Kind<Choice> => ({
  schema: { enum: [...choices], type: "string" },
  expected: `one of ${choices.join(", ")}`,
  parse: (given) => choices.find((known) => known === given) ?? null,
});

const TIMESTAMP = /^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,9}))?(?:Z|\+00:00)$/;

/** A time of RFC 3339 in UTC (§4.9.9); null for any other text. */
function parseTime(text: string): Date | null {
  const [, seconds, fraction = ""] = TIMESTAMP.exec(text) ?? [];
  if (seconds === undefined) return null;
  const time = new Date(`${seconds}.${fraction.slice(0, 3).padEnd(3, "0")}Z`);
  // Date would turn a day that the month lacks into one of the next month.
  return Number.isNaN(time.getTime()) || !time.toISOString().startsWith(seconds) ? null : time;
}
export const TIME: Kind<Date> = {
  ...textKind({ format: "date-time", pattern: TIMESTAMP.source }, "a time of RFC 3339 in UTC", parseTime),
  expectedInQuery:
    "a time of RFC 3339 in UTC, such as 2026-11-20T08:30:00.000Z: a date and a time with seconds and at most nine fractional digits, and Z or +00:00 at its end (in a query the + is sent as %2B)",
};

const DAY_PATTERN = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
/** A day in UTC. */
export const DAY = checked(
  { format: "date", pattern: DAY_PATTERN.source },
  "a day such as 2026-11-20",
  (text) => DAY_PATTERN.test(text) && text >= "0001" && parseTime(`${text}T00:00:00Z`) !== null,
);

type TextShown = Required<Pick<Shown<string>, "says" | "example">> & Pick<Shown, "schema">;

/** A column of texts of a kind. */
export const column = ({ schema, note = "" }: Kind<string>, { says, schema: further, ...shown }: TextShown) =>
  word({ ...shown, says: `${says}${note}`, schema: { ...schema, ...further } });

export const environmentWord = word({
  of: ENVIRONMENTS,
  says: "The environment of the API key, which every id carries too.",
  example: "test",
});
