import { ApiError } from "../../domain/errors.ts";
import type { FindQuote } from "../../domain/price.ts";
import type { Database } from "../../store/database.ts";
import { decideQuote } from "./decideQuote.ts";
import { findKnownRates } from "./queries.ts";
import type { Pars } from "./rate.ts";

const RETRY_SECONDS = 60;

/** Makes the function that quotes tokens in currencies, by the rates of each moment. */
export function quoteFinder(deps: {
  readonly database: Database;
  readonly pars: Pars;
  /** The part that is added where a token is not at par. */
  readonly spread: string;
}): FindQuote {
  const { database, pars, spread } = deps;
  return async (currency, asset, now) => {
    const par = pars.get(asset) ?? null;
    const known = await findKnownRates(database, asset, par === null ? [currency] : [currency, par.currency]);
    const decided = decideQuote(known, currency, par, spread);
    if ("reason" in decided)
      throw new ApiError("unavailable", decided.reason, {}, { retryAfterSeconds: RETRY_SECONDS });
    // Rates are of the real clock, which a local chain's may be ahead of. An intent expires on a whole second.
    const untilMs = now.getTime() + decided.until.getTime() - known.now.getTime();
    const until = new Date(Math.ceil(untilMs / 1_000) * 1_000).toISOString();
    const { rate, source, at } = decided.quote;
    return { rate, source, at, until, spread: decided.quote.spread };
  };
}
