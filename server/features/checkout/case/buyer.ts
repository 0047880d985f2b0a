import { isAddress } from "../../../domain/addresses.ts";
import type { App } from "../../../edge/http/app.ts";
import type { BuyerContext } from "../context.ts";
import { LiveStates } from "../page/liveStates.ts";
import { queryOf, registerPage, registerStates } from "../page/readRoutes.ts";
import { findReceiptView, scriptSettings, speakOf } from "../receipt/buyer.ts";
import { sendCalendar } from "../receipt/calendar.ts";
import { unknownPage } from "../receipt/document.ts";
import { keyOf, pathOf } from "../receipt/panel.ts";
import { listCases } from "../receipt/queries.ts";
import { showLive, showState } from "../receipt/receipt.ts";
import { casePage, titleOf } from "./document.ts";
import { caseVersion } from "./live.ts";
import { caseData } from "./scriptData.ts";
import { datesOf } from "./turn.ts";
import type { CaseReads } from "./view.ts";

type LiveCase = Awaited<ReturnType<typeof listCases>>[number];

/** The buyer's case (§16): a page for each payment of an order, its state as JSON, and as a stream, after a proof. */
export function registerCases(app: App, ctx: BuyerContext, { findCase, isProven }: CaseReads): LiveStates<LiveCase> {
  const { database, log } = ctx;
  const live = new LiveStates<LiveCase>({
    name: "case states",
    listFacts: (addresses) => listCases(database, addresses),
    keyOf: ({ payment }) => payment.id,
    businessOf: ({ order }) => order?.businessId ?? null,
    show: (facts) => {
      const { isFinal, mark } = showLive(facts);
      const state = showState(facts);
      return {
        text: JSON.stringify({ ...state, ...caseVersion(state, facts.version) }),
        isFinal,
        mark: `${mark} ${facts.version}`,
      };
    },
    log,
  });
  const path = "/pay/p/:key/case";
  registerPage(app, path, ctx, async (request, reply, speakFor) => {
    const address = request.params.key!;
    const facts = isAddress(address) ? await findCase(address, request.headers.cookie) : null;
    const receipt = facts === null ? null : await findReceiptView(ctx, request, facts.isProven);
    const spoken = speakOf(speakFor, receipt);
    if (facts === null || receipt === null) return { status: 404, page: unknownPage(spoken.language.receipt) };
    if (receipt.mine !== null && queryOf(request).get("then") === "receipt") {
      reply.redirect(`${pathOf(receipt)}${keyOf(receipt)}`, 303);
      return null;
    }
    const settings = scriptSettings(ctx, spoken, receipt, (language, _view, isLocal) =>
      caseData(language, { receipt, facts }, isLocal),
    );
    return { status: 200, page: casePage({ receipt, facts }, settings) };
  });
  registerPage(app, `${path}/calendar`, ctx, async (request, reply, speakFor) => {
    const address = request.params.key!;
    const content = isAddress(address) ? (await findCase(address, request.headers.cookie))?.content : undefined;
    const receipt = content == null ? null : await findReceiptView(ctx, request, true);
    const { dispute: texts, receipt: receiptTexts } = speakOf(speakFor, receipt).language;
    const dates =
      content == null || receipt === null ? [] : datesOf(texts, content, receipt.now, titleOf(texts, receipt));
    if (receipt === null || dates.length === 0) return { status: 404, page: unknownPage(receiptTexts) };
    return sendCalendar(reply, dates, { url: `${ctx.checkoutUrl}${pathOf(receipt)}/case`, now: receipt.at });
  });
  registerStates(app, path, ctx, {
    live,
    isKey: isAddress,
    admits: isProven,
    notFound: ({ dispute }) => dispute.proofTitle,
  });
  return live;
}
