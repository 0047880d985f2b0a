import type { JsonObject } from "../../domain/json.ts";
import type { JsonText } from "../../domain/show.ts";
import type { Declaration, InputOf } from "./declaration.ts";
import { parseNoBody } from "./fields.ts";
import type { Committed, IdempotentWrite } from "./idempotency.ts";
import { queryParser } from "./parameters.ts";
import type { Reply } from "./reply.ts";

export type { Reply };

/** A request that has passed every check before the operation (§7.1). */
export interface Call<Caller, Input> {
  readonly caller: Caller;
  /** The environment's current time by the database, read when the caller was admitted. */
  readonly now: Date;
  readonly params: Readonly<Record<string, string>>;
  readonly input: Input;
}
export interface ReadCall<Caller, Input> extends Call<Caller, Input> {
  /** Aborts if the client hangs up, or shuts its sending side, before its answer. Only operations that wait use it. */
  readonly hangUp: () => AbortSignal;
}
export interface WriteCall<Caller, Input> extends Call<Caller, Input> {
  readonly write: IdempotentWrite;
  /** Runs a person's form at most once, if the request has an Idempotency-Key (§13.4.6). Doors with tenants do not use it. */
  readonly once: Once;
}
export type Once = <Result>(work: () => Promise<Result>) => Promise<Result>;

export type WriteMethod = "POST" | "PUT" | "PATCH" | "DELETE";

interface AnyRoute {
  /** The path below the door's prefix, with `:name` parameters. */
  readonly path: string;
  /** A route without docs requires a body if it writes. */
  readonly docs?: Declaration<string>;
}
interface OpenReadRoute<Caller> extends AnyRoute {
  readonly method: "GET";
  readonly run: (call: ReadCall<Caller, URLSearchParams>) => Promise<Reply>;
}
interface OpenWriteRoute<Caller> extends AnyRoute {
  readonly method: WriteMethod;
  readonly run: (call: WriteCall<Caller, JsonObject>) => Promise<Committed>;
}
/** An operation outside any document. */
export type OpenRoute<Caller> = OpenReadRoute<Caller> | OpenWriteRoute<Caller>;

/** `run` parses the input, or throws `invalid_request`; the operation runs only if that passed. */
export interface ReadRoute<Caller> extends OpenReadRoute<Caller> {
  readonly docs: Declaration;
}
export interface WriteRoute<Caller> extends OpenWriteRoute<Caller> {
  readonly docs: Declaration;
}
/** An operation for one kind of caller. A door of another kind does not accept it: its callers have other types. */
export type Route<Caller> = ReadRoute<Caller> | WriteRoute<Caller>;

/** Declares an operation that changes nothing: its input is the query, if its declaration has one. */
export function readRoute<Caller, const Declared extends Declaration & { readonly body?: never }>(
  path: string,
  docs: Declared,
  operation: (call: ReadCall<Caller, InputOf<Declared>>) => Promise<Reply>,
): ReadRoute<Caller> {
  const parse = docs.query === undefined ? () => null : queryParser(docs.query);
  return {
    method: "GET",
    path,
    docs,
    run: ({ caller, now, params, input, hangUp }) =>
      operation({ caller, now, params, input: parse(input) as InputOf<Declared>, hangUp }),
  };
}

/** Declares an operation that writes: its input is the body, if its declaration has one. It ends in `write.commit`. */
export function writeRoute<Caller, const Declared extends Declaration & { readonly query?: never }>(
  method: WriteMethod,
  path: string,
  docs: Declared,
  operation: (call: WriteCall<Caller, InputOf<Declared>>) => Promise<Committed>,
): WriteRoute<Caller> {
  const parse = docs.body?.parse ?? parseNoBody;
  return {
    method,
    path,
    docs,
    run: (call) => operation({ ...call, input: parse(call.input) as InputOf<Declared> }),
  };
}

export const ok = (body: JsonText): Reply => ({ status: 200, body });
export const created = (body: JsonText): Reply => ({ status: 201, body });
