import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, showError } from "../../domain/errors.ts";
import { newRequestId } from "../../domain/ids.ts";
import type { JsonObject } from "../../domain/json.ts";
import { hashSecretKey } from "../../domain/secretKeys.ts";
import { API_VERSION } from "../../domain/version.ts";
import { Overloaded } from "../../lib/batch.ts";
import { type Batching, batchStatements } from "../../store/batching.ts";
import type { Database } from "../../store/database.ts";
import { DatabaseUnavailable } from "../../store/unavailable.ts";
import { readBody } from "../http/body.ts";
import { checkHeaders, checkVersion, readIdempotencyKey, refuseBrowser, valuesOf } from "../http/headers.ts";
import { type Answer, fingerprintOf, type Idempotency, type Writing } from "../http/idempotency.ts";
import { PREFIX } from "../http/openapi.ts";
import type { MerchantRoute, Reply } from "../http/route.ts";
import { type Admission, admitRequests } from "./admission.ts";

export interface MerchantApi {
  readonly database: Database;
  readonly routes: readonly MerchantRoute[];
  readonly idempotency: Idempotency;
  readonly batching: Batching;
  /** How long a body may take to arrive. */
  readonly bodyWaitMs: number;
  readonly logError: (message: string, error: unknown) => void;
}

// The names of headers stand in lower case here, as Fastify keeps them: it would spell each anew for every request.
const JSON_TYPE = "application/json; charset=utf-8";

/** Where a request keeps how its key was admitted. */
const ADMISSION = Symbol("admission");
interface Admitted {
  [ADMISSION]?: Admission;
}

/**
 * The merchant API under /api/v1. The checks run in the contract's order, and the order of the code is that order:
 * browser, key, rate, route, then for a POST type, size, JSON, Idempotency-Key, version, and last the operation.
 */
export function registerMerchantApi(
  app: FastifyInstance,
  { database, routes, idempotency, batching, bodyWaitMs, logError }: MerchantApi,
): void {
  const admitOne = batchStatements("admit_requests", batching, (hashes: readonly string[]) =>
    admitRequests(database, hashes),
  );
  app.register(
    async (api) => {
      // The body is read by the operation's own steps: its checks come after the route's.
      api.removeAllContentTypeParsers();
      api.addContentTypeParser("*", (_request, _payload, done) => done(null));

      api.addHook("onRequest", async (request, reply) => {
        reply.header("request-id", newRequestId(new Date()));
        reply.header("service-api-version", API_VERSION);
        refuseBrowser(request.raw);
        checkHeaders(request.raw);
        const admission = await admitOne(readKey(request.raw));
        if (admission === null) throw unauthorized(NO_SUCH_KEY);
        checkRate(admission, reply);
        (request as Admitted)[ADMISSION] = admission;
        // Here and not in the handler below: of some methods Fastify would ask a type before it says so.
        if (request.is404) throw noEndpoint();
        // It would judge a malformed type by itself, too; readBody judges it in its turn, by the raw headers.
        if (request.method !== "GET" && request.headers["content-type"] !== "application/json")
          request.headers = { "content-type": "application/json" };
      });
      api.setNotFoundHandler(() => {
        throw noEndpoint();
      });
      api.setErrorHandler((error, _request, reply) => answerError(error, reply, logError));

      api.decorateRequest(ADMISSION);
      for (const route of routes)
        api.route({
          method: route.method,
          url: route.path,
          exposeHeadRoute: route.method === "GET",
          handler: async (request, reply) => {
            const { status, body } = await (route.method === "GET"
              ? read(route, request)
              : write(route, request, reply, idempotency, bodyWaitMs));
            reply.code(status).header("content-type", JSON_TYPE);
            return body;
          },
        });
    },
    { prefix: PREFIX },
  );
}

const noEndpoint = () =>
  new ApiError(
    "not_found",
    "There is no such endpoint. Paths are exact and case-sensitive; /docs has them all with their methods.",
  );
/** All after the first question mark: a further one is a character of the query. */
function queryOf({ raw }: FastifyRequest): string {
  const url = raw.url ?? "";
  const at = url.indexOf("?");
  return at === -1 ? "" : url.slice(at + 1);
}

