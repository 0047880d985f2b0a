import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Tenant } from "../../domain/callers.ts";
import { ApiError, showError } from "../../domain/errors.ts";
import { newRequestId } from "../../domain/ids.ts";
import type { JsonObject } from "../../domain/json.ts";
import { API_VERSION } from "../../domain/version.ts";
import { OverloadedError } from "../../lib/batch.ts";
import { DatabaseUnavailableError } from "../../store/unavailable.ts";
import { readBody } from "./body.ts";
import { CONTINUE, checkHeaders, checkVersion, DATA_HEADERS, parseIdempotencyKey } from "./headers.ts";
import { type Answer, fingerprintOf, type Idempotency } from "./idempotency.ts";
import type { Reply, Route } from "./route.ts";

/** The way in for one kind of caller: who may enter, and which operations are behind it. */
export interface Door<Caller> {
  /** All its paths begin with it: `/api/v1`. */
  readonly prefix: string;
  readonly routes: readonly Route<Caller>[];
  /** Refuses a request that may never enter, by its headers; the first check of all. */
  readonly refuse: (request: IncomingMessage) => void;
  /** Says who asks, or throws why nobody may; sets headers that every later answer carries. Runs before the path is looked at. */
  readonly admit: (request: IncomingMessage, reply: FastifyReply) => Promise<Admission<Caller>>;
  /** Throws where the caller may not use the route (§5.10); the first check once the route is known. */
  readonly permit: (caller: Caller, route: Route<Caller>) => void;
  /** Where the Idempotency-Keys of a caller belong. Null: this door takes none, and ignores the header. */
  readonly tenantOf: ((caller: Caller) => Tenant) | null;
  /** Called with every answer to a request that was read, after it has been sent. */
  readonly onAnswered?: (request: IncomingMessage, answered: Answered) => void;
  /** The message of the 404 of a path or method that no route has. */
  readonly noEndpoint: string;
}

/** What a request was answered. */
export interface Answered {
  readonly requestId: string;
  readonly method: string;
  /** As it came, with its query. */
  readonly url: string;
  /** The parameters in its path. */
  readonly params: Readonly<Record<string, string>>;
  readonly status: number;
  readonly durationMs: number;
  /** The members of its body, where it was read; null: none. */
  readonly members: JsonObject | null;
  /** The text of the answer; null: it has none. */
  readonly answer: string | null;
}

interface Admission<Caller> {
  readonly caller: Caller;
  /** The environment's present. */
  readonly now: Date;
}

export interface DoorDeps {
  readonly idempotency: Idempotency;
  /** How long a body may take to arrive. */
  readonly bodyWaitMs: number;
  readonly logError: (message: string, error: unknown) => void;
}

// The names of headers are in lower case here, as Fastify keeps them: it would convert each of them on every request.
const JSON_TYPE = "application/json; charset=utf-8";

/** Where a request keeps how its caller was admitted. */
const ADMISSION = Symbol("admission");
interface AdmittedRequest<Caller> {
  [ADMISSION]?: Admission<Caller>;
}
/** Where a request keeps what the door says of its answer. */
const NOTED = Symbol("noted");
interface Noted {
  members: JsonObject | null;
  answer: string | null;
}
interface NotedRequest {
  [NOTED]?: Noted;
}

/**
 * Opens a door. The checks run in the order of §7.1, and the order of the code is that order: the door's refusal,
 * headers, the door's admission, route, the caller's permission, then for a request that writes type, size, JSON, Idempotency-Key and version,
 * and last the operation.
 */
export function registerDoor<Caller>(app: FastifyInstance, door: Door<Caller>, deps: DoorDeps): void {
  const noEndpoint = () => new ApiError("not_found", door.noEndpoint);
  app.register(
    async (api) => {
      // The body is read by the handler below: its checks come after the route's.
      api.removeAllContentTypeParsers();
      api.addContentTypeParser("*", (_request, _payload, done) => done(null));

      api.addHook("onRequest", async (request, reply) => {
        reply.header("request-id", newRequestId(new Date()));
        if (door.onAnswered !== undefined) (request as NotedRequest)[NOTED] = { members: null, answer: null };
        reply.header("service-api-version", API_VERSION);
        reply.headers(DATA_HEADERS);
        door.refuse(request.raw);
        checkHeaders(request.raw);
        (request as AdmittedRequest<Caller>)[ADMISSION] = await door.admit(request.raw, reply);
        // Here and not in the handler below: for some methods Fastify would check the type first.
        if (request.is404) throw noEndpoint();
        // Fastify would judge a malformed type by itself, too; readBody judges it in its turn, by the raw headers.
        if (request.method !== "GET" && request.headers["content-type"] !== "application/json")
          request.headers = { "content-type": "application/json" };
      });
      api.setNotFoundHandler(() => {
        throw noEndpoint();
      });
      api.setErrorHandler((error, _request, reply) => answerError(error, reply, deps.logError));

      const { onAnswered } = door;
      if (onAnswered !== undefined)
        api.addHook("onResponse", (request, reply, done) => {
          onAnswered(request.raw, describeAnswer(request, reply));
          done();
        });
      // A dashboard at the root has a page for every path; none of the door's is one of those.
      for (const url of ["", "/*"])
        api.get(url, { exposeHeadRoute: true }, () => {
          throw noEndpoint();
        });
      api.decorateRequest(ADMISSION);
      api.decorateRequest(NOTED);
      for (const route of door.routes)
        api.route({
          method: route.method,
          url: route.path,
          exposeHeadRoute: route.method === "GET",
          handler: async (request, reply) => {
            const { status, body, cookies, headers = {} } = await answer(door, route, request, reply, deps);
            if (cookies !== undefined) reply.header("set-cookie", cookies);
            reply.code(status).headers(headers).header("content-type", JSON_TYPE);
            const noted = (request as NotedRequest)[NOTED];
            if (noted !== undefined) noted.answer = body;
            return body;
          },
        });
    },
    { prefix: door.prefix },
  );
}

