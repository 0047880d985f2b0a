import { type Operations, ROUTES } from "./schema.ts";

export type OperationId = keyof Operations;
type Part<Id extends OperationId, Name extends "path" | "query" | "body"> = Operations[Id][Name] extends null
  ? { readonly [Key in Name]?: never }
  : Name extends "query"
    ? { readonly query?: Operations[Id]["query"] }
    : { readonly [Key in Name]: Operations[Id][Name] };
/** What an operation takes: only the parts that it has. */
export type InputOf<Id extends OperationId> = Part<Id, "path"> & Part<Id, "query"> & Part<Id, "body">;
export type ResultOf<Id extends OperationId> = Operations[Id]["result"];
/** Operations that need nothing to be given. */
type Inputs<Id extends OperationId> = object extends InputOf<Id> ? [input?: InputOf<Id>] : [input: InputOf<Id>];

/** An answer that says no, or none at all. `message` is for the reader. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  /** The field that is wrong, where one is. */
  readonly param: string | null;
  /** Why an operation cannot be done, as a word. */
  readonly reason: string | null;
  readonly requestId: string | null;

  constructor(
    status: number,
    error: { code: string; message: string; param?: string; reason?: string },
    requestId: string | null,
  ) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.param = error.param ?? null;
    this.reason = error.reason ?? null;
    this.requestId = requestId;
  }
}

/** What the pages do when an answer asks for something first. */
export interface ClientHooks {
  /** Asks the user to prove that they are there; false: they would not. */
  readonly proveUser: () => Promise<boolean>;
  /** Nobody is signed in any more. */
  readonly endSession: () => void;
}

let hooks: ClientHooks = { proveUser: async () => false, endSession: () => undefined };
export const setClientHooks = (given: ClientHooks): void => {
  hooks = given;
};

const PREFIX = "/staff/v1";
/** A 401 of these says that what was given is wrong, not that a session ended. */
const GIVES_PROOF = /^POST \/(sign-in|sign-up|password-resets|invitations\/read|proof)/;
const WAIT_MS_MAX = 30_000;

/**
 * Calls an operation of the staff API. Where it needs a recent proof of the user, the user is asked and it is repeated.
 * Throws {@link ApiError}.
 */
export async function call<Id extends OperationId>(id: Id, ...inputs: Inputs<Id>): Promise<ResultOf<Id>> {
  const input = (inputs[0] ?? {}) as AnyInput;
  try {
    return (await send(ROUTES[id], input)) as ResultOf<Id>;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "proof_required" && (await hooks.proveUser()))
      return (await send(ROUTES[id], input)) as ResultOf<Id>;
    if (error.status === 401 && !GIVES_PROOF.test(ROUTES[id])) hooks.endSession();
    throw error;
  }
}

interface AnyInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

async function send(route: string, { path = {}, query = {}, body }: AnyInput): Promise<unknown> {
  const [method = "GET", template = ""] = route.split(" ");
  const pathname = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
  const search = new URLSearchParams(Object.entries(query).filter((pair): pair is [string, string] => !!pair[1]));
  const answer = await fetch(`${PREFIX}${pathname}${search.size === 0 ? "" : `?${search}`}`, {
    method,
    credentials: "same-origin",
    signal: AbortSignal.timeout(WAIT_MS_MAX),
    ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  }).catch(() => null);
  if (answer === null) throw unreachable();
  const requestId = answer.headers.get("request-id");
  const json = (await answer.json().catch(() => null)) as { error?: ConstructorParameters<typeof ApiError>[1] } | null;
  if (answer.ok && json !== null) return json;
  throw new ApiError(answer.status, json?.error ?? UNREADABLE, requestId);
}

const UNREADABLE = {
  code: "unreadable",
  message: "The answer could not be read. Something between this page and the service changed it.",
};
const unreachable = () =>
  new ApiError(
    0,
    { code: "unreachable", message: "The service cannot be reached. Check your connection, and try again." },
    null,
  );
