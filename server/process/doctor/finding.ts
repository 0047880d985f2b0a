/** One line of `admin doctor`. `remedy` says what to do; null where nothing is to be done. */
export interface Finding {
  readonly check: string;
  readonly level: "ok" | "warn" | "fail";
  readonly message: string;
  readonly remedy: string | null;
}

export const ok = (check: string, message: string): Finding => ({ check, level: "ok", message, remedy: null });
export const warn = (check: string, message: string, remedy: string): Finding => ({
  check,
  level: "warn",
  message,
  remedy,
});
export const fail = (check: string, message: string, remedy: string): Finding => ({
  check,
  level: "fail",
  message,
  remedy,
});

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The longest time for one check, over all that it asks. */
export const CHECK_MS = 15_000;
export const soon = (): AbortSignal => AbortSignal.timeout(CHECK_MS);

/** Makes a check; one that cannot be made is a failure, and stops no other. */
export const guarded = (check: string, run: () => Promise<Finding[]>): Promise<Finding[]> =>
  run().catch((error: unknown) => [
    fail(check, `It could not be checked: ${messageOf(error)}`, "Repair what fails above, then run this again."),
  ]);
