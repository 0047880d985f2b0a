import type { IncomingMessage } from "node:http";
import type { Merchant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { hashSecretKey } from "../../domain/secretKeys.ts";
import { type BatchOptions, batchStatements } from "../../store/batchStatements.ts";
import type { App, Reply } from "../http/app.ts";
import { type Answered, type Door, type DoorDeps, registerDoor } from "../http/door.ts";
import { valuesOf } from "../http/headers.ts";
import type { Route } from "../http/route.ts";
import { MERCHANT_PREFIX } from "./description.ts";

export interface Admission {
  readonly caller: Merchant;
  /** The environment's current time. */
  readonly now: Date;
  readonly rateLimit: number;
  /** Requests of this key in the current minute, this one included; above `rateLimit` it is refused. */
  readonly rateUsed: number;
  /** Whole seconds until the minute ends, at least 1. */
  readonly rateResetSeconds: number;
}

export interface MerchantApiDeps extends DoorDeps {
  /** Finds keys by their hashes and counts a request of each. Null: the key is unknown, or no longer usable. */
  readonly admitRequests: (keyHashes: readonly string[]) => Promise<(Admission | null)[]>;
  readonly batching: BatchOptions;
  readonly routes: readonly Route<Merchant>[];
  /** Called after every answer to a request with a known key. Null: there is no listener. */
  readonly onAnswered: ((caller: Merchant, answered: Answered) => void) | null;
}

/** Opens the merchant API: browsers are refused, and an API key identifies the caller (§5). */
export function registerMerchantApi(app: App, deps: MerchantApiDeps): void {
  const { admitRequests, batching, routes, onAnswered } = deps;
  /** Includes callers whose requests are refused for their rate. */
  const callers = new WeakMap<IncomingMessage, Merchant>();
  const admitOne = batchStatements("admit_requests", batching, admitRequests);
  const door: Door<Merchant> = {
    prefix: MERCHANT_PREFIX,
    routes,
    refuse: refuseBrowser,
    admit: async (request, reply) => {
      const admission = await admitOne(parseKey(request, reply));
      if (admission === null) throw unauthorized(reply, NO_SUCH_KEY);
      if (onAnswered !== null) callers.set(request, admission.caller);
      checkRate(admission, reply);
      return admission;
    },
    permit: ({ scope }, { method, docs }) => {
      if (scope !== "full" && scope !== docs.scope && method !== "GET" && docs.changesNothing !== true)
        throw new ApiError(
          "forbidden",
          `This key has the scope ${scope}. The request needs one with the scope full${docs.scope === undefined ? "" : ` or ${docs.scope}`}: key add without --scope.`,
        );
    },
    tenantOf: (merchant) => merchant,
    ...(onAnswered === null
      ? {}
      : {
          onAnswered: (request, answered) => {
            const caller = callers.get(request);
            if (caller !== undefined) onAnswered(caller, answered);
          },
        }),
    noEndpoint: "There is no such endpoint. Paths are exact and case-sensitive; /docs has them all with their methods.",
  };
  registerDoor(app, door, deps);
}

/** Headers in Node's spelling, and in the usual one. */
const BROWSER_HEADERS = [
  ["origin", "Origin"],
  ["sec-fetch-site", "Sec-Fetch-Site"],
  ["cookie", "Cookie"],
] as const;

/** Refuses browsers: only these three headers count, even empty ones (§5.7). */
function refuseBrowser({ headers }: IncomingMessage): void {
  for (const [key, name] of BROWSER_HEADERS)
    if (headers[key] !== undefined)
      throw new ApiError(
        "browser_request",
        `The request carries the browser header ${name}. API keys belong on a server; call from there, without it.`,
      );
}

/** Returns the hash of the request's key; refuses a mistyped one without a look-up. */
function parseKey(request: IncomingMessage, reply: Reply): string {
  const given = valuesOf(request, "authorization");
  if (given.length === 0) throw unauthorized(reply, "The API key is missing.");
  if (given.length > 1) throw unauthorized(reply, "The header Authorization is given more than once.");
  const bearer = BEARER.exec(given[0]!);
  if (bearer === null) throw unauthorized(reply, "The scheme of the header Authorization is not Bearer.");
  const hash = hashSecretKey(bearer[1] ?? "");
  if (hash === null) throw unauthorized(reply, NO_SUCH_KEY);
  return hash;
}
/** Matches the Authorization header (§5.1). */
const BEARER = /^bearer(?: +(.*))?$/i;
const NO_SUCH_KEY = "The API key is malformed, unknown, revoked or expired.";

function unauthorized(reply: Reply, problem: string): ApiError {
  reply.header("www-authenticate", "Bearer");
  return new ApiError("unauthorized", `${problem} Send one header Authorization: Bearer <API_KEY> with an active key.`);
}

/** Sets the headers of the key's rate, and refuses with 429 above it (§8.1). */
function checkRate({ rateLimit, rateUsed, rateResetSeconds }: Admission, reply: Reply): void {
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
