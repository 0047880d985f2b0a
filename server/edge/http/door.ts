import type { IncomingMessage, ServerResponse } from "node:http";
import { ChainUnavailableError } from "../../chain/port.ts";
import type { Tenant } from "../../domain/callers.ts";
import { ApiError, showError } from "../../domain/errors.ts";
import { newRequestId } from "../../domain/ids.ts";
import type { JsonObject } from "../../domain/json.ts";
import { API_VERSION } from "../../domain/version.ts";
import { OverloadedError } from "../../lib/batch.ts";
import { DatabaseUnavailableError } from "../../store/unavailable.ts";
import type { App, Handler, Request, Reply as Response } from "./app.ts";
import { readBody } from "./body.ts";
import { formOf } from "./formKeys.ts";
import { CONTINUE, checkHeaders, checkVersion, DATA_HEADERS, parseIdempotencyKey } from "./headers.ts";
import { type Answer, fingerprintOf, type Idempotency } from "./idempotency.ts";
import type { Once, OpenRoute, Reply, Route } from "./route.ts";
import { writeRest } from "./stream.ts";

/** The entry for one kind of caller: its admission, and the operations behind it. */
export interface Door<Caller, Behind extends OpenRoute<Caller> = Route<Caller>> {
  /** The start of all its paths: `/api/v1`. Null: its routes have paths anywhere, and it owns no others. */
  readonly prefix: string | null;
  readonly routes: readonly Behind[];
  /** Further headers of every answer of a route; null: no route matches the path or method. */
  readonly headersOf?: (route: Behind | null) => Readonly<Record<string, string>>;
  /** Refuses a request that may never enter, by its headers; the first check of all. */
  readonly refuse: (request: IncomingMessage) => void;
  /** Returns the caller, or throws; sets headers that every later answer carries. Runs before the path is checked. */
  readonly admit: (request: IncomingMessage, response: Response, route: Behind | null) => Promise<Admission<Caller>>;
  /** Throws if the caller may not use the route (§5.10); the first check once the route is known. */
  readonly permit: (caller: Caller, route: Behind) => void;
  /** Returns the tenant of a caller's Idempotency-Keys. Null: people's keys, which an operation uses by `once`. */
  readonly tenantOf: ((caller: Caller) => Tenant) | null;
  /** False: its answers carry no id and no version of the API, and a request cannot ask for a version (§9.3). Default: true. */
  readonly isApi?: boolean;
  /** Turns an error into its answer; default: the API's. `unexpected` logs an error without an answer of its own. */
  readonly refusalOf?: (
    error: unknown,
    route: Behind | null,
    unexpected: (error: unknown) => void,
    headers: IncomingMessage["headers"],
  ) => Refusal;
  /** Called after every answer to a request that was read, once it was sent whole. */
  readonly onAnswered?: (request: IncomingMessage, answered: Answered) => void;
  /** The message of the 404 if no route matches the path or method. */
  readonly noEndpoint: string;
}

/** The answer to an error. */
interface Refusal {
  readonly status: number;
  readonly text: string;
  readonly retryAfterSeconds: number | null;
  /** True if the connection ends with the answer. */
  readonly closes: boolean;
}

/** A request with its answer. */
export interface Answered {
  readonly requestId: string;
  readonly method: string;
  /** The URL as received, with its query. */
  readonly url: string;
  /** The parameters in its path. */
  readonly params: Readonly<Record<string, string>>;
  readonly status: number;
  readonly durationMs: number;
  /** The members of its body; null if it was not read. */
  readonly members: JsonObject | null;
  /** The text of the answer; null if it has none. */
  readonly answer: string | null;
}

interface Admission<Caller> {
  readonly caller: Caller;
  /** The environment's current time. */
  readonly now: Date;
}

export interface DoorDeps {
  readonly idempotency: Idempotency;
  /** Deadline of a body's arrival. */
  readonly bodyWaitMs: number;
  readonly logError: (message: string, error: unknown) => void;
}

const JSON_TYPE = "application/json; charset=utf-8";

/** The door's record of an answer. */
interface Noted {
  members: JsonObject | null;
  answer: string | null;
}

/**
 * Opens a door. The checks run in the order of §7.1, which is the order of the code: the door's refusal, headers, the
 * door's admission, route, the caller's permission, then for a request that writes type, size, JSON, Idempotency-Key and
 * version, and last the operation.
 */
export function registerDoor<Caller, Behind extends OpenRoute<Caller>>(
  app: App,
  door: Door<Caller, Behind>,
  deps: DoorDeps,
): void {
  const prefix = door.prefix ?? "";
  for (const route of door.routes) app.on(route.method, `${prefix}${route.path}`, handlerOf(door, route, deps));
  if (door.prefix !== null) app.own(door.prefix, handlerOf(door, null, deps));
}

