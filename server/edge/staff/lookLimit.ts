import { ApiError } from "../../domain/errors.ts";
import { MinuteLimit } from "../buyer/limits.ts";

/**
 * Look-ups, of the chain or of another's server, that one user may cause in a minute: more than a person needs, and no
 * load.
 */
const LOOKS_PER_MINUTE = 30;
/** Pages ask by themselves what becomes of a transaction. */
export const LIVES_PER_MINUTE = 120;

/** Counts the look-ups of each user. Throws if a user causes too many. `nowMs`: tests give their own clock. */
export function countLooks(most = LOOKS_PER_MINUTE, nowMs?: () => number): (userId: string) => void {
  const limit = new MinuteLimit(most, undefined, nowMs);
  return (userId) => {
    const seconds = limit.use(userId);
    if (seconds !== null)
      throw new ApiError(
        "rate_limited",
        `More than ${most} lookups on the chain or on other servers in a minute. Wait ${seconds} seconds.`,
        {},
        { retryAfterSeconds: seconds },
      );
  };
}
