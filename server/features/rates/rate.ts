import { Type } from "typebox";
import { isAddress } from "../../domain/addresses.ts";
import { placesOf } from "../../domain/price.ts";
import type { Environment } from "../../domain/terms.ts";
import { digits, type FieldsOf, integer, nullable, other, table, time, word } from "../../lib/columns.ts";

/** The currencies of the European Central Bank's reference rates, in which a business can report. */
export const CURRENCIES = [
  ...["AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "IDR", "ILS", "INR", "ISK", "JPY"],
  ...["KRW", "MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "RON", "SEK", "SGD", "THB", "TRY", "USD", "ZAR"],
] as const;
export const isCurrency = (text: string): boolean => CURRENCIES.some((one) => one === text);

/** The currencies at whose par a token can be declared. */
export const PARS = ["USD", "EUR"] as const;

/** A currency for which a token stands, in the books; in prices only by the operator's promise. */
export interface Par {
  readonly currency: (typeof PARS)[number];
  /** Null: no price becomes an amount at this par. */
  readonly promise: {
    /** The first day, and the last, in UTC. */
    readonly at: string;
    readonly until: string;
    /** The par is left once a rate of the token differs from it by more than this part. */
    readonly deviationMax: string;
  } | null;
}
export type Pars = ReadonlyMap<string, Par>;

const ENTRY_KINDS = ["payment", "release", "refund"] as const;
const RATE_SOURCES = ["par", "ecb", "file"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** A movement of funds with its value in the reporting currency of that time. */
export const FIAT_ENTRIES = table("fiat_entries", {
  businessId: word(),
  environment: word<Environment>(),
  payment: word(),
  number: integer({ says: "The ordinal in the payment's entries.", example: 1 }),
  kind: word<EntryKind>({
    of: ENTRY_KINDS,
    says: "`payment`: it was paid. `release`: a part left to the recipient. `refund`: a part went back to the buyer.",
    example: "payment",
  }),
  asset: word(),
  amount: digits("numeric", { says: "Digits, in the asset's smallest unit.", example: "48500000" }),
  occurredAt: time({ says: "The time on chain.", example: "2026-11-21T02:58:22.000Z" }),
  currency: word({ says: "The reporting currency of that time.", example: "EUR" }),
  value: nullable(
    digits("numeric", { says: "The value in that currency; null if there is none, or none yet.", example: "41.81" }),
  ),
  rate: nullable(digits("numeric", { says: "The worth of one whole token in it.", example: "0.8620689655" })),
  source: nullable(
    word({
      of: RATE_SOURCES,
      says: "`par`: the token stands for this currency. `ecb`: reference rates of the European Central Bank. `file`: rates of the operator.",
      example: "ecb",
    }),
  ),
  rateDay: nullable(
    other<string>("date", {
      says: "The day of the rate: that of the movement, or the last one before it with a rate.",
      example: "2026-11-20",
      schema: Type.String({ format: "date" }),
    }),
  ),
  reversedAt: nullable(time()),
  dueAt: nullable(time()),
});
export type FiatEntry = FieldsOf<typeof FIAT_ENTRIES.columns>;

/** What one euro was worth on a day. */
export interface DayRate {
  readonly day: string;
  readonly currency: string;
  readonly rate: string;
}

/** Rates of one file: the ECB's whole history has about 220,000. */
const RATES_MAX = 400_000;
const RATE = /^(?=.*[1-9])\d{1,12}(?:\.\d{1,10})?$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;
/** A day or time of the calendar: JavaScript takes the 31st of June for the 1st of July. */
const isIn = (form: RegExp, text: string): boolean =>
  form.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text.slice(0, 10));
export const isDay = (day: string): boolean => isIn(DAY, day);
/** The tokens of one file. */
const TOKENS_MAX = 1_000;

/** What one whole token was worth at a time. */
export interface TokenRate {
  readonly asset: string;
  readonly currency: string;
  readonly rate: string;
  readonly at: Date;
}

interface ParsedRates {
  readonly days: readonly DayRate[];
  readonly tokens: readonly TokenRate[];
}

/** A text holds no rates; the message says why. */
export class RatesError extends Error {
  override readonly name = "RatesError";
}

/**
 * Reads the XML of the European Central Bank (`eurofxref-daily`, `-hist-90d`, `-hist`), or CSV: lines of day, currency and
 * what one euro is worth, and lines of time, mint, currency and what one whole token is worth in it. Throws {@link
 * RatesError}: for a wrong or repeated line, and for a text without its end. Unknown currencies are left out of XML alone:
 * the bank's list changes.
 */
export function parseRates(text: string): ParsedRates {
  const rates = text.trimStart().startsWith("<") ? { days: parseXml(text), tokens: [] } : parseCsv(text);
  const { days, tokens } = rates;
  if (days.length + tokens.length === 0) throw new RatesError("There are no rates in it.");
  if (days.length > RATES_MAX) throw new RatesError(`It has more than ${RATES_MAX} rates.`);
  if (tokens.length > TOKENS_MAX) throw new RatesError(`It has rates of more than ${TOKENS_MAX} tokens.`);
  const named = new Set([
    ...days.map(({ day, currency }) => `${currency} on ${day}`),
    ...tokens.map(({ asset }) => asset),
  ]);
  if (named.size < days.length + tokens.length)
    throw new RatesError("It has two rates of one currency and day, or of one token.");
  return rates;
}

const CUBE = /<Cube\s+(?:time=["']([^"']*)["']|currency=["']([^"']*)["']\s+rate=["']([^"']*)["'])\s*\/?>/g;
const XML_END = /<\/[\w:]+>\s*$/;

function parseXml(text: string): DayRate[] {
  if (!XML_END.test(text)) throw new RatesError("It is cut off.");
  const rates: DayRate[] = [];
  let day: string | null = null;
  for (const [, time, currency = "", rate = ""] of text.matchAll(CUBE)) {
    if (time !== undefined) {
      if (!isDay(time)) throw new RatesError(`${JSON.stringify(time)} is no day.`);
      day = time;
    } else if (day !== null && placesOf(currency) !== null) {
      if (!RATE.test(rate)) throw new RatesError(`The rate of ${currency} on ${day} is no decimal number above 0.`);
      rates.push({ day, currency, rate });
    }
  }
  return rates;
}

function parseCsv(text: string): ParsedRates {
  // A file is read while it is written: a line that is cut off is another rate.
  if (!text.endsWith("\n")) throw new RatesError("Its last line does not end, so it may be cut off.");
  const days: DayRate[] = [];
  const tokens: TokenRate[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [time = "", name = "", third = "", fourth, ...more] = line.split(",").map((cell) => cell.trim());
    if (line.trim() === "" || (index === 0 && time.toLowerCase() === "date")) continue;
    if (fourth === undefined && isDay(time) && placesOf(name) !== null && RATE.test(third))
      days.push({ day: time, currency: name, rate: third });
    else if (isTokenLine(time, name, third, fourth) && more.length === 0)
      tokens.push({ at: new Date(time), asset: name, currency: third, rate: fourth! });
    else
      throw new RatesError(
        `Line ${index + 1} is not a day, a currency and a rate, such as 2026-11-20,USD,1.16, nor a time, a mint, a currency and a rate.`,
      );
  }
  return { days, tokens };
}

const isTokenLine = (time: string, asset: string, currency: string, rate = ""): boolean =>
  isIn(TIME, time) && isAddress(asset) && placesOf(currency) !== null && RATE.test(rate);

/** The decimal places of rates. */
const RATE_PLACES = 10;

/** A decimal number as whole units of its last place. */
function readDecimal(text: string): { readonly units: bigint; readonly places: number } {
  const [whole = "0", fraction = ""] = text.split(".");
  return { units: BigInt(whole + fraction), places: fraction.length };
}

/** Divides, and rounds half to even. Neither is negative. */
function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  return twice > divisor || (twice === divisor && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

function showDecimal(units: bigint, places: number): string {
  if (places === 0) return String(units);
  const digits = String(units).padStart(places + 1, "0");
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** What one unit of a currency is worth in another, from what one euro is worth in both: ten places, half to even. */
export function crossRate(from: string, to: string): string {
  const [base, quoted] = [readDecimal(from), readDecimal(to)];
  const dividend = quoted.units * 10n ** BigInt(base.places + RATE_PLACES);
  const rate = divideHalfEven(dividend, base.units * 10n ** BigInt(quoted.places));
  return showDecimal(rate, RATE_PLACES).replace(/\.?0+$/, "");
}

/** The value of an amount at a rate, exact and then rounded half to even to the currency's minor unit. */
export function fiatValueOf(amount: string, decimals: number, rate: string, currency: string): string {
  const places = placesOf(currency)!;
  const { units, places: ratePlaces } = readDecimal(rate);
  const dividend = BigInt(amount) * units * 10n ** BigInt(places);
  return showDecimal(divideHalfEven(dividend, 10n ** BigInt(decimals + ratePlaces)), places);
}

/** The rates of a pair for a day: the last ones not after it. */
export interface Quote {
  readonly rateDay: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly source: "ecb" | "file" | null;
  /** True once both have a rate of that day or a later one: then no other rate of the day is to come. */
  readonly isFinal: boolean;
}

export type ValueDecision = Pick<FiatEntry, "value" | "rate" | "source" | "rateDay"> & { readonly waits: boolean };
const NO_VALUE = { value: null, rate: null, source: null, rateDay: null, waits: false };

/**
 * Decides the value of a movement (§13.23.3), whenever it is asked: the rate is that of the day of UTC, or the last one
 * before it. Without a declared par a token has no value. `decimals` null: the token is not read yet.
 */
export function decideValue(
  { amount, currency, day }: Pick<FiatEntry, "amount" | "currency"> & { readonly day: string },
  par: string | null,
  decimals: number | null,
  quote: Quote | null,
): ValueDecision {
  if (par === null) return NO_VALUE;
  if (decimals === null) return { ...NO_VALUE, waits: true };
  if (par === currency) {
    const value = fiatValueOf(amount, decimals, "1", currency);
    return { value, rate: "1", source: "par", rateDay: day, waits: false };
  }
  if (quote === null || !quote.isFinal) return { ...NO_VALUE, waits: true };
  const { from, to, rateDay, source } = quote;
  if (from === null || to === null) return NO_VALUE;
  const rate = crossRate(from, to);
  // A pair so far apart that its rate is nothing in ten places has no value.
  if (rate === "0") return NO_VALUE;
  return { value: fiatValueOf(amount, decimals, rate, currency), rate, source, rateDay, waits: false };
}
