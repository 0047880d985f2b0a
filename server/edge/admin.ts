import { parseArgs } from "node:util";
import type { Actor } from "../domain/callers.ts";
import { ENVIRONMENTS } from "../domain/terms.ts";
import { FLAG, type Kind, oneOf, parseText, TEXT, TIME } from "../domain/values.ts";
import type { Database } from "../store/database.ts";

/** A value of a command line, declared once: its place in the usage line, its parser and its type. */
export interface Argument<Value> {
  readonly isOption: boolean;
  /** Its values in the usage line, such as `<business id>` or `test|live`; empty for a flag. */
  readonly shown: string;
  readonly expected: string;
  /** Returns undefined for an invalid text. */
  readonly parse: (text: string) => Value | undefined;
  /** The value of a line without it. An argument without a fallback is required. */
  readonly fallback?: Value;
  /** The option that may stand in its place: a line has one of both. */
  readonly replacedBy?: string;
}

/** A word of the line. `name`: its name in the usage line; a choice without one is shown by its words. */
export const positional = <Value>(kind: Kind<Value>, name?: string): Argument<Value> => ({
  isOption: false,
  shown: name === undefined ? ((kind.schema.enum ?? []) as string[]).join("|") : `<${name}>`,
  expected: kind.expected,
  parse: (text) => parseText(kind, text) ?? undefined,
});

export const option = <Value>(kind: Kind<Value>, name?: string): Argument<Value> => ({
  ...positional(kind, name),
  isOption: true,
});

/** An argument that may be left out: null then. */
export const maybe = <Value>(argument: Argument<Value>): Argument<Value | null> => ({ ...argument, fallback: null });

export const withDefault = <Value>(argument: Argument<Value>, fallback: NoInfer<Value>): Argument<Value> => ({
  ...argument,
  fallback,
});

/** An option in whose place another one may stand: null then. */
export const replaceable = <Value>(argument: Argument<Value>, replacedBy: string): Argument<Value | null> => ({
  ...maybe(argument),
  replacedBy,
});

/** An argument whose empty text is null. */
export const clearable = <Value>(argument: Argument<Value>): Argument<Value | null> => ({
  ...argument,
  parse: (text) => (text === "" ? null : argument.parse(text)),
});

export const flag = withDefault(option(FLAG), false);
/** The operation itself answers for an id that is none. */
export const BUSINESS = positional(TEXT, "business id");
export const ENVIRONMENT = withDefault(option(oneOf(ENVIRONMENTS)), "test");
export const SINCE = option({ ...TIME, expected: "a time in UTC such as 2026-11-20T09:00:00Z" }, "time");

type Arguments = Readonly<Record<string, Argument<unknown>>>;
type ValuesOf<Takes extends Arguments> = {
  readonly [Name in keyof Takes]: Takes[Name] extends Argument<infer Value> ? Value : never;
};

interface VerbDocs {
  /** The words that name it, such as `key add`. */
  readonly words: string;
  readonly does: string;
  /** Further lines for `--help`: facts to know before using it. */
  readonly more?: string;
}

interface Declaration<Context, Takes extends Arguments> extends VerbDocs {
  /** Positionals in their order, then options: `keyFile` is `--key-file`. Every verb also takes `--json` and `--help`. */
  readonly takes?: Takes;
  readonly run: (call: Context & ValuesOf<Takes>) => Promise<AdminAnswer>;
}

