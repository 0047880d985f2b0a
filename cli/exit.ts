import { ApiError, CallError, HoldfastError, TimeoutError, UnauthorizedError } from "@holdfast/sdk";

/** The exit codes, for scripts. */
export const EXIT = {
  done: 0,
  /** The API refused, or a check failed. */
  refused: 1,
  usage: 2,
  late: 3,
  noKey: 4,
  unreachable: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

let onInterrupt: ExitCode = EXIT.interrupted;
/** For commands that only Ctrl-C ends: then it is no failure. */
export const endWellOnInterrupt = (): void => {
  onInterrupt = EXIT.done;
};
export const interruptedCode = (): ExitCode => onInterrupt;

/** Ends a command with a sentence, empty where its output has said it, and an exit code. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The exit code of an error, and its sentence; null for a mistake of the program. */
export function describeError(error: unknown): { readonly exitCode: ExitCode; readonly text: string } | null {
  if (error instanceof CommandError) return { exitCode: error.exitCode, text: error.message };
  if (error instanceof UnauthorizedError)
    return { exitCode: EXIT.noKey, text: `The key was refused: ${error.message} Sign in again: holdfast login` };
  if (error instanceof ApiError) {
    const { param } = error.details;
    const about = typeof param === "string" ? ` (${param})` : "";
    const request = error.requestId === null ? "" : ` [${error.requestId}]`;
    const isAway = error.status >= 500;
    return {
      exitCode: isAway ? EXIT.unreachable : EXIT.refused,
      text: `${error.code}${about}: ${error.message}${request}`,
    };
  }
  if (error instanceof TimeoutError && error.attempts === 0) return { exitCode: EXIT.late, text: error.message };
  if (error instanceof CallError) return { exitCode: EXIT.unreachable, text: error.message };
  // A position that the service does not have.
  if (error instanceof HoldfastError) return { exitCode: EXIT.refused, text: error.message };
  return null;
}
