import { readFileSync } from "node:fs";
import { isAddress } from "../domain/addresses.ts";
import { ADDRESS, checked, type Kind, matching as kindOf, oneOf, UNITS, whole } from "../domain/values.ts";
import { BARE_PASSWORD_TEXT } from "../store/hosts.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** The position of a value in the settings, and the list of sentences about all errors. */
class Place {
  readonly #variable: string;
  readonly #path: string;
  readonly #env: Env;
  readonly problems: string[];

  constructor(variable: string, problems: string[], env: Env, path = "") {
    this.#variable = variable;
    this.#path = path;
    this.#env = env;
    this.problems = problems;
  }

  get name(): string {
    return this.#path === "" ? this.#variable : `${this.#path} in ${this.#variable}`;
  }

  member(name: string): Place {
    return new Place(this.#variable, this.problems, this.#env, this.#path === "" ? name : `${this.#path}.${name}`);
  }

  /** The path of a file; undefined for a credential that is not there, which it then reports. */
  locate(path: string): string | undefined {
    return locate(path, this.#env) ?? this.refuse(`names ${path}, and ${NO_CREDENTIALS}`);
  }

  refuse(sentence: string): undefined {
    this.problems.push(`${this.name} ${sentence}`);
  }
}

/** The end of a sentence. */
export const NO_CREDENTIALS = "CREDENTIALS_DIRECTORY, which systemd sets for its units, is not there.";

/**
 * The path of a file in the settings. `credentials:name` is a credential of systemd, whose folder differs from unit to unit;
 * null where there is none.
 */
export function locate(path: string, { CREDENTIALS_DIRECTORY: folder }: Env): string | null {
  const name = /^credentials:([\w.-]+)$/.exec(path)?.[1];
  if (name === undefined) return path;
  return folder ? `${folder}/${name}` : null;
}

/** The values that a setting accepts. */
export interface Form<Value> {
  /** Its description, as in "must be …". */
  readonly expected: string;
  /** Returns the JSON value of a variable's text; undefined if there is none, which it then reports at the place. */
  readonly fromText: (text: string, place: Place) => unknown;
  /** Returns undefined if the value is invalid, which it then reports at the place. */
  readonly parse: (given: unknown, place: Place) => Value | undefined;
  /** The members of an object; null for any other value. */
  readonly members: Settings | null;
}

/** A variable or a member, declared once: its reader, type, default, errors and row in docs/settings.md come from here. */
export interface Setting<Value> {
  readonly form: Form<Value>;
  /** Undefined: it is required. */
  readonly fallback: Value | undefined;
  /** The purpose, for docs/settings.md. */
  readonly says: string;
  /** The words for the default in docs/settings.md; null: the default itself. */
  readonly shown: string | null;
}

export type Settings = Readonly<Record<string, Setting<unknown>>>;
export type Values<Declared extends Settings> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Setting<infer Value> ? Value : never;
};

export const needed = <Value>(form: Form<Value>, says: string): Setting<Value> => ({
  form,
  fallback: undefined,
  says,
  shown: "needed",
});

export const setting = <Value, const Fallback extends Value | null>(
  form: Form<Value>,
  fallback: Fallback,
  says: string,
  shown: string | null = null,
): Setting<Value | Fallback> => ({ form, fallback, says, shown });

interface FormOptions {
  readonly fromText?: (text: string) => unknown;
  /** The value may hold a password or a key: no error repeats it. */
  readonly isSecret?: boolean;
}

/** For an invalid value `parse` returns undefined, or throws the end of a sentence. */
export const form = <Value>(
  expected: string,
  parse: (given: unknown) => Value | undefined,
  { fromText = (text) => text, isSecret = false }: FormOptions = {},
): Form<Value> => ({
  expected,
  fromText,
  members: null,
  parse: (given, place) => {
    try {
      const value = parse(given);
      if (value !== undefined) return value;
    } catch (error) {
      return place.refuse((error as Error).message);
    }
    const isShown = !isSecret && typeof given !== "object";
    return place.refuse(`must be ${expected}${isShown ? `, not ${JSON.stringify(given)}` : ""}.`);
  },
});

/** The values of a kind. */
const ofKind = <Value>({ schema, expected, parse }: Kind<Value>, options: FormOptions = {}): Form<Value> =>
  form(expected, (given) => parse(given) ?? undefined, {
    ...(schema.type === "integer" && { fromText: numberOf }),
    ...options,
  });
const numberOf = (given: string): unknown => (/^\d+$/.test(given) ? Number(given) : given);

const someText = checked({}, "a text", (given) => given !== "");
export const text = ofKind(someText);
export const matching = (pattern: RegExp, expected: string) => ofKind(kindOf(pattern, expected));
export const secret = ofKind(someText, { isSecret: true });
/** An operator may paste a key in place of its file's name; the error does not repeat it. */
const filePath = ofKind(kindOf(/^[^[{]/, "the path of a file"), { isSecret: true });
export const file: Form<string> = {
  ...filePath,
  parse: (given, place) => {
    const path = filePath.parse(given, place);
    return path === undefined ? undefined : place.locate(path);
  },
};
export const address = ofKind({ ...ADDRESS, expected: "a Solana address" });
export const addressOr = (word: string) =>
  ofKind(checked({}, `a Solana address or ${word}`, (given) => given === word || isAddress(given)));

export const integer = (min: number, max: number) => ofKind(whole(min, max));
export const choice = <const Choice extends string>(...choices: readonly Choice[]) => ofKind(oneOf(choices));

export const toggle: Form<boolean> = form("on or off", (given) =>
  given === "on" || given === true ? true : given === "off" || given === false ? false : undefined,
);

/** A password that is not encoded ends the name of the host: the rest is no port. */
const bareUrl = (protocols: readonly string[], text: string): boolean =>
  protocols.some((one) => text.startsWith(`${one}//`)) && /@/.test(text) && !URL.canParse(text);

/** Without a trailing slash. Addresses of databases and nodes hold passwords and keys. */
export const url = (...protocols: readonly string[]): Form<string> =>
  form(
    `an address that starts with ${protocols.map((one) => `${one}//`).join(" or ")}`,
    (given) => {
      if (bareUrl(protocols, String(given))) throw new Error(BARE_PASSWORD_TEXT);
      return protocols.includes(URL.parse(String(given))?.protocol ?? "")
        ? String(given).replace(/\/+$/, "")
        : undefined;
    },
    { isSecret: true },
  );

/** In a variable, parts between commas; in JSON an array, or one value alone. */
export const list = <Value>(item: Form<Value>, itemsMin = 0): Form<readonly Value[]> => ({
  expected: `a list; each is ${item.expected}`,
  members: null,
  fromText: (given) =>
    given
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  parse: (given, place) => {
    const items: readonly unknown[] = Array.isArray(given) ? given : [given];
    if (items.length < itemsMin) place.refuse(`must have ${itemsMin} at least.`);
    return items.map((one) => item.parse(one, place)).filter((value) => value !== undefined);
  },
});

const amountOf = (given: unknown): bigint | undefined => {
  const units = UNITS.parse(Number.isSafeInteger(given) ? String(given) : given);
  return units === null ? undefined : BigInt(units);
};

/** An object from mints to amounts; `other`: a word that may replace a mint. */
export const amounts = (other?: string): Form<ReadonlyMap<string, bigint>> =>
  form(
    `an object with an amount for each mint${other === undefined ? "" : `, or for ${other}`}, in its smallest unit, such as {"EPjF…Dt1v": "5000000"}`,
    (given) => {
      if (!isObject(given)) return undefined;
      const pairs = Object.entries(given).map(([mint, amount]) => [mint, amountOf(amount)] as const);
      const isRight = ([mint, amount]: (typeof pairs)[number]) =>
        (mint === other || isAddress(mint)) && amount !== undefined;
      return pairs.every(isRight) ? new Map(pairs as (readonly [string, bigint])[]) : undefined;
    },
  );

export const isObject = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === "object" && given !== null && !Array.isArray(given);

/**
 * A JSON object. As a variable it is the JSON itself, or the path of a file that holds it. `check` adds rules between
 * members, once every member is valid.
 */
export const object = <Declared extends Settings>(
  members: Declared,
  check: (values: Values<Declared>, member: (name: keyof Declared & string) => Place) => void = () => undefined,
): Form<Values<Declared>> & { readonly members: Declared } => ({
  expected: "a JSON object",
  members,
  fromText: readJson,
  parse: (given, place) => {
    if (!isObject(given)) return place.refuse("must be a JSON object.");
    const before = place.problems.length;
    for (const name of Object.keys(given))
      if (!Object.hasOwn(members, name)) place.member(name).refuse(`is unknown. ${nearestOf(name, members)}`);
    const values = readMembers(members, (name) => [given[name], place.member(name)]);
    if (place.problems.length === before) check(values, (name) => place.member(name));
    return values;
  },
});

type Found = readonly [given: unknown, place: Place];

function readMembers<Declared extends Settings>(declared: Declared, find: (name: string) => Found): Values<Declared> {
  const entries = Object.entries(declared).map(([name, { form, fallback }]) => {
    const [given, place] = find(name);
    if (given !== undefined && given !== null) return [name, form.parse(given, place) ?? fallback];
    if (fallback === undefined) place.refuse("is needed.");
    return [name, fallback];
  });
  return Object.fromEntries(entries) as Values<Declared>;
}

/** A text, or the address of a node, in the place of a file's name. */
const NO_PATH = /^\s*[[{"]|:\/\//;

/** No error repeats the text: addresses of nodes hold keys. */
function readJson(given: string, place: Place): unknown {
  const isFile = !NO_PATH.test(given);
  const path = isFile ? place.locate(given) : null;
  if (path === undefined) return undefined;
  try {
    return JSON.parse(path === null ? given : readFileSync(path, "utf8"));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const position = / \(line \d+ column \d+\)$/.exec(message)?.[0] ?? "";
    const reason = code === undefined ? `is no JSON${position}` : `cannot be read (${code})`;
    return place.refuse(`${isFile ? `names a file, ${given},` : "holds a text"} that ${reason}.`);
  }
}

/** Lists the paths of all members, including those of nested objects. */
const pathsOf = (members: Settings): string[] =>
  Object.entries(members).flatMap(([name, { form }]) => [
    name,
    ...pathsOf(form.members ?? {}).map((path) => `${name}.${path}`),
  ]);

const NEAREST_MAX = 3;

function nearestOf(name: string, members: Settings): string {
  const plain = (path: string) => path.replace(/[._]/g, "").toLowerCase();
  const known = pathsOf(members)
    .map((path) => ({ path, distance: distance(plain(name), plain(path)) }))
    .sort((one, other) => one.distance - other.distance);
  const near = known.filter((one) => one.distance <= known[0]!.distance + 1).slice(0, NEAREST_MAX);
  return `Did you mean ${near.map(({ path }) => path).join(" or ")}?`;
}

/** Counts the letters to add, remove or replace between two texts. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [place, found] of [...other].entries())
      next.push(Math.min(row[place + 1]! + 1, next[place]! + 1, row[place]! + (letter === found ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}

/** `rpcPort` is read from `RPC_PORT`; earlier, `keeper.keyFile` was read from `…_KEEPER_KEY_FILE`. */
export const variableOf = (path: string): string =>
  path
    .replaceAll(".", "_")
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase();

/**
 * The present names of variables that became members, by their earlier variable: `LIVE_RPC_URLS` is `rpcUrls in
 * LIVE_CHAIN`.
 */
export const renamedIn = (declared: Settings): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(declared).flatMap(([name, { form }]) => {
      const variable = variableOf(name);
      const prefix = variable.replace(/_CHAIN$/, "");
      return pathsOf(form.members ?? {}).map((path) => [`${prefix}_${variableOf(path)}`, `${path} in ${variable}`]);
    }),
  );

const findVariable = (form: Form<unknown>, variable: string, env: Env, problems: string[]): Found => {
  const place = new Place(variable, problems, env);
  const given = env[variable];
  return [given ? form.fromText(given, place) : undefined, place];
};

/** Reads the variables of all these settings; an empty one counts as not set. */
export const readVariables = <Declared extends Settings>(
  declared: Declared,
  env: Env,
  problems: string[],
): Values<Declared> =>
  readMembers(declared, (name) => findVariable(declared[name]!.form, variableOf(name), env, problems));

/** Reads one variable; null if it is not set, or invalid. */
export function readVariable<Value>(form: Form<Value>, variable: string, env: Env, problems: string[]): Value | null {
  const [given, place] = findVariable(form, variable, env, problems);
  return given === undefined ? null : (form.parse(given, place) ?? null);
}

/** Reads members that the code itself chose. Throws if they are invalid, which is a bug. */
export function readOwn<Value>(form: Form<Value>, given: unknown): Value {
  const problems: string[] = [];
  const value = form.parse(given, new Place("code", problems, {}));
  if (problems.length > 0) throw new Error(problems.join(" "));
  return value!;
}