const admissionOf = (request: FastifyRequest): Admission => (request as Admitted)[ADMISSION]!;

function callOf(request: FastifyRequest, body: JsonObject, writing: Writing) {
  const { caller, now } = admissionOf(request);
  const given = queryOf(request);
  const query = given === "" ? NO_QUERY : new URLSearchParams(given);
  return { caller, now, params: request.params as Record<string, string>, input: { query, body }, writing };
}

const NO_QUERY = new URLSearchParams();

/** A GET's body and type are ignored, and so is its Idempotency-Key. */
function read(route: MerchantRoute, request: FastifyRequest): Promise<Reply> {
  checkVersion(request.raw);
  return route.run(callOf(request, NO_BODY, NOTHING_TO_WRITE));
}
const NO_BODY: JsonObject = new Map();
const NOTHING_TO_WRITE: Writing = {
  commit: () => Promise.reject(new Error("A GET writes nothing.")),
  hold: () => Promise.reject(new Error("A GET holds nothing.")),
  unheld: () => null,
  kept: () => undefined,
};

async function write(
  route: MerchantRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  idempotency: Idempotency,
  bodyWaitMs: number,
): Promise<Answer> {
  const { members, canonical } = await readBody(request.raw, {
    required: route.inputFrom === "body",
    waitMs: bodyWaitMs,
  });
  const key = readIdempotencyKey(request.raw);
  checkVersion(request.raw);
  const path = request.raw.url!.split("?", 1)[0]!;
  const keyed =
    key === null
      ? null
      : {
          tenant: admissionOf(request).caller,
          key,
          fingerprint: fingerprintOf("POST", path, queryOf(request), canonical),
        };
  const answer = await idempotency.run(keyed, (writing) => route.run(callOf(request, members, writing)));
  if (answer.replayed) reply.header("idempotent-replayed", "true");
  return answer;
}

/** The hash of the key a request came with; a mistyped one is refused without a look-up. */
function readKey(request: IncomingMessage): string {
  const given = valuesOf(request, "authorization");
  if (given.length === 0) throw unauthorized("The API key is missing.");
  const isBearer = given.length === 1 && given[0]!.startsWith(BEARER);
  const hash = isBearer ? hashSecretKey(given[0]!.slice(BEARER.length)) : null;
  if (hash === null) throw unauthorized(NO_SUCH_KEY);
  return hash;
}
const BEARER = "Bearer ";
const NO_SUCH_KEY = "The API key is malformed, unknown, revoked or expired.";
const unauthorized = (problem: string) =>
  new ApiError("unauthorized", `${problem} Send one header Authorization: Bearer <API_KEY> with an active key.`);

function checkRate({ rateLimit, rateUsed, rateResetSeconds }: Admission, reply: FastifyReply): void {
  reply.header("ratelimit-limit", String(rateLimit));
  reply.header("ratelimit-remaining", String(Math.max(0, rateLimit - rateUsed)));
  reply.header("ratelimit-reset", String(rateResetSeconds));
  if (rateUsed > rateLimit)
    throw new ApiError(
      "rate_limited",
      `More than ${rateLimit} requests in this minute. Wait until it ends.`,
      {},
      { retryAfterSeconds: rateResetSeconds },
    );
}

function answerError(error: unknown, reply: FastifyReply, logError: MerchantApi["logError"]): FastifyReply {
  const answer = asApiError(error, reply, logError);
  if (answer.retryAfterSeconds !== null) reply.header("retry-after", answer.retryAfterSeconds);
  // An unread body would be taken for the next request: such a connection ends with its answer.
  if (!reply.request.raw.complete || answer.closes) reply.header("connection", "close");
  return reply.code(answer.status).header("content-type", JSON_TYPE).send(showError(answer));
}

function asApiError(error: unknown, reply: FastifyReply, logError: MerchantApi["logError"]): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailable || error instanceof Overloaded)
    return new ApiError(
      "unavailable",
      "Temporarily unavailable. Repeat the request with the same Idempotency-Key.",
      {},
      { retryAfterSeconds: 1 },
    );
  logError(`${reply.getHeader("request-id")} failed`, error);
  return new ApiError("internal_error", "The service failed. It is safe to retry with the same Idempotency-Key.");
}
