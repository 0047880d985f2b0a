import type { ChainBuilder } from "../../../chain/builder.ts";
import { ApiError, showError } from "../../../domain/errors.ts";
import { environmentOf, isIntentId } from "../../../domain/ids.ts";
import type { Environment } from "../../../domain/terms.ts";
import { addressOf } from "../../../edge/buyer/door.ts";
import { MinuteLimit, networkOf } from "../../../edge/buyer/limits.ts";
import { type PageScript, sendPage } from "../../../edge/html/page.ts";
import type { App, Reply, Request } from "../../../edge/http/app.ts";
import { DATA_HEADERS } from "../../../edge/http/headers.ts";
import type { Log } from "../../../lib/log.ts";
import type { Database } from "../../../store/database.ts";
import { DatabaseUnavailableError } from "../../../store/unavailable.ts";
import type { ArbiterLabel } from "../../chains/chain.ts";
import { ENGLISH } from "./catalogue.ts";
import type { CheckoutView } from "./checkout.ts";
import { checkoutPage, noticePage, RELOAD_BUTTON } from "./document.ts";
import { LiveStates } from "./liveStates.ts";
import type { Device, PanelSettings } from "./panel.ts";
import { findCheckout, listCheckoutStates } from "./queries.ts";
import { requestCode } from "./requestCode.ts";
import { clusterOf, LOCAL_CLUSTER, scriptData } from "./scriptData.ts";
import { addressesOf, draftWalletApps } from "./walletApps.ts";

/** Facts about the chain that the page needs and the database does not hold. */
export interface ChainNotice {
  readonly arbiterLabel: ArbiterLabel;
  /** The operator's current arbiter; null while it is unknown. */
  readonly arbiter: string | null;
  /** Wallets that pay for buyers without SOL. */
  readonly sponsors: readonly string[];
  readonly isHeld: boolean;
  /** The cost of a payment in a token of this program, without waiting; null while it is unknown. */
  readonly costOf: ChainBuilder["estimateCost"];
}

/** A file of the page's script, as served. */
export interface PageAsset {
  readonly path: string;
  readonly integrity: string;
  readonly text: string;
}

export interface CheckoutPageDeps {
  readonly database: Database;
  /** The deployment's public address, without a trailing slash. */
  readonly checkoutUrl: string;
  readonly siteOperator: PanelSettings["siteOperator"];
  /** The header in which a proxy names the client's address, as at the buyers' door. */
  readonly addressHeader: string | null;
  /** True if the service builds transactions for buyers. */
  readonly canPay: boolean;
  readonly noticeOf: (environment: Environment) => ChainNotice;
  /** The page's script, then the files that it loads. */
  readonly assets: readonly [PageAsset, ...PageAsset[]];
  /** True if `test` is the local chain, for which the page has a demo wallet. */
  readonly isLocal: boolean;
  /** True if wallet apps are offered on a local chain too. Only wallets in developer mode know it. */
  readonly localWalletApps: boolean;
  readonly log: Log;
}

/** Reads per network and minute, of pages, states and streams together: many buyers share one network behind a mobile carrier. */
const READS_PER_MINUTE = 1_200;

