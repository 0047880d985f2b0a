import { ApiError } from "../../domain/errors.ts";
import { Lru } from "../../lib/lru.ts";

/** Looks at addresses that one business may cause in a minute, per process: each asks a node of the operator's. */
export const LOOKS_MAX = 100;
const BUSINESSES_MAX = 10_000;
const MINUTE_MS = 60_000;

/** Counts a look of a business; throws `unavailable` beyond {@link LOOKS_MAX} in a minute. */
export function createLookLimit(now: () => number = Date.now): (businessId: string) => void {
  const counts = new Lru<string, { readonly minute: number; readonly count: number }>(BUSINESSES_MAX);
  return (businessId) => {
    const minute = Math.floor(now() / MINUTE_MS);
    const last = counts.get(businessId);
    const count = last?.minute === minute ? last.count + 1 : 1;
    counts.set(businessId, { minute, count });
    if (count > LOOKS_MAX)
      throw new ApiError(
        "unavailable",
        "Too many addresses were looked up in this minute. Try again in the next one.",
        {},
        { retryAfterSeconds: 60 },
      );
  };
}
