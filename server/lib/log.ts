/** A line for a person, and the error behind it with its stack for whoever mends it. */
export type Log = (message: string, error?: unknown) => void;

/** Writes to standard error, each line with its time; causes are followed, secrets are never passed in. */
export const log: Log = (message, error) => {
  const detail = error === undefined ? "" : `\n${error instanceof Error ? describe(error) : String(error)}`;
  process.stderr.write(`${new Date().toISOString()} ${message}${detail}\n`);
};

const CAUSES_MAX = 3;

function describe(error: Error): string {
  const lines = [error.stack ?? error.message];
  let cause = error.cause;
  for (let depth = 0; cause instanceof Error && depth < CAUSES_MAX; depth++) {
    lines.push(`caused by ${cause.stack ?? cause.message}`);
    cause = cause.cause;
  }
  return lines.join("\n");
}