function handlerOf<Caller, Behind extends OpenRoute<Caller>>(
  door: Door<Caller, Behind>,
  route: Behind | null,
  deps: DoorDeps,
): Handler {
  const { onAnswered, isApi = true, refusalOf = apiRefusal } = door;
  const headers = {
    ...DATA_HEADERS,
    "cache-control": "no-store",
    ...(isApi ? { "service-api-version": API_VERSION } : {}),
    ...door.headersOf?.(route),
  };
  return async (request, response) => {
    const noted: Noted = { members: null, answer: null };
    let rest: Reply["rest"];
    if (isApi) response.header("request-id", newRequestId(new Date()));
    response.headers(headers);
    if (onAnswered !== undefined)
      response.whenSent(() => onAnswered(request.raw, describeAnswer(request, response, noted)));
    try {
      const reply = await answer(door, route, request, response, noted, deps);
      if (reply.cookies !== undefined) response.header("set-cookie", reply.cookies);
      response.code(reply.status).header("content-type", JSON_TYPE);
      if (reply.headers !== undefined) response.headers(reply.headers);
      noted.answer = reply.body;
      if ("rest" in reply) rest = reply.rest;
    } catch (error) {
      const requestId = isApi ? ` (Request-Id ${response.getHeader("request-id")})` : "";
      const unexpected = (given: unknown) =>
        deps.logError(`${request.method} ${request.route} failed${requestId}`, given);
      const refusal = refusalOf(error, route, unexpected, request.headers);
      if (refusal.retryAfterSeconds !== null) response.header("retry-after", refusal.retryAfterSeconds);
      // An unread body would be parsed as the next request: such a connection ends with its answer.
      if (!request.raw.complete || refusal.closes) response.header("connection", "close");
      response.code(refusal.status).header("content-type", JSON_TYPE);
      noted.answer = refusal.text;
    }
    if (rest === undefined) return noted.answer;
    if (request.method === "HEAD") {
      // It is begun and ended at once, so that what it holds is released.
      for await (const _ of rest) break;
      response.begin().end();
      return null;
    }
    const raw = response.begin();
    raw.write(noted.answer);
    await writeRest(raw, rest);
    return null;
  };
}

const describeAnswer = ({ method, raw, params }: Request, response: Response, noted: Noted): Answered => ({
  requestId: String(response.getHeader("request-id")),
  method,
  url: raw.url ?? "",
  params,
  status: response.statusCode,
  durationMs: response.elapsedMs,
  ...noted,
});

async function answer<Caller, Behind extends OpenRoute<Caller>>(
  door: Door<Caller, Behind>,
  route: Behind | null,
  { raw, params }: Request,
  response: Response,
  noted: Noted,
  { idempotency, bodyWaitMs }: DoorDeps,
): Promise<Reply | Answer> {
  door.refuse(raw);
  checkHeaders(raw);
  const { caller, now } = await door.admit(raw, response, route);
  if (route === null) throw new ApiError("not_found", door.noEndpoint);
  door.permit(caller, route);
  const query = queryOf(raw);
  if (route.method === "GET") {
    // The body of a GET and its type are ignored, and so is its Idempotency-Key (§11.5, §4.8.1).
    if (door.isApi !== false) checkVersion(raw);
    const input = query === "" ? NO_QUERY : new URLSearchParams(query);
    return route.run({ caller, now, params, input, hangUp: () => hangUpOf(response.raw) });
  }
  const { members, canonical } = await readBody(raw, {
    required: route.docs === undefined || route.docs.body?.isRequired === true,
    waitMs: bodyWaitMs,
    bytesMax: route.docs?.bodyBytesMax,
    invite: () => invite(raw, response.raw),
  });
  noted.members = members;
  const key = parseIdempotencyKey(raw);
  if (door.isApi !== false) checkVersion(raw);
  const path = raw.url!.split("?", 1)[0]!;
  const tenant = door.tenantOf?.(caller) ?? null;
  const keyed =
    key === null || tenant === null
      ? null
      : { tenant, key, fingerprint: fingerprintOf(route.method, path, query, canonical) };
  const once: Once = (work) => (key === null ? work() : idempotency.runOnce(formOf(route.method, path, key), work));
  const run = await idempotency.run(
    keyed,
    (write) => route.run({ caller, now, params, input: members, write, once }),
    tenant,
  );
  if (run.replayed) response.header("idempotent-replayed", "true");
  return run;
}

function hangUpOf(response: ServerResponse): AbortSignal {
  // A disconnected client resembles one that waits for its answer and sends nothing more: the wait ends for both.
  const { socket } = response.req;
  if (response.destroyed || socket.readableEnded) return AbortSignal.abort();
  const gone = new AbortController();
  const abort = () => gone.abort();
  socket.once("end", abort);
  response.once("close", () => {
    // The connection may last for days, with a request that waits each time.
    socket.off("end", abort);
    abort();
  });
  return gone.signal;
}

/** Called only now: a request refused by its headers need not send its body (§11.15). */
function invite({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.expect?.toLowerCase() === CONTINUE) response.writeContinue();
}

const NO_QUERY = new URLSearchParams();

/** Returns everything after the first question mark: a further one is a character of the query. */
function queryOf({ url = "" }: IncomingMessage): string {
  const at = url.indexOf("?");
  return at === -1 ? "" : url.slice(at + 1);
}

/** Maps errors to an API's answers: its own errors, 503 while database or chain are down, and 500 for every other error. */
function apiRefusal(error: unknown, _route: unknown, unexpected: (error: unknown) => void): Refusal {
  const refused = asApiError(error, unexpected);
  const { status, retryAfterSeconds, closes } = refused;
  return { status, text: showError(refused), retryAfterSeconds, closes };
}

function asApiError(error: unknown, unexpected: (error: unknown) => void): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailableError || error instanceof OverloadedError)
    return new ApiError(
      "unavailable",
      "Temporarily unavailable. Repeat the request with the same Idempotency-Key.",
      {},
      { retryAfterSeconds: 1 },
    );
  if (error instanceof ChainUnavailableError)
    return new ApiError(
      "chain_unavailable",
      "The chain could not be read. Retry with backoff.",
      {},
      { retryAfterSeconds: 2 },
    );
  unexpected(error);
  return new ApiError("internal_error", "The service failed. It is safe to retry with the same Idempotency-Key.");
}
