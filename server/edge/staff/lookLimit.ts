import { ApiError } from "../../domain/errors.ts";
import { MinuteLimit } from "../buyer/limits.ts";

/** Reads of the chain, or of another's server, that one user may ask for in a minute: more than anybody needs, and no load. */
const LOOKS_PER_MINUTE = 30;

/** Counts the reads of each user. Throws where a user asks for too many. */
export function countLooks(): (userId: string) => void {
  const limit = new MinuteLimit(LOOKS_PER_MINUTE);
  return (userId) => {
    const seconds = limit.use(userId, Date.now());
    if (seconds !== null)
      throw new ApiError(
        "rate_limited",
        `More than ${LOOKS_PER_MINUTE} lookups on the chain or on other servers in a minute. Wait ${seconds} seconds.`,
        {},
        { retryAfterSeconds: seconds },
      );
  };
}
