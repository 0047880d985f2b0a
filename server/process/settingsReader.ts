import { isAddress } from "../domain/addresses.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** Reads single settings of an environment, and collects what is wrong with them, a line each. */
export class SettingsReader {
  readonly problems: string[] = [];
  readonly #env: Env;

  constructor(env: Env) {
    this.#env = env;
  }

  refuse(line: string): void {
    this.problems.push(line);
  }

  /** Null where it is not set; an empty value counts as not set. */
  text(name: string): string | null {
    return this.#env[name] || null;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const given = this.text(name);
    if (given === null) return fallback;
    const number = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    if (number >= min && number <= max) return number;
    this.refuse(`${name} must be a whole number from ${min} to ${max}, not "${given}".`);
    return fallback;
  }

  /** One of the words; the first of them where it is not set. */
  choice<const Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Choice {
    const given = this.text(name);
    const choice = given === null ? choices[0] : choices.find((known) => known === given);
    if (choice === undefined) this.refuse(`${name} must be one of ${choices.join(", ")}, not "${given}".`);
    return choice ?? choices[0];
  }

  /** Those of the words that it names, between commas. */
  choices<const Choice extends string>(name: string, choices: readonly Choice[]): ReadonlySet<Choice> {
    const given = this.list(name);
    for (const one of given)
      if (!choices.some((known) => known === one))
        this.refuse(`${name} takes ${choices.join(", ")}, or several of them between commas; not "${one}".`);
    return new Set(choices.filter((choice) => given.includes(choice)));
  }

  /** Parts between commas. */
  list(name: string): string[] {
    return (this.text(name) ?? "")
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  }

  /** Without a trailing slash; null where neither it nor a fallback is given. */
  url<Fallback extends string | null>(
    name: string,
    fallback: Fallback,
    protocols: readonly string[],
  ): string | Fallback {
    const given = this.text(name) ?? fallback;
    return given === null ? fallback : this.#checkUrl(name, given, protocols);
  }

  urls(name: string, protocols: readonly string[]): string[] {
    return this.list(name).map((item) => this.#checkUrl(name, item, protocols));
  }

  /** The message does not repeat the value: addresses of databases and nodes hold passwords and keys. */
  #checkUrl(name: string, given: string, protocols: readonly string[]): string {
    const parsed = URL.parse(given);
    if (parsed === null || !protocols.includes(parsed.protocol))
      this.refuse(`${name} must be an address that starts with ${protocols.map((one) => `${one}//`).join(" or ")}.`);
    return given.replace(/\/+$/, "");
  }

  /** Null where it is not set. */
  matching(name: string, pattern: RegExp, form: string): string | null {
    const given = this.text(name);
    if (given === null || pattern.test(given)) return given;
    this.refuse(`${name} must be ${form}, not "${given}".`);
    return null;
  }

  address(name: string): string {
    const given = this.text(name);
    if (given !== null && isAddress(given)) return given;
    this.refuse(
      given === null ? `${name} is needed with the RPC URLs.` : `${name} must be a Solana address, not "${given}".`,
    );
    return "";
  }

  /** `others`: words that may stand in place of an address. */
  addresses(name: string, others: readonly string[] = []): ReadonlySet<string> {
    const given = this.list(name);
    for (const one of given)
      if (!others.includes(one) && !isAddress(one)) this.refuse(`${name} must be Solana addresses; "${one}" is none.`);
    return new Set(given);
  }

  /** A setting with a form of its own: `parse` throws a sentence about it. */
  parsed<Value>(name: string, parse: (text: string | null) => Value, fallback: Value): Value {
    try {
      return parse(this.text(name));
    } catch (error) {
      this.refuse((error as Error).message);
      return fallback;
    }
  }
}
