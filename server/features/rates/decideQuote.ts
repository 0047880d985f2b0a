import { inverse, product, type Quote, type Ratio, rateText, ratioOf } from "../../domain/price.ts";
import type { DayRate, Par, TokenRate } from "./rate.ts";

/** What one euro was worth on a day, and who says so. */
export interface KnownDay extends DayRate {
  readonly source: "ecb" | "file";
}

/** What is known of a token and of currencies at one moment. */
export interface KnownRates {
  readonly now: Date;
  /** The newest rate of the token; null if there never was one. */
  readonly token: TokenRate | null;
  /** The newest first. */
  readonly days: readonly KnownDay[];
}

/** The life of a quote that is not at par: nobody holds an option on the token for longer. */
const QUOTE_MS = 900_000;
/** A rate of a token is fresh for this time, one of a day for five days: the bank rests from Thursday to Tuesday at Easter. */
const TOKEN_RATE_MS = 600_000;
const DAYS_MAX = 5;
/** The days behind which no rate is asked for: longer than the bank ever rests. */
export const DAYS_READ = 13;
const DAY_MS = 86_400_000;
/** A rate that has moved further since the day before is not believed until the next one. */
const MOVE_MAX: Ratio = { over: 1n, under: 5n };

const isoDay = (at: Date): string => at.toISOString().slice(0, 10);
const startOf = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

/** Returns true if two ratios differ by more than this part of the second one. */
function isFurther(one: Ratio, other: Ratio, part: Ratio): boolean {
  const { over, under } = product(one, inverse(other));
  const apart = over > under ? over - under : under - over;
  return apart * part.under > under * part.over;
}

/** What one unit of a currency is worth in another. */
interface Worth {
  readonly ratio: Ratio;
  /** Null: no day's rate was needed. */
  readonly day: Pick<KnownDay, "day" | "source"> | null;
}

const ONE: Ratio = { over: 1n, under: 1n };

/** The newest rate of a pair, both of one day; null if it is too old or not to be believed. */
export function crossOf({ now, days }: Pick<KnownRates, "now" | "days">, from: string, to: string): Worth | null {
  if (from === to) return { ratio: ONE, day: null };
  const both = days
    .filter(({ currency }) => currency === from)
    .flatMap((base) => {
      const quoted = days.find(({ day, currency }) => day === base.day && currency === to);
      if (quoted === undefined) return [];
      const source = base.source === quoted.source ? base.source : ("file" as const);
      const ratio = product(ratioOf(quoted.rate), inverse(ratioOf(base.rate)));
      return [{ ratio, day: { day: base.day, source } }];
    });
  const [last, earlier] = both;
  if (last === undefined || startOf(last.day.day).getTime() < startOf(isoDay(now)).getTime() - DAYS_MAX * DAY_MS)
    return null;
  const hasMoved =
    earlier !== undefined &&
    (isFurther(last.ratio, earlier.ratio, MOVE_MAX) || isFurther(earlier.ratio, last.ratio, MOVE_MAX));
  return hasMoved ? null : last;
}

/** True if the newest rate of the token, however old, says that it is not at its par, or cannot be compared with it. */
function isParLeft(token: TokenRate, known: KnownRates, { currency, promise }: Par): boolean {
  if (promise === null) return false;
  const cross = crossOf(known, token.currency, currency);
  return cross === null || isFurther(product(ratioOf(token.rate), cross.ratio), ONE, ratioOf(promise.deviationMax));
}

/** A quote whose `until` is by the real clock, or the reason why there is none, as a sentence. */
type Decision = { readonly quote: Omit<Quote, "until">; readonly until: Date } | { readonly reason: string };

/**
 * Decides the rate at which a price in a currency becomes an amount of a token (§2.1). At a promised par it is 1, until the
 * promise ends; else it is that of the token's own rate, or of its par, with the spread.
 */
export function decideQuote(known: KnownRates, currency: string, par: Par | null, spread: string): Decision {
  const { now, token } = known;
  const today = isoDay(now);
  const isPromised = par?.promise != null && par.promise.at <= today && today <= par.promise.until;
  if (isPromised && token !== null && isParLeft(token, known, par))
    return {
      reason: `By its last rate, of ${token.at.toISOString()}, the token ${token.asset} is not worth its ${par.currency}. No price becomes an amount of it until the operator writes a newer rate of it that says otherwise.`,
    };
  if (isPromised && par.currency === currency) {
    const { at, until } = par.promise!;
    const end = new Date(startOf(until).getTime() + DAY_MS);
    return { until: end, quote: { rate: "1", source: "par", at: startOf(at).toISOString(), spread: "0" } };
  }
  const isFresh = token !== null && now.getTime() - token.at.getTime() <= TOKEN_RATE_MS;
  const base = isFresh
    ? { currency: token.currency, worth: ratioOf(token.rate), at: token.at }
    : isPromised
      ? { currency: par.currency as string, worth: ONE, at: null }
      : null;
  if (base === null) return { reason: "There is no fresh rate of this token." };
  const cross = crossOf(known, base.currency, currency);
  if (cross === null) return { reason: `There is no fresh rate of ${base.currency} in ${currency}.` };
  const rate = product(inverse(product(base.worth, cross.ratio)), withSpread(spread));
  // The older of the two.
  const dayAt = cross.day === null ? null : startOf(cross.day.day);
  const at = base.at === null || (dayAt !== null && dayAt < base.at) ? dayAt! : base.at;
  const source = base.at === null ? cross.day!.source : "file";
  return {
    until: new Date(now.getTime() + QUOTE_MS),
    quote: { rate: rateText(rate), source, at: at.toISOString(), spread },
  };
}

function withSpread(spread: string): Ratio {
  const { over, under } = ratioOf(spread);
  return { over: under + over, under };
}
