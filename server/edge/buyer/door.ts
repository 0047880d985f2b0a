import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ChainUnavailableError } from "../../chain/port.ts";
import { ApiError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import { OverloadedError } from "../../lib/batch.ts";
import { DatabaseUnavailableError } from "../../store/unavailable.ts";
import { readBody } from "../http/body.ts";
import { invite } from "../http/door.ts";
import { checkHeaders, DATA_HEADERS, valuesOf } from "../http/headers.ts";
import { BuyerError, showBuyerError } from "./error.ts";
import { MinuteLimit, networkOf } from "./limits.ts";

export interface BuyerCall {
  readonly params: Readonly<Record<string, string>>;
  /** The members of the body; empty for a GET. */
  readonly input: JsonObject;
  /** The network the request came from, for limits. */
  readonly network: string;
}

interface BuyerReply {
  readonly status: 200 | 202;
  readonly body: string;
  /** Default: JSON. */
  readonly type?: string;
  /** Default: not to be kept. */
  readonly cacheControl?: string;
}

/** An operation for anyone who has a link; there is no key, and no session. */
export interface BuyerRoute {
  readonly method: "GET" | "POST";
  readonly url: string;
  /**
   * Who may call it from a browser: `page`, the checkout's own pages; `link`, whatever leads to it, as any link does; `open`,
   * scripts of other sites too.
   */
  readonly from: "page" | "link" | "open";
  readonly run: (call: BuyerCall) => Promise<BuyerReply>;
  /** Default: the door's own envelope. */
  readonly showError?: (error: BuyerError) => string;
}

export interface BuyerDoorDeps {
  readonly routes: readonly BuyerRoute[];
  /** The checkout's address: where its own pages are from. */
  readonly checkoutUrl: string;
  /** The header in which the operator's proxy says who asks, in lower case; null: nobody stands before this process. */
  readonly addressHeader: string | null;
  /** How long a body may take to arrive. */
  readonly bodyWaitMs: number;
  readonly logError: (message: string, error: unknown) => void;
}

/** Requests of one network in a minute: many buyers share one behind a mobile carrier. */
const REQUESTS_A_MINUTE = 240;
const JSON_TYPE = "application/json; charset=utf-8";
/** For `open` routes alone (§9): a wallet's page asks from another site, without cookies, which the service has none of. */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST, OPTIONS",
  "access-control-allow-headers": "*",
  "access-control-max-age": "86400",
};

/**
 * Opens the door for buyers. The checks run in this order: headers, where a browser comes from, the network's rate, the body,
 * and last the operation. Errors have an envelope of their own, with sentences that fit a wallet.
 */
export function registerBuyerDoor(app: FastifyInstance, deps: BuyerDoorDeps): void {
  const limit = new MinuteLimit(REQUESTS_A_MINUTE);
  const origin = new URL(deps.checkoutUrl).origin;
  app.register(async (door) => {
    // As at every door the body is read by the handler: its checks come after the others.
    door.removeAllContentTypeParsers();
    door.addContentTypeParser("*", (_request, _payload, done) => done(null));
    for (const route of deps.routes) {
      const handler = async (request: FastifyRequest, reply: FastifyReply) => {
        const answer = await run(route, request, reply, { ...deps, limit, origin });
        reply
          .code(answer.status)
          .header("content-type", answer.type ?? JSON_TYPE)
          .header("cache-control", answer.cacheControl ?? "no-store");
        return answer.body;
      };
      const headers = route.from === "open" ? { ...SAFE, ...CORS } : SAFE;
      door.route({
        method: route.method,
        url: route.url,
        onRequest: async (request, reply) => {
          reply.headers(headers);
          // Fastify would judge a malformed type by itself.
          if (request.method === "POST") request.headers = { ...request.headers, "content-type": "application/json" };
        },
        errorHandler: (error, request, reply) => sendError(asBuyerError(error, request, deps.logError), route, reply),
        handler,
      });
    }
    for (const url of new Set(deps.routes.filter(({ from }) => from === "open").map((route) => route.url)))
      door.options(url, (_request, reply) => reply.headers(CORS).code(204).send());
  });
}

const SAFE = { ...DATA_HEADERS, "referrer-policy": "no-referrer" };

async function run(
  route: BuyerRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: BuyerDoorDeps & { readonly limit: MinuteLimit; readonly origin: string },
): Promise<BuyerReply> {
  const { raw } = request;
  checkHeaders(raw);
  if (route.from === "page" && !isFromPage(raw, deps.origin))
    throw new BuyerError("browser_request", "This can only be done from the payment page itself.");
  const network = networkOf(addressOf(raw, deps.addressHeader));
  const waitSeconds = deps.limit.use(network, Date.now());
  if (waitSeconds !== null) throw tooMany(waitSeconds);
  const rules = { required: true, waitMs: deps.bodyWaitMs, invite: () => invite(raw, reply) };
  const input = route.method === "GET" ? NO_INPUT : (await readBody(raw, rules)).members;
  return route.run({ params: request.params as Record<string, string>, input, network });
}
const NO_INPUT: JsonObject = new Map();

export const tooMany = (retryAfterSeconds: number): BuyerError =>
  new BuyerError("rate_limited", "Too many requests. Please wait a minute and try again.", { retryAfterSeconds });

/** Every browser of today says where a request is from; one that does not still names the origin of a cross-site POST. */
function isFromPage({ headers }: IncomingMessage, own: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  return headers.origin === undefined || headers.origin === own;
}

/** A proxy appends what it saw, so of several addresses only the last is its own word. */
export function addressOf(request: IncomingMessage, header: string | null): string {
  const named = header === null ? undefined : valuesOf(request, header as Lowercase<string>).at(-1);
  return named?.split(",").at(-1)?.trim() || (request.socket.remoteAddress ?? "");
}

function sendError(error: BuyerError, route: BuyerRoute, reply: FastifyReply): FastifyReply {
  if (error.retryAfterSeconds !== null) reply.header("retry-after", String(error.retryAfterSeconds));
  // An unread body would be taken for the next request: such a connection ends with its answer.
  if (!reply.request.raw.complete) reply.header("connection", "close");
  const show = route.showError ?? showBuyerError;
  return reply
    .code(error.status)
    .header("content-type", JSON_TYPE)
    .header("cache-control", "no-store")
    .send(show(error));
}

function asBuyerError(error: unknown, request: FastifyRequest, logError: BuyerDoorDeps["logError"]): BuyerError {
  if (error instanceof BuyerError) return error;
  if (error instanceof ChainUnavailableError)
    return new BuyerError("chain_unavailable", "The network cannot be reached now. Please try again shortly.", {
      retryAfterSeconds: 2,
    });
  if (error instanceof DatabaseUnavailableError || error instanceof OverloadedError)
    return new BuyerError("unavailable", "The service is not available right now. Please try again.", {
      retryAfterSeconds: 1,
    });
  if (error instanceof ApiError) return asInvalid(error);
  logError(`${request.method} ${request.routeOptions.url} failed`, error);
  return new BuyerError("internal_error", "The service failed. Nothing was paid by this request.");
}

/** What the shared reader of bodies refuses, in fewer words. */
function asInvalid({ status }: ApiError): BuyerError {
  if (status === 413) return new BuyerError("invalid_request", "The request is too large.", { status });
  if (status === 415) return new BuyerError("invalid_request", "Send the request as UTF-8 JSON.", { status });
  return new BuyerError("invalid_request", "The request is not valid JSON, or not valid HTTP.");
}
