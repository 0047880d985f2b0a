import type { IncomingMessage } from "node:http";
import { ChainUnavailableError } from "../../chain/port.ts";
import { ApiError } from "../../domain/errors.ts";
import { OverloadedError } from "../../lib/batch.ts";
import { DatabaseUnavailableError } from "../../store/unavailable.ts";
import type { App } from "../http/app.ts";
import { type Declaration, declarationsOf } from "../http/declaration.ts";
import { type Door, type DoorDeps, registerDoor } from "../http/door.ts";
import type { RequestBody } from "../http/fields.ts";
import { valuesOf } from "../http/headers.ts";
import type { Once, OpenRoute, Reply } from "../http/route.ts";
import { BuyerError, type BuyerErrorCode, ENGLISH_REFUSALS, type Refusals, showBuyerError } from "./error.ts";
import { Languages } from "./languages.ts";
import { NetworkLimit, networkOf } from "./limits.ts";

interface Buyer {
  /** The network of the request's address, for limits. */
  readonly network: string;
  /** The headers that name the languages of the reader, or hold the proof of a browser or an agent's payment. */
  readonly headers: Pick<IncomingMessage["headers"], "cookie" | "user-agent" | "accept-language"> & {
    readonly "payment-signature"?: string | string[] | undefined;
  };
}

export interface BuyerCall<Body = unknown> extends Buyer {
  readonly params: Readonly<Record<string, string>>;
  /** Parses the body, if the operation has one; throws its refusal. */
  readonly read: () => Body;
  /** Empty for a POST. */
  readonly query: URLSearchParams;
  /** Strangers' keys would be rows without end: call it once the caller has proven something. */
  readonly once: Once;
}

/** An operation of buyers, declared once (see {@link Declaration}). */
export interface BuyerDeclaration extends Declaration<BuyerErrorCode> {
  /**
   * The sites whose browsers may call it: `page`, the checkout's own pages; `case`, the same, for requests with a cookie,
   * which must say where they come from; `link`, any site that links to it; `open`, scripts of other sites too.
   */
  readonly from: "page" | "case" | "link" | "open";
  /** True if pages ask again and again by themselves; such requests have a limit of their own. Default false. */
  readonly isAskedByPages?: boolean;
  /** Default: the door's own envelope. `message`: in the reader's language. */
  readonly showError?: (error: BuyerError, message: string) => string;
}
/** Declares operations of buyers. One that differs says its own. */
export const buyerDeclarations = declarationsOf<BuyerDeclaration, "tag" | "path" | "errors" | "from">();

/** An operation for every caller with a link, without key or session. */
export type BuyerRoute = OpenRoute<Buyer> & { readonly docs: BuyerDeclaration };

export type BodyOf<Declared extends BuyerDeclaration> = Declared extends { readonly body: RequestBody<infer Body> }
  ? Body
  : null;

/** Makes the route of a buyers' operation. Its answers may not be cached, unless their headers say otherwise. */
export function buyerRoute<const Declared extends BuyerDeclaration>(
  method: "GET" | "POST",
  path: string,
  docs: Declared,
  operation: (call: BuyerCall<BodyOf<Declared>>) => Promise<Reply>,
): BuyerRoute {
  if (method === "GET")
    return {
      method,
      path,
      docs,
      run: ({ caller, params, input }) =>
        operation({ ...caller, params, read: () => null as BodyOf<Declared>, query: input, once: (work) => work() }),
    };
  return {
    method,
    path,
    docs,
    run: async ({ caller, params, input, write, once }) => {
      const read = () => (docs.body?.parse(input) ?? null) as BodyOf<Declared>;
      return write.commit({ reply: await operation({ ...caller, params, read, query: NO_QUERY, once }) });
    },
  };
}
const NO_QUERY = new URLSearchParams();

export interface BuyerDoorDeps extends DoorDeps {
  readonly routes: readonly BuyerRoute[];
  /** The checkout's address: the origin of its own pages. */
  readonly checkoutUrl: string;
  /** The header in which the operator's proxy names the client's address, in lower case; null: there is no proxy. */
  readonly addressHeader: string | null;
  /** A page asks for its own language, a wallet for that of its device. Default: English alone. */
  readonly languages?: RefusingLanguages;
}

export type RefusingLanguages = Languages<{ readonly tag: string; readonly refusals: Refusals }>;
export const ENGLISH: RefusingLanguages = new Languages([{ tag: "en", refusals: ENGLISH_REFUSALS }]);

/** Requests of one network in a minute: many buyers share one behind a mobile carrier. */
const REQUESTS_A_MINUTE = 240;
const ASKED_BY_PAGES_A_MINUTE = 1_200;
const SAFE = { "referrer-policy": "no-referrer" };
/** Headers of `open` routes alone (§9): a wallet's page calls them from another site, without cookies; the service has none. */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST, OPTIONS",
  "access-control-allow-headers": "*",
  "access-control-max-age": "86400",
};

