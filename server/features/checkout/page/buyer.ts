import { environmentOf, isIntentId } from "../../../domain/ids.ts";
import type { PageScript } from "../../../edge/html/page.ts";
import type { App } from "../../../edge/http/app.ts";
import type { BuyerContext } from "../context.ts";
import type { Language } from "../languages/language.ts";
import { noticeOf } from "../notice.ts";
import { type CheckoutView, showLive } from "./checkout.ts";
import { checkoutPage, noticePage } from "./document.ts";
import { LiveStates } from "./liveStates.ts";
import type { Device } from "./panel.ts";
import { findCheckout, listCheckoutStates, type StateRows } from "./queries.ts";
import { registerPage, registerStates, type Spoken } from "./readRoutes.ts";
import { requestCode } from "./requestCode.ts";
import { scriptData } from "./scriptData.ts";

/** The hosted checkout (§12): a page for each intent, its state as JSON, and as a stream. */
export function registerCheckoutPage(app: App, ctx: BuyerContext): LiveStates<LiveFacts> {
  const { database, log } = ctx;
  const live = new LiveStates<LiveFacts>({
    name: "checkout states",
    listFacts: async (intentIds) => {
      const rows = await listCheckoutStates(database, intentIds);
      return rows.map((row) => ({ ...row, isHeld: noticeOf(ctx, row.intent.environment).isHeld }));
    },
    keyOf: ({ intent }) => intent.id,
    businessOf: ({ intent }) => intent.businessId,
    show: showLive,
    log,
  });
  registerPage(app, "/pay/i/:key", ctx, async (request, _reply, speakFor) => {
    const id = request.params.key!;
    const view = isIntentId(id) ? await findView(ctx, id) : null;
    if (view === null) {
      const { page: texts } = speakFor().language;
      return { status: 404, page: noticePage(texts, texts.notFoundTitle, texts.notFoundText) };
    }
    const spoken = speakFor({ locale: view.intent.locale, business: view.business.locale });
    return { status: 200, page: checkoutPage(view, settingsOf(ctx, view, spoken, request.headers["user-agent"])) };
  });
  const notFound = ({ page }: Language) => page.notFoundText;
  registerStates(app, "/pay/i/:key", ctx, { live, isKey: isIntentId, notFound, headers: ANY_ORIGIN });
  for (const { path, text } of ctx.assets)
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

async function findView(ctx: BuyerContext, id: string): Promise<CheckoutView | null> {
  const environment = environmentOf(id);
  const rows = await findCheckout(ctx.database, id);
  if (rows === null) return null;
  const { arbiterLabel, arbiter, isHeld, costOf, sponsors } = noticeOf(ctx, environment);
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

function settingsOf(ctx: BuyerContext, view: CheckoutView, spoken: Spoken, userAgent: string | undefined) {
  const { checkoutUrl, assets, isLocal, sendsEmails, siteOperator } = ctx;
  const url = `${checkoutUrl}/pay/i/${view.intent.id}`;
  const [{ path, integrity }] = assets;
  const script: PageScript = {
    path,
    integrity,
    data: scriptData(spoken.language.page, view, isLocal, noticeOf(ctx, view.intent.environment).sponsors),
  };
  const shown = {
    device: deviceOf(userAgent),
    canPay: true,
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
