/** Takes a line for a person, and the error behind it, whose stack is written too. */
export type Log = (message: string, error?: unknown) => void;

/** Writes to standard error, each line with its time. An error's causes are written too; callers never pass secrets in. */
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