/**
 * Opens the door for buyers: any browser may enter, if the route allows it, within the rate of its network. Errors have
 * their own envelope, with sentences that fit a wallet.
 */
export function registerBuyerDoor(app: App, deps: BuyerDoorDeps): void {
  const { routes, addressHeader, languages = ENGLISH } = deps;
  const [limit, ofPages] = [new NetworkLimit(REQUESTS_A_MINUTE), new NetworkLimit(ASKED_BY_PAGES_A_MINUTE)];
  const origin = new URL(deps.checkoutUrl).origin;
  const door: Door<Buyer, BuyerRoute> = {
    prefix: null,
    routes,
    isApi: false,
    headersOf: (route) => (route?.docs.from === "open" ? { ...SAFE, ...CORS } : SAFE),
    refuse: () => undefined,
    admit: async (request, _response, route) => {
      const from = route?.docs.from;
      const isOfPage = from === "page" || from === "case";
      if (isOfPage && !(isFromPage(request, origin) && (from === "page" || isNamed(request, route!.method))))
        throw new BuyerError("browser_request", (texts) => texts.notFromPage);
      const network = networkOf(addressOf(request, addressHeader));
      const waitSeconds = (route?.docs.isAskedByPages ? ofPages : limit).use(network);
      if (waitSeconds !== null) throw tooMany(waitSeconds);
      return { caller: { network, headers: request.headers }, now: new Date() };
    },
    permit: () => undefined,
    tenantOf: null,
    refusalOf: (error, route, unexpected, headers) => {
      const refused = asBuyerError(error, unexpected);
      const { status, retryAfterSeconds } = refused;
      const message = refused.say(languages.choose({ accepted: headers["accept-language"] }).refusals);
      return {
        status,
        text: (route?.docs.showError ?? showBuyerError)(refused, message),
        retryAfterSeconds,
        closes: false,
      };
    },
    noEndpoint: "",
  };
  registerDoor(app, door, deps);
  for (const path of new Set(routes.filter(({ docs }) => docs.from === "open").map((route) => route.path)))
    app.on("OPTIONS", path, (_request, response) => response.headers(CORS).code(204).send());
}

export const tooMany = (retryAfterSeconds: number): BuyerError =>
  new BuyerError("rate_limited", (texts) => texts.tooMany, { retryAfterSeconds });

/**
 * Counts the requests of each network in a minute for one subject, a parameter of the path, so that nobody with the link can
 * use up the share of others. Throws `rate_limited`.
 */
export function countOf(usesMax: number, subject: string): (call: BuyerCall) => void {
  const limit = new NetworkLimit(usesMax);
  return ({ network, params }) => {
    const waitSeconds = limit.use(network, params[subject]);
    if (waitSeconds !== null) throw tooMany(waitSeconds);
  };
}

/** Current browsers name the site a request comes from. Older ones still name the origin of a cross-site POST. */
export function isFromPage({ headers }: IncomingMessage, own: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  return headers.origin === undefined || headers.origin === own;
}

/** A write with a cookie names the page in one of these headers at least: a caller that sends neither is no current browser. */
const isNamed = ({ headers }: IncomingMessage, method: string): boolean =>
  method === "GET" || headers["sec-fetch-site"] !== undefined || headers.origin !== undefined;

/** A proxy appends the address it saw, so of several addresses only the last is its own. */
export function addressOf(request: IncomingMessage, header: string | null): string {
  const named = header === null ? undefined : valuesOf(request, header as Lowercase<string>).at(-1);
  return named?.split(",").at(-1)?.trim() || (request.socket.remoteAddress ?? "");
}

function asBuyerError(error: unknown, unexpected: (error: unknown) => void): BuyerError {
  if (error instanceof BuyerError) return error;
  if (error instanceof ChainUnavailableError)
    return new BuyerError("chain_unavailable", (texts) => texts.networkAway, {
      retryAfterSeconds: 2,
    });
  if (error instanceof DatabaseUnavailableError || error instanceof OverloadedError)
    return new BuyerError("unavailable", (texts) => texts.unavailable, {
      retryAfterSeconds: 1,
    });
  if (error instanceof ApiError) return asInvalid(error);
  unexpected(error);
  return new BuyerError("internal_error", (texts) => texts.failed);
}

/** Shortens the errors of the shared parts of a door. */
function asInvalid({ code, status }: ApiError): BuyerError {
  if (code === "sent_before") return new BuyerError("sent_before", (texts) => texts.sentBefore);
  if (code === "idempotency_in_progress") return new BuyerError("in_progress", (texts) => texts.mayHaveArrived);
  if (status === 413) return new BuyerError("invalid_request", (texts) => texts.tooLarge, { status });
  if (status === 415) return new BuyerError("invalid_request", (texts) => texts.notJsonType, { status });
  return new BuyerError("invalid_request", (texts) => texts.notJson);
}
