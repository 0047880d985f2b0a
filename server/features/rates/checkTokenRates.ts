import { inverse, product, ratioOf } from "../../domain/price.ts";
import { crossOf, DAYS_READ, type KnownDay } from "./decideQuote.ts";
import { type DayRate, RatesError, type TokenRate } from "./rate.ts";

/** A clock may be this far behind the one that made a rate. */
const AHEAD_MS_MAX = 60_000;
const DAY_MS = 86_400_000;

/**
 * Checks rates of tokens against the last known ones. Throws {@link RatesError} for a rate of the future, and for one that
 * has doubled or halved, within a day or with another currency: that is more often a mistake than a market.
 */
export function checkTokenRates(
  given: readonly TokenRate[],
  known: { readonly tokens: readonly TokenRate[]; readonly days: readonly KnownDay[] },
  now: Date,
): void {
  for (const { asset, currency, rate, at } of given) {
    if (at.getTime() > now.getTime() + AHEAD_MS_MAX) throw new RatesError(`The rate of ${asset} is of the future.`);
    const last = known.tokens.find((one) => one.asset === asset);
    // An older rate is not kept.
    if (last === undefined || at <= last.at) continue;
    const isSame = last.currency === currency;
    if (isSame && at.getTime() - last.at.getTime() > DAY_MS) continue;
    const cross = crossOf({ now, days: known.days }, currency, last.currency);
    if (cross === null)
      throw new RatesError(
        `The rate of ${asset} was in ${last.currency} and is in ${currency}, which nothing compares. ${CHECK} what one euro is worth in both today too.`,
      );
    const { over, under } = product(ratioOf(rate), cross.ratio, inverse(ratioOf(last.rate)));
    if (over <= 2n * under && under <= 2n * over) continue;
    const moved = `The rate of ${asset} has gone from ${last.rate} ${last.currency} to ${rate} ${currency}`;
    throw new RatesError(isSame ? `${moved} within a day.` : `${moved}. ${CHECK} its rate in ${last.currency} first.`);
  }
}

const CHECK = "Check the line's columns; if they are right, write";

/** The newest days of a file with the known ones, which it does not replace: the newest first, and none to come. */
export function withFile(known: readonly KnownDay[], file: readonly DayRate[], now: Date): KnownDay[] {
  const today = now.toISOString().slice(0, 10);
  const since = new Date(now.getTime() - DAYS_READ * DAY_MS).toISOString().slice(0, 10);
  const newest = file.filter(({ day }) => since < day && day <= today);
  const whole = newest.flatMap((one) => [one, { day: one.day, currency: "EUR", rate: "1" }]);
  const days = new Map<string, KnownDay>();
  for (const one of [...known, ...whole.map((rate) => ({ ...rate, source: "file" as const }))]) {
    const name = `${one.day} ${one.currency}`;
    if (!days.has(name)) days.set(name, one);
  }
  return [...days.values()].sort((one, other) => (one.day < other.day ? 1 : one.day > other.day ? -1 : 0));
}