function describeAnswer(request: FastifyRequest, reply: FastifyReply): Answered {
  const { members, answer } = (request as NotedRequest)[NOTED]!;
  return {
    requestId: String(reply.getHeader("request-id")),
    method: request.method,
    url: request.raw.url ?? "",
    params: (request.params ?? {}) as Record<string, string>,
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    members,
    answer,
  };
}

async function answer<Caller>(
  door: Door<Caller>,
  route: Route<Caller>,
  request: FastifyRequest,
  reply: FastifyReply,
  { idempotency, bodyWaitMs }: DoorDeps,
): Promise<Reply | Answer> {
  const { caller, now } = (request as AdmittedRequest<Caller>)[ADMISSION]!;
  door.permit(caller, route);
  const params = request.params as Record<string, string>;
  const query = queryOf(request.raw);
  if (route.method === "GET") {
    // The body of a GET and its type are ignored, and so is its Idempotency-Key (§11.5, §4.8.1).
    checkVersion(request.raw);
    const input = query === "" ? NO_QUERY : new URLSearchParams(query);
    return route.run({ caller, now, params, input, hangUp: () => hangUpOf(reply.raw) });
  }
  const hasPayload = route.docs.body !== undefined;
  const { members, canonical } = await readBody(request.raw, {
    required: hasPayload,
    waitMs: bodyWaitMs,
    invite: () => invite(request.raw, reply),
  });
  const noted = (request as NotedRequest)[NOTED];
  if (noted !== undefined) noted.members = members;
  const key = door.tenantOf === null ? null : parseIdempotencyKey(request.raw);
  checkVersion(request.raw);
  const path = request.raw.url!.split("?", 1)[0]!;
  const keyed =
    key === null || door.tenantOf === null
      ? null
      : { tenant: door.tenantOf(caller), key, fingerprint: fingerprintOf(route.method, path, query, canonical) };
  const run = await idempotency.run(keyed, (write) => route.run({ caller, now, params, input: members, write }));
  if (run.replayed) reply.header("idempotent-replayed", "true");
  return run;
}

function hangUpOf(response: ServerResponse): AbortSignal {
  // A client that is gone looks like one that waits for its answer and sends nothing more: the wait ends for both.
  const { socket } = response.req;
  if (response.destroyed || socket.readableEnded) return AbortSignal.abort();
  const gone = new AbortController();
  const abort = () => gone.abort();
  socket.once("end", abort);
  response.once("close", () => {
    // The connection may go on for days, with a request that waits each time.
    socket.off("end", abort);
    abort();
  });
  return gone.signal;
}

/** §11.15: only now, since a body that is refused by its headers need not be sent at all. */
export function invite({ headers }: IncomingMessage, { raw }: FastifyReply): void {
  if (headers.expect?.toLowerCase() === CONTINUE) raw.writeContinue();
}

const NO_QUERY = new URLSearchParams();

/** Everything after the first question mark: a further one is a character of the query. */
function queryOf({ url = "" }: IncomingMessage): string {
  const at = url.indexOf("?");
  return at === -1 ? "" : url.slice(at + 1);
}

function answerError(error: unknown, reply: FastifyReply, logError: DoorDeps["logError"]): FastifyReply {
  const answer = asApiError(error, reply, logError);
  const noted = (reply.request as NotedRequest)[NOTED];
  const text = showError(answer);
  if (noted !== undefined) noted.answer = text;
  if (answer.retryAfterSeconds !== null) reply.header("retry-after", answer.retryAfterSeconds);
  // An unread body would be taken for the next request: such a connection ends with its answer.
  if (!reply.request.raw.complete || answer.closes) reply.header("connection", "close");
  return reply.code(answer.status).header("content-type", JSON_TYPE).send(text);
}

function asApiError(error: unknown, reply: FastifyReply, logError: DoorDeps["logError"]): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailableError || error instanceof OverloadedError)
    return new ApiError(
      "unavailable",
      "Temporarily unavailable. Repeat the request with the same Idempotency-Key.",
      {},
      { retryAfterSeconds: 1 },
    );
  const { method, routeOptions } = reply.request;
  logError(`${method} ${routeOptions.url} failed (Request-Id ${reply.getHeader("request-id")})`, error);
  return new ApiError("internal_error", "The service failed. It is safe to retry with the same Idempotency-Key.");
}
