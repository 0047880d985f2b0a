import type { ParseArgsOptionsConfig } from "node:util";
import type { Database } from "../store/database.ts";

/** One verb of `npm run admin`, beside the feature it belongs to. */
export interface AdminVerb {
  readonly words: readonly [string, string];
  readonly usage: string;
  readonly does: string;
  /** As node:util parseArgs takes them; `--json` is understood by all. */
  readonly options: ParseArgsOptionsConfig;
  readonly run: (call: AdminCall) => Promise<AdminAnswer>;
}

export interface AdminCall {
  readonly database: Database;
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** What `--json` prints, and what a person reads. */
export interface AdminAnswer {
  readonly result: unknown;
  readonly text: string;
}

/** One of an option's words. */
export function readChoice<Choice extends string>(
  name: string,
  text: string | boolean,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((known) => known === text);
  if (choice === undefined) throw new AdminError(`--${name} takes one of ${choices.join(", ")}.`);
  return choice;
}

/** The verb cannot be done as asked; the message says what to do instead. */
export class AdminError extends Error {
  override readonly name = "AdminError";
}