/** The rest of a command line, behind the words of its verb. */
export interface Line {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

interface Verb<Context> extends VerbDocs {
  readonly usage: string;
  readonly takes: Arguments;
  /** Refuses invalid values; returns what runs the verb with the others. */
  readonly read: (line: Line) => (context: Context) => Promise<AdminAnswer>;
}

export interface AdminContext {
  readonly database: Database;
  /** The user at the command line, as the audit log names them. */
  readonly actor: Actor;
}

/** A verb of `npm run admin`, declared by its feature. */
export type AdminVerb = Verb<AdminContext>;
/** A verb that needs no database: it may run on a machine without the service that has the key. */
export type ChainVerb = Verb<object> & { readonly withoutDatabase: true };

type None = Readonly<Record<never, never>>;
export const adminVerb = <Takes extends Arguments = None>(declared: Declaration<AdminContext, Takes>): AdminVerb =>
  declare(declared);
export const chainVerb = <Takes extends Arguments = None>(declared: Declaration<object, Takes>): ChainVerb => ({
  ...declare(declared),
  withoutDatabase: true,
});

function declare<Context, Takes extends Arguments>(declared: Declaration<Context, Takes>): Verb<Context> {
  const { takes = {} as Takes, run, ...docs } = declared;
  const all = Object.entries<Argument<unknown>>(takes);
  const shorter = all.filter(([, argument]) => !("fallback" in argument)).map(([name]) => usageOf(takes, name));
  const shown = all
    .filter(([name]) => !all.some(([, { replacedBy }]) => replacedBy === name))
    .map(([name]) => usageInFull(takes, name));
  return {
    ...docs,
    takes,
    usage: [docs.words, ...shown].join(" "),
    read: (line) => {
      const values = all.map(([name, { isOption, replacedBy, parse, expected, ...rest }], index) => {
        const text = isOption ? line.options[optionOf(name)] : line.positionals[index];
        const isReplaced = replacedBy !== undefined && line.options[optionOf(replacedBy)] !== undefined;
        if (replacedBy !== undefined && isReplaced === (text !== undefined))
          throw new AdminError(`Specify either ${usageOf(takes, name)} or ${usageOf(takes, replacedBy)}.`);
        if (text === undefined && "fallback" in rest) return [name, rest.fallback];
        const called = isOption ? `--${optionOf(name)}` : `the ${name}`;
        if (text === undefined) throw new AdminError(`Specify ${called}: ${[docs.words, ...shorter].join(" ")}.`);
        const value = parse(String(text));
        if (value === undefined)
          throw new AdminError(`${isOption ? `${called} takes` : `The ${name} must be`} ${expected}.`);
        return [name, value];
      });
      return (context) => run({ ...context, ...(Object.fromEntries(values) as ValuesOf<Takes>) });
    },
  };
}

const optionOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function usageOf(takes: Arguments, name: string): string {
  const { isOption, shown } = takes[name]!;
  return isOption ? `--${optionOf(name)} ${shown}`.trim() : shown;
}

function usageInFull(takes: Arguments, name: string): string {
  const [usage, argument] = [usageOf(takes, name), takes[name]!];
  if (argument.replacedBy !== undefined) return `(${usage} | ${usageOf(takes, argument.replacedBy)})`;
  if (!("fallback" in argument)) return usage;
  return argument.fallback ? `[${usage} (default ${argument.fallback})]` : `[${usage}]`;
}

export const findVerb = <Known extends VerbDocs>(verbs: readonly Known[], words: readonly string[]) =>
  verbs.find((verb) => verb.words.split(" ").every((word, index) => words[index] === word));

/** Splits the words of a command line that starts with those of the verb. */
export function readLine({ words, usage, takes }: AdminVerb | ChainVerb, all: readonly string[]) {
  const own = { type: "boolean" } as const;
  const options = Object.entries(takes)
    .filter(([, { isOption }]) => isOption)
    .map(([name, { shown }]) => [optionOf(name), { type: shown === "" ? "boolean" : "string" }] as const);
  try {
    const { values, positionals } = parseArgs({
      args: all.slice(words.split(" ").length),
      options: { ...Object.fromEntries(options), json: own, help: { ...own, short: "h" } },
      allowPositionals: true,
    });
    const extra = positionals[Object.keys(takes).length - options.length];
    if (extra !== undefined) throw new Error(`"${extra}" is one value too many. Put a value with spaces in quotes.`);
    const { json, help, ...given } = values as Line["options"];
    return { json: json === true, help: help === true, line: { positionals, options: given } };
  } catch (error) {
    throw new AdminError(`${(error as Error).message}\nUsage: ${usage}`);
  }
}

/** `--json` prints `result`; a person reads `text`. */
export interface AdminAnswer {
  readonly result: unknown;
  readonly text: string;
  /** True: the action was done, but its result could not be shown. The command ends with 1. */
  readonly failed?: boolean;
}

/** The verb is refused; the message says how to go on. */
export class AdminError extends Error {
  override readonly name = "AdminError";
}
