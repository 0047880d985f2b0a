import type { ParseArgsOptionsConfig } from "node:util";
import type { Database } from "../store/database.ts";

/** One verb of `npm run admin`, declared by its feature. */
export interface AdminVerb {
  readonly words: readonly [string, string];
  readonly usage: string;
  readonly does: string;
  /** In the form of node:util parseArgs; every verb also takes `--json`. */
  readonly options: ParseArgsOptionsConfig;
  readonly run: (call: AdminCall) => Promise<AdminAnswer>;
}

export interface AdminCall {
  readonly database: Database;
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** `result` is what `--json` prints, `text` is for a person. */
export interface AdminAnswer {
  readonly result: unknown;
  readonly text: string;
}

/** Parses an option that takes one of a set of words. */
export function parseChoice<Choice extends string>(
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
