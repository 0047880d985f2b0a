import { isAmount } from "./money.ts";

/** A price in a currency. `amount`: a decimal number with exactly the places of the currency's minor unit. */
export interface Price {
  /** ISO 4217. */
  readonly currency: string;
  readonly amount: string;
}

/** The rate at which a price became an amount of a token. */
export interface Quote {
  /** The number of whole tokens for one unit of the currency, with the spread in it. */
  readonly rate: string;
  /** `par`: the token stands for the currency. `ecb`: reference rates of the European Central Bank. `file`: rates of the operator. */
  readonly source: "par" | "ecb" | "file";
  /** ISO 8601: the time to which the rate belongs, for a par the operator's date. */
  readonly at: string;
  /** ISO 8601. The intent never expires later. */
  readonly until: string;
  /** The part of the rate without it that was added, such as "0.01". */
  readonly spread: string;
}

/** The currencies of ISO 4217 in use, by the decimal places of their minor unit. */
const CODES: Readonly<Record<0 | 2 | 3, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE
    CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR
    KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB
    PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY
    TTD TWD TZS UAH USD UYU UZS VES WST XCD YER ZAR ZMW ZWG`,
  3: "BHD IQD JOD KWD LYD OMR TND",
};
const PLACES: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES).flatMap(([places, codes]) => codes.split(/\s+/).map((code) => [code, Number(places)])),
);
export const CURRENCY_CODES: readonly string[] = [...PLACES.keys()].sort();

/** The decimal places of a currency's minor unit; null for a text that names no currency in use. */
export const placesOf = (currency: string): number | null => PLACES.get(currency) ?? null;

/** The spelling of a price's amount. It has no more digits before the point than an amount in units has. */
export const PRICE_AMOUNT = /^(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,3})?$/;

/** A price, spelled with all places of its currency; or the reason why it is none. */
export function parsePrice(currency: string, amount: string): Price | { readonly reason: string } {
  const places = placesOf(currency);
  if (places === null) return { reason: "The currency is a code of ISO 4217 in capitals, such as EUR." };
  if (!PRICE_AMOUNT.test(amount))
    return { reason: 'The amount is a decimal number such as "48.50", with at most 15 digits before the point.' };
  const [whole = "", fraction = ""] = amount.split(".");
  if (fraction.length > places) return { reason: `${currency} has ${places} decimal places. Use no more.` };
  if (/^[0.]*$/.test(amount)) return { reason: "The amount must be above 0." };
  return { currency, amount: places === 0 ? whole : `${whole}.${fraction.padEnd(places, "0")}` };
}

/** A number that is a fraction of whole ones; both are above 0. */
export interface Ratio {
  readonly over: bigint;
  readonly under: bigint;
}

/** A decimal number such as "1.16", exactly. */
export function ratioOf(decimal: string): Ratio {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return { over: BigInt(whole + fraction), under: 10n ** BigInt(fraction.length) };
}

export const product = (...factors: readonly Ratio[]): Ratio => ({
  over: factors.reduce((all, { over }) => all * over, 1n),
  under: factors.reduce((all, { under }) => all * under, 1n),
});

export const inverse = ({ over, under }: Ratio): Ratio => ({ over: under, under: over });

const roundedUp = ({ over, under }: Ratio): bigint => (over + under - 1n) / under;

/** An amount has at most 20 digits: with these in its rate it is exact to its unit. */
const RATE_DIGITS = 24;

/** A ratio as a decimal number of 24 significant digits, rounded up, so that no amount is below its price. */
export function rateText(ratio: Ratio): string {
  const digitsOfWhole = String(ratio.over / ratio.under).length;
  const zeros = String(ratio.under / ratio.over).length - 1;
  const places = ratio.over >= ratio.under ? Math.max(RATE_DIGITS - digitsOfWhole, 0) : RATE_DIGITS + zeros;
  const units = String(roundedUp(product(ratio, { over: 10n ** BigInt(places), under: 1n }))).padStart(places + 1, "0");
  if (places === 0) return units;
  return `${units.slice(0, -places)}.${units.slice(-places)}`.replace(/\.?0+$/, "");
}

/** The price in the smallest units of a token with these decimals, rounded up; null if no token account can hold it. */
export function amountOfPrice({ amount }: Price, rate: string, decimals: number): string | null {
  const units = String(
    roundedUp(product(ratioOf(amount), ratioOf(rate), { over: 10n ** BigInt(decimals), under: 1n })),
  );
  return isAmount(units) ? units : null;
}

/**
 * Quotes a token in a currency. `now`: the environment's time, by which the quote ends. Throws `unavailable` without a
 * fresh rate.
 */
export type FindQuote = (currency: string, asset: string, now: Date) => Promise<Quote>;
