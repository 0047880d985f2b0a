import { addressBytes, fromBase58 } from "../ledger/base58.ts";
import type { Commitment } from "../ledger/slots.ts";
import { invalidParams } from "./errors.ts";

export type Config = Readonly<Record<string, unknown>>;

/** The parameters of one request, read by position; what is wrong is said in a validator's words. */
export class Params {
  readonly #list: readonly unknown[];

  constructor(raw: unknown, mostly: number) {
    if (raw !== undefined && raw !== null && !Array.isArray(raw)) throw invalidParams("`params` should be an array");
    this.#list = (raw as unknown[] | null | undefined) ?? [];
    if (this.#list.length > mostly) throw invalidParams("Invalid params: too many parameters.");
  }

  /** Refuses what a node answers that knows no `confirmed` any more. */
  refuseConfirmed(): void {
    for (const value of this.#list) {
      const { commitment, preflightCommitment } = Object(value) as Config;
      if (commitment === "confirmed" || preflightCommitment === "confirmed")
        throw invalidParams("Invalid params: unknown variant `confirmed`, expected `processed` or `finalized`.");
    }
  }

  raw = (index: number): unknown => this.#list[index];

  config(index: number): Config {
    const value = this.#list[index];
    if (value === undefined || value === null) return {};
    if (typeof value !== "object" || Array.isArray(value))
      throw invalidParams("Invalid params: invalid type, expected a configuration object.");
    return value as Config;
  }

  string(index: number): string {
    const value = this.#list[index];
    if (value === undefined) throw invalidParams(`\`params\` should have at least ${index + 1} argument(s)`);
    if (typeof value !== "string") throw invalidParams("Invalid params: invalid type, expected a string.");
    return value;
  }

  address = (index: number): string => readAddress(this.string(index));

  signature = (index: number): string => readSignature(this.string(index));

  /** A list of strings, at most `most` of them. */
  strings(index: number, most: number): string[] {
    const value = this.#list[index];
    if (!Array.isArray(value) || value.some((one) => typeof one !== "string")) {
      throw invalidParams("Invalid params: invalid type, expected a list of strings.");
    }
    if (value.length > most) throw invalidParams(`Too many inputs provided; max ${most}`);
    return value as string[];
  }

  integer = (index: number): number => readInteger(this.#list[index], "a u64");
}

export function readAddress(text: unknown): string {
  if (typeof text !== "string") throw invalidParams("Invalid params: invalid type, expected a string.");
  if (addressBytes(text)) return text;
  throw invalidParams(`Invalid param: ${fromBase58(text) ? "WrongSize" : "Invalid"}`);
}

export function readSignature(text: unknown): string {
  if (typeof text !== "string") throw invalidParams("Invalid params: invalid type, expected a string.");
  const bytes = text.length <= 88 ? fromBase58(text) : new Uint8Array();
  if (bytes?.length === 64) return text;
  throw invalidParams(`Invalid param: ${bytes ? "WrongSize" : "Invalid"}`);
}

export function readInteger(value: unknown, expected: string): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) {
    throw invalidParams(`Invalid params: invalid type, expected ${expected}.`);
  }
  return value;
}

export function readCommitment(config: Config, byDefault: Commitment = "finalized"): Commitment {
  const value = config.commitment ?? byDefault;
  if (value === "processed" || value === "confirmed" || value === "finalized") return value;
  throw invalidParams("Invalid params: unknown variant, expected one of `processed`, `confirmed`, `finalized`.");
}

/** History is kept from `confirmed` on. */
export function readHistoryCommitment(config: Config): Commitment {
  const commitment = readCommitment(config);
  if (commitment === "processed") throw invalidParams("Method does not support commitment below `confirmed`");
  return commitment;
}

export function readChoice<T extends string>(config: Config, name: string, choices: readonly T[], byDefault: T): T {
  const value = config[name] ?? byDefault;
  const found = choices.find((choice) => choice === value);
  if (found === undefined) {
    throw invalidParams(
      `Invalid params: unknown ${name}, expected one of ${choices.map((one) => `\`${one}\``).join(", ")}.`,
    );
  }
  return found;
}
