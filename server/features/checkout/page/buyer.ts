import type { ChainBuilder } from "../../../chain/builder.ts";
import { environmentOf, isIntentId } from "../../../domain/ids.ts";
import type { Environment } from "../../../domain/terms.ts";
import type { PageScript } from "../../../edge/html/page.ts";
import type { App } from "../../../edge/http/app.ts";
import type { Log } from "../../../lib/log.ts";
import type { Database } from "../../../store/database.ts";
import type { ArbiterLabel } from "../../chains/chain.ts";
import type { Language } from "../languages/language.ts";
import { type CheckoutView, showLive } from "./checkout.ts";
import { checkoutPage, noticePage } from "./document.ts";
import { LiveStates } from "./liveStates.ts";
import type { Device, PanelSettings } from "./panel.ts";
import { findCheckout, listCheckoutStates, type StateRows } from "./queries.ts";
import { type PageDeps, registerPage, registerStates, type Spoken } from "./readRoutes.ts";
import { requestCode } from "./requestCode.ts";
import { scriptData } from "./scriptData.ts";

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

export interface CheckoutPageDeps extends PageDeps {
  readonly database: Database;
  /** The deployment's public address, without a trailing slash. */
  readonly checkoutUrl: string;
  readonly siteOperator: PanelSettings["siteOperator"];
  /** True if the service builds transactions for buyers. */
  readonly canPay: boolean;
  readonly sendsEmails: boolean;
  readonly noticeOf: (environment: Environment) => ChainNotice;
  /** The page's script, then the files that it loads. */
  readonly assets: readonly [PageAsset, ...PageAsset[]];
  /** True if `test` is the local chain, for which the page has a demo wallet. */
  readonly isLocal: boolean;
  readonly log: Log;
}

/** The hosted checkout (§12): a page for each intent, its state as JSON, and as a stream. */
export function registerCheckoutPage(app: App, deps: CheckoutPageDeps): LiveStates<LiveFacts> {
  const { database, noticeOf, log } = deps;
  const live = new LiveStates<LiveFacts>({
    name: "checkout states",
    listFacts: async (intentIds) => {
      const rows = await listCheckoutStates(database, intentIds);
      return rows.map((row) => ({ ...row, isHeld: noticeOf(row.intent.environment).isHeld }));
    },
    keyOf: ({ intent }) => intent.id,
    businessOf: ({ intent }) => intent.businessId,
    show: showLive,
    log,
  });
  registerPage(app, "/pay/i/:key", deps, async (request, _reply, speakFor) => {
    const id = request.params.key!;
    const view = isIntentId(id) ? await findView(deps, id) : null;
    if (view === null) {
      const { page: texts } = speakFor().language;
      return { status: 404, page: noticePage(texts, texts.notFoundTitle, texts.notFoundText) };
    }
    const spoken = speakFor({ locale: view.intent.locale, business: view.business.locale });
    return { status: 200, page: checkoutPage(view, settingsOf(deps, view, spoken, request.headers["user-agent"])) };
  });
  const notFound = ({ page }: Language) => page.notFoundText;
  registerStates(app, "/pay/i/:key", deps, { live, isKey: isIntentId, notFound, headers: ANY_ORIGIN });
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

/** Who has the link may see the state, so a shop's own page may read it too (§12.5). No cookie opens it. */
const ANY_ORIGIN = { "access-control-allow-origin": "*" } as const;

type LiveFacts = StateRows & Parameters<typeof showLive>[0];

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
    arbiter: {
      ...arbiterLabel,
      address: arbiter,
      isRecipient: arbiter === rows.intent.recipient,
      isOwn: rows.ownArbiter,
    },
  };
}

function settingsOf(deps: CheckoutPageDeps, view: CheckoutView, spoken: Spoken, userAgent: string | undefined) {
  const { checkoutUrl, assets, isLocal, canPay, sendsEmails, siteOperator } = deps;
  const url = `${checkoutUrl}/pay/i/${view.intent.id}`;
  const [{ path, integrity }] = assets;
  const script: PageScript = {
    path,
    integrity,
    data: scriptData(spoken.language.page, view, isLocal, deps.noticeOf(view.intent.environment).sponsors),
  };
  const shown = {
    device: deviceOf(userAgent),
    canPay,
    sendsEmails,
    url,
    request: requestCode(url),
    script,
    siteOperator,
  };
  return { ...spoken, ...shown };
}

/** Parsed from the user agent. A wallet's own browser on a phone counts as a desktop, since it has a wallet. */
const deviceOf = (userAgent = ""): Device =>
  /Android|iPhone|iPad|iPod/.test(userAgent) && !/Phantom|Solflare|Backpack/i.test(userAgent) ? "phone" : "desktop";
