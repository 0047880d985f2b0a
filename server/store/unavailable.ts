/** The database cannot be reached, or no connection came free or no answer in time. Callers answer 503 and may try again. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
}

// Classes 08 and 57P: connection lost, server shutting down or starting; 53300: too many connections; 57014: a statement
// that took too long, which whoever sent it may send again.
const UNREACHABLE = /^(08...|57P0[1-4]|53300|57014|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND)$/;
const UNREACHABLE_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|not queryable/;

/** An error of `pg`, as what it means to whoever asked. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (UNREACHABLE.test(code) || UNREACHABLE_MESSAGE.test(error.message))
    return new DatabaseUnavailable(`The database did not answer: ${error.message}`, { cause: error });
  return error;
}
