import type { ParseArgsOptionsConfig } from "node:util";
import type { Actor } from "../domain/callers.ts";
import type { Database } from "../store/database.ts";

interface Verb<Call> {
  /** The words that name it, and then what it takes. */
  readonly usage: string;
  readonly does: string;
  /** Further lines for `--help`: facts to know before using it. */
  readonly more?: string;
  /** In the form of node:util parseArgs; every verb also takes `--json` and `--help`. */
  readonly options?: ParseArgsOptionsConfig | undefined;
  readonly run: (call: Call) => Promise<AdminAnswer>;
}

/** The types of options. */
export const TEXT = { type: "string" } as const;
export const FLAG = { type: "boolean" } as const;

/** One verb of `npm run admin`, declared by its feature. */
export type AdminVerb = Verb<AdminCall>;
/** A verb that needs no database: it may run on a machine without the service that has the key. */
export type ChainVerb = Verb<ChainCall> & { readonly withoutDatabase: true };

export interface ChainCall {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

export interface AdminCall extends ChainCall {
  readonly database: Database;
  /** The user at the command line, as the audit log names them. */
  readonly actor: Actor;
}

/** `--json` prints `result`; a person reads `text`. */
export interface AdminAnswer {
  readonly result: unknown;
  readonly text: string;
  /** True: the action was done, but its result could not be shown. The command ends with 1. */
  readonly failed?: boolean;
}

/** The words that name a verb: `key add` of `key add <business id>`. */
export const wordsOf = ({ usage }: { readonly usage: string }): string[] =>
  /^[a-z-]+(?: [a-z][a-z-]*(?= |$))*/.exec(usage)![0].split(" ");

/** Parses an option with a fixed list of values. */
export function parseChoice<Choice extends string>(
  name: string,
  text: string | boolean,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((known) => known === text);
  if (choice === undefined) throw new AdminError(`--${name} takes one of ${choices.join(", ")}.`);
  return choice;
}

/** The verb is refused; the message says how to go on. */
export class AdminError extends Error {
  override readonly name = "AdminError";
}
