import type { ParseArgsOptionsConfig } from "node:util";
import type { Actor } from "../domain/callers.ts";
import type { Database } from "../store/database.ts";

interface Verb<Call> {
  readonly words: readonly [string, ...string[]];
  readonly usage: string;
  readonly does: string;
  /** More lines for `--help`: what to know before using it. */
  readonly more?: string;
  /** In the form of node:util parseArgs; every verb also takes `--json` and `--help`. */
  readonly options: ParseArgsOptionsConfig;
  readonly run: (call: Call) => Promise<AdminAnswer>;
}

/** One verb of `npm run admin`, declared by its feature. */
export type AdminVerb = Verb<AdminCall>;
/** One that needs no database: it may run where the service does not, on the machine that has the key. */
export type ChainVerb = Verb<ChainCall> & { readonly withoutDatabase: true };

export interface ChainCall {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

export interface AdminCall extends ChainCall {
  readonly database: Database;
  /** The one at the command line, as the audit log names them. */
  readonly actor: Actor;
}

/** `result` is what `--json` prints, `text` is for a person. */
export interface AdminAnswer {
  readonly result: unknown;
  readonly text: string;
  /** It was done, and what it was to show did not work: the command ends with 1. */
  readonly failed?: boolean;
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
