import { forgetKey, keyOf } from "@holdfast/ui/formKeys.ts";
import * as texts from "../catalogue/index.ts";
import { type CHANGES, type FILTERS, type Operations, ROUTES } from "./schema.ts";

export type OperationId = keyof Operations;
export type InputOf<Id extends OperationId> = Operations[Id]["input"];
export type ResultOf<Id extends OperationId> = Operations[Id]["result"];
/** Operations that change the answers of reads: `write` calls them. */
export type WriteId = keyof typeof CHANGES;
type CallId = Exclude<OperationId, WriteId>;
/** Operations that need no input. */
type Bare<Id extends OperationId> = { [Each in Id]: object extends InputOf<Each> ? Each : never }[Id];

/** Lists that go on page by page. */
export type ListId = keyof typeof FILTERS;
type Rows = { readonly [Id in ListId]: ResultOf<Id>["data"][number] };
export type RowOf<Id extends ListId> = Rows[Id];
interface ListPart<Row> {
  readonly data: readonly Row[];
  readonly hasMore: boolean;
  /** The place of the next page, of a list whose pages read a limited number of rows. Other lists go on behind the last row. */
  readonly next?: string | null;
  /** The environment's time, of such lists. */
  readonly at?: string;
}

/** The service refused, or did not answer. `message` is for the reader. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  /** What is wrong with each invalid field, by its name. */
  readonly fields: ReadonlyMap<string, string>;
  /** The reason of a refused operation, as a word. */
  readonly reason: string | null;
  readonly requestId: string | null;

  constructor(
    status: number,
    error: {
      code: string;
      message: string;
      param?: string;
      reason?: string;
      others?: readonly { readonly param: string; readonly message: string }[];
    },
    requestId: string | null,
  ) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    const first = error.param === undefined ? [] : [{ param: error.param, message: error.message }];
    this.fields = new Map([...first, ...(error.others ?? [])].map(({ param, message }) => [param, message]));
    this.reason = error.reason ?? null;
    this.requestId = requestId;
  }
}

/** Functions for calls whose answer needs a further step. */
export interface ClientHooks {
  /** Asks the user for a proof of identity; false: not given. */
  readonly proveUser: () => Promise<boolean>;
  /** The session has ended. */
  readonly endSession: () => void;
}

let hooks: ClientHooks = { proveUser: async () => false, endSession: () => undefined };
export const setClientHooks = (given: ClientHooks): void => {
  hooks = given;
};

const PREFIX = "/staff/v1";
/** A 401 of these means that a password or code is wrong, not that the session ended. */
const GIVES_PROOF = /^POST \/(sign-in|sign-up|password-resets|invitations\/read|proof)/;
const WAIT_MS_MAX = 30_000;

/**
 * Calls an operation of the staff API. If it needs a recent proof of identity, asks the user and repeats the call. Throws
 * {@link ApiError}.
 */
export function call<Id extends CallId>(id: Id, input: InputOf<Id>): Promise<ResultOf<Id>>;
export function call<Id extends Bare<CallId>>(id: Id): Promise<ResultOf<Id>>;
export function call(id: OperationId, input: AnyInput = {}): Promise<unknown> {
  return repeatWithProof(ROUTES[id], input);
}

/** The same for one part of a list. */
export const callList = <Id extends ListId>(
  id: Id,
  input: InputOf<Id>,
  part: { readonly limit?: string; readonly starting_after?: string | undefined },
) => {
  const { query, ...rest }: AnyInput = input;
  return repeatWithProof(ROUTES[id], { ...rest, query: { ...query, ...part } }) as Promise<ListPart<RowOf<Id>>>;
};

/**
 * Calls a write and nothing else. The caller itself fetches the reads that it changes. Sent again because no answer came,
 * it is not done twice.
 */
export async function callWrite<Id extends WriteId>(id: Id, input: InputOf<Id>): Promise<ResultOf<Id>> {
  const form = JSON.stringify([id, input]);
  try {
    const result = await repeatWithProof(ROUTES[id], input, { "Idempotency-Key": keyOf(form) });
    forgetKey(form);
    return result as ResultOf<Id>;
  } catch (error) {
    const isAnswer = error instanceof ApiError && error.status > 0 && error.status < 500;
    if (isAnswer && error.code !== "idempotency_in_progress") forgetKey(form);
    throw error;
  }
}

/** The same for a write whose body has an id of its own: sent again, it goes on. */
export const callResumable = <Id extends WriteId>(id: Id, input: InputOf<Id>): Promise<ResultOf<Id>> =>
  repeatWithProof(ROUTES[id], input) as Promise<ResultOf<Id>>;

interface AnyInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

type Headers = Readonly<Record<string, string>>;

async function repeatWithProof(route: string, input: AnyInput, headers: Headers = {}): Promise<unknown> {
  try {
    return await send(route, input, headers);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "proof_required" && (await hooks.proveUser())) return await send(route, input, headers);
    if (error.status === 401 && !GIVES_PROOF.test(route)) hooks.endSession();
    throw error;
  }
}

async function send(route: string, { path = {}, query = {}, body }: AnyInput, headers: Headers): Promise<unknown> {
  const [method = "GET", template = ""] = route.split(" ");
  const pathname = fillPath(template, path);
  const search = searchOf(query);
  const answer = await fetch(`${PREFIX}${pathname}${search.size === 0 ? "" : `?${search}`}`, {
    method,
    credentials: "same-origin",
    signal: AbortSignal.timeout(WAIT_MS_MAX),
    headers: body === undefined ? headers : { ...headers, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => null);
  if (answer === null) throw unreachable();
  const requestId = answer.headers.get("request-id");
  const json = (await answer.json().catch(() => null)) as { error?: ConstructorParameters<typeof ApiError>[1] } | null;
  if (answer.ok && json !== null) return json;
  throw new ApiError(answer.status, json?.error ?? UNREADABLE, requestId);
}

const fillPath = (template: string, path: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
const searchOf = (query: Readonly<Record<string, string | undefined>>): URLSearchParams =>
  new URLSearchParams(Object.entries(query).filter((pair): pair is [string, string] => !!pair[1]));

/** The address of a list's export, a file with all rows that pass the filters. */
export function exportUrl(
  list: ListId,
  path: Readonly<Record<string, string>>,
  filters: Readonly<Record<string, string | undefined>>,
  options: URLSearchParams,
): string {
  const [, template = ""] = ROUTES[list].split(" ");
  const search = searchOf(filters);
  for (const [name, value] of options) search.append(name, value);
  return `${PREFIX}${fillPath(template, path)}/export?${search}`;
}

const UNREADABLE = { code: "unreadable", message: texts.api.unreadable };
const unreachable = () => new ApiError(0, { code: "unreachable", message: texts.api.unreachable }, null);