/** The hosted checkout (§12): a page for each intent, its state as JSON, and as a stream. */
export function registerCheckoutPage(app: App, deps: CheckoutPageDeps): LiveStates {
  const { database, noticeOf, log } = deps;
  const limit = new MinuteLimit(READS_PER_MINUTE);
  const networkFrom = (request: Request) => networkOf(addressOf(request.raw, deps.addressHeader));
  /** Counts a read before it is made. Null if it is allowed; else the seconds until the next one is. */
  const countRead = (request: Request) => limit.use(networkFrom(request), performance.now());
  const live = new LiveStates({
    log,
    listStates: async (environment, intentIds) => {
      const rows = await listCheckoutStates(database, environment, intentIds);
      const { isHeld } = noticeOf(environment);
      return rows.map((row) => ({ ...row, isHeld }));
    },
  });

  app.get("/pay/i/:id", async (request, reply) => {
    const id = request.params.id!;
    const waitSeconds = countRead(request);
    if (waitSeconds !== null) {
      reply.header("Retry-After", String(waitSeconds));
      return sendPage(reply, 429, noticePage(ENGLISH.unavailableTitle, ENGLISH.tooManyText, RELOAD_BUTTON));
    }
    try {
      const view = isIntentId(id) ? await findView(deps, id) : null;
      if (view === null) return sendPage(reply, 404, noticePage(ENGLISH.notFoundTitle, ENGLISH.notFoundText));
      return sendPage(reply, 200, checkoutPage(view, settingsOf(deps, view, request.headers["user-agent"])));
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      reply.header("Retry-After", "2");
      return sendPage(reply, 503, noticePage(ENGLISH.unavailableTitle, ENGLISH.unavailableText, RELOAD_BUTTON));
    }
  });

  app.get("/pay/i/:id/state", async (request, reply) => {
    const id = request.params.id!;
    const waitSeconds = countRead(request);
    if (waitSeconds !== null) return refuse(reply, "rate_limited", waitSeconds);
    try {
      const text = isIntentId(id) ? await live.read(id) : null;
      return text === null ? refuse(reply, "not_found") : sendJson(reply, 200, text);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      return refuse(reply, "unavailable");
    }
  });

  app.get("/pay/i/:id/events", async (request, reply) => {
    const id = request.params.id!;
    const waitSeconds = countRead(request);
    if (waitSeconds !== null) return refuse(reply, "rate_limited", waitSeconds);
    try {
      const open = () => {
        const stream = reply.hijack();
        stream.writeHead(200, EVENT_STREAM);
        return stream;
      };
      const outcome = isIntentId(id) ? await live.follow(id, networkFrom(request), open) : "not_found";
      if (outcome !== "open") return refuse(reply, outcome === "busy" ? "unavailable" : outcome);
      return reply;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      return refuse(reply, "unavailable");
    }
  });

  for (const { path, text } of deps.assets)
    app.get(path, async (_request, reply) =>
      reply
        .type("text/javascript; charset=utf-8")
        .headers({
          "Cache-Control": "public, max-age=31536000, immutable",
          "X-Content-Type-Options": "nosniff",
          "Cross-Origin-Resource-Policy": "same-origin",
        })
        .send(text),
    );
  return live;
}

/** Who has the link may see the state, so a shop's own page may read it too (§12.5). There are no cookies. */
const ANY_ORIGIN = { "Access-Control-Allow-Origin": "*" } as const;

const EVENT_STREAM = {
  ...ANY_ORIGIN,
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "X-Accel-Buffering": "no",
} as const;

async function findView(deps: CheckoutPageDeps, id: string): Promise<CheckoutView | null> {
  const environment = environmentOf(id);
  const rows = await findCheckout(deps.database, id);
  if (rows === null) return null;
  const { arbiterLabel, arbiter, isHeld, costOf, sponsors } = deps.noticeOf(environment);
  const cost = costOf(rows.tokenProgram);
  return {
    ...rows,
    isHeld,
    cost: cost && { ...cost, maySponsor: sponsors.length > 0 },
    arbiter: { ...arbiterLabel, address: arbiter, isRecipient: arbiter === rows.intent.recipient },
  };
}

function settingsOf(deps: CheckoutPageDeps, view: CheckoutView, userAgent: string | undefined) {
  const { checkoutUrl, assets, isLocal, canPay, siteOperator } = deps;
  const url = `${checkoutUrl}/pay/i/${view.intent.id}`;
  const [{ path, integrity }] = assets;
  const isKnown = clusterOf(view, isLocal) !== LOCAL_CLUSTER || deps.localWalletApps;
  const apps = canPay && isKnown ? draftWalletApps(view, userAgent) : null;
  const script: PageScript = {
    path,
    integrity,
    data: scriptData(view, isLocal, deps.noticeOf(view.intent.environment).sponsors, apps),
    connectsTo: apps === null ? [] : addressesOf(apps),
  };
  const opensApps = apps !== null;
  return { device: deviceOf(userAgent), opensApps, canPay, url, request: requestCode(url), script, siteOperator };
}

/** Parsed from the user agent. A wallet's own browser on a phone counts as a desktop, since it has a wallet. */
const deviceOf = (userAgent = ""): Device =>
  /Android|iPhone|iPad|iPod/.test(userAgent) && !/Phantom|Solflare|Backpack/i.test(userAgent) ? "phone" : "desktop";

const JSON_HEADERS = { ...DATA_HEADERS, ...ANY_ORIGIN, "cache-control": "no-store" } as const;
const sendJson = (reply: Reply, status: number, text: string): Reply =>
  reply.code(status).type("application/json; charset=utf-8").headers(JSON_HEADERS).send(text);

const REFUSALS = {
  not_found: ENGLISH.notFoundText,
  unavailable: ENGLISH.unavailableText,
  rate_limited: ENGLISH.tooManyText,
} as const;

function refuse(reply: Reply, code: keyof typeof REFUSALS, waitSeconds = 2): Reply {
  if (code !== "not_found") reply.header("Retry-After", String(waitSeconds));
  const error = new ApiError(code, REFUSALS[code]);
  return sendJson(reply, error.status, showError(error));
}
