/** The database cannot be reached, or no connection came free or no answer in time. Callers answer 503 and may try again. */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
  readonly outage = "database";
  readonly reason: DatabaseOutage;

  constructor(message: string, reason: DatabaseOutage, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** `away`: no connection, or it was lost; `slow`: no answer in time; `full`: a resource is used up; `other`: one statement. */
type DatabaseOutage = "away" | "slow" | "full" | "read-only" | "other";

// Classes 08 and 57P: connection lost, server shutting down or starting. 53 and 58: no connections, memory or disk left,
// or the disk fails. 25006: a read-only server, as after a fail-over. 25P03, 25P04: a transaction that we left open for
// too long. 57014: a statement that took too long. The caller may retry.
const UNREACHABLE = /^(08...|57P..|53...|58...|25006|25P0[34]|57014)$/;
const UNREACHABLE_SYSTEM = /^(ECONNRESET|ECONNABORTED|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EPIPE|ETIMEDOUT)$/;
const UNREACHABLE_MESSAGE =
  /Connection terminated|Client has encountered a connection error|Query read timeout|not queryable/;

/** Translates what a statement failed with for the caller. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || !isUnreachable(error)) return error;
  return new DatabaseUnavailableError(`The database did not answer: ${error.message}`, reasonOf(error), {
    cause: error,
  });
}

/** Translates what making a connection failed with: whatever its code, no statement was sent, and the caller may retry. */
export function asAway(error: unknown): DatabaseUnavailableError {
  if (error instanceof DatabaseUnavailableError) return error;
  // A name with several addresses: each failed with its own error.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const message = first instanceof Error ? first.message : String(first);
  const reason = isUnreachable(error) ? reasonOf(error) : "away";
  return new DatabaseUnavailableError(`The database cannot be reached: ${message}`, reason, { cause: error });
}

const codeOf = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : "");

function reasonOf(error: Error): DatabaseOutage {
  const code = codeOf(error);
  if (code === "57014" || code.startsWith("25P") || error.message === "Query read timeout") return "slow";
  if (code.startsWith("53") || code.startsWith("58")) return "full";
  if (code === "25006") return "read-only";
  return isOutdated(error) ? "other" : "away";
}

function isUnreachable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  const hasCode = UNREACHABLE.test(code) || UNREACHABLE_SYSTEM.test(code);
  return hasCode || UNREACHABLE_MESSAGE.test(error.message) || isOutdated(error);
}

/**
 * A newer process has migrated the tables under a prepared statement; a new connection knows them. Told by the place in the
 * server, which speaks any language (lc_messages).
 */
const isOutdated = (error: Error): boolean =>
  codeOf(error) === "0A000" && "routine" in error && error.routine === "RevalidateCachedQuery";
