import type { Merchant } from "../../domain/callers.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { JsonText } from "../../domain/show.ts";
import type { Documentation } from "./documentation.ts";
import type { Writing } from "./idempotency.ts";

/** What a merchant's request has come to once every check before the operation has passed (contract: order of checks). */
export interface Call<Input> {
  readonly caller: Merchant;
  /** The environment's present, by the database, read with the key. */
  readonly now: Date;
  readonly params: Readonly<Record<string, string>>;
  readonly input: Input;
  readonly writing: Writing;
}

export interface Reply {
  readonly status: 200 | 201;
  readonly body: JsonText;
}

/** Where an operation takes its input from. `none`: no body, an empty one or `{}`. */
type Input<T> = { readonly docs: Documentation } & (
  | { readonly from: "query"; readonly read: (query: URLSearchParams) => T }
  | { readonly from: "body" | "none"; readonly read: (body: JsonObject) => T }
);

export interface MerchantRoute {
  readonly method: "GET" | "POST";
  /** Below `/api/v1`, with `:name` parameters. */
  readonly path: string;
  readonly inputFrom: "query" | "body" | "none";
  readonly docs: Documentation;
  /** Reads the input, or throws `invalid_request`; the operation runs only if that passed. */
  readonly run: (call: Call<{ query: URLSearchParams; body: JsonObject }>) => Promise<Reply>;
}

/** Declares a route whose operation gets its input read and typed. */
export const route = <T>(
  method: "GET" | "POST",
  path: string,
  input: Input<T>,
  operation: (call: Call<T>) => Promise<Reply>,
): MerchantRoute => ({
  method,
  path,
  inputFrom: input.from,
  docs: input.docs,
  run: ({ caller, now, params, input: given, writing }) => {
    const read = input.from === "query" ? input.read(given.query) : input.read(given.body);
    return operation({ caller, now, params, input: read, writing });
  },
});

export const ok = (body: JsonText): Reply => ({ status: 200, body });
export const created = (body: JsonText): Reply => ({ status: 201, body });
