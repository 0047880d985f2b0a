import { isAddress } from "../../../domain/addresses.ts";
import type { App } from "../../../edge/http/app.ts";
import { LiveStates } from "../page/liveStates.ts";
import { queryOf, registerPage, registerStates } from "../page/readRoutes.ts";
import { findReceiptView, type ReceiptDeps, scriptSettings } from "../receipt/buyer.ts";
import { sendCalendar } from "../receipt/calendar.ts";
import { unknownPage } from "../receipt/document.ts";
import { keyOf, pathOf } from "../receipt/panel.ts";
import { listReceipts } from "../receipt/queries.ts";
import { type ReceiptFacts, showLive, showState } from "../receipt/receipt.ts";
import { CASE_ENGLISH } from "./catalogue.ts";
import { casePage, titleOf } from "./document.ts";
import { caseVersion } from "./live.ts";
import { caseData } from "./scriptData.ts";
import { datesOf } from "./turn.ts";
import type { CaseReads } from "./view.ts";

export type CasePageDeps = ReceiptDeps & CaseReads;

interface LiveCase {
  readonly facts: ReceiptFacts;
  readonly version: string;
}

/** The buyer's case (§16): a page for each payment of an order, its state as JSON, and as a stream, after a proof. */
export function registerCases(app: App, deps: CasePageDeps): LiveStates<LiveCase> {
  const { database, limit, log, findCase, isProven, listVersions } = deps;
  const live = new LiveStates<LiveCase>({
    name: "case states",
    listFacts: async (addresses) => {
      const [all, versions] = await Promise.all([listReceipts(database, addresses), listVersions(addresses)]);
      return all.map((facts) => ({ facts, version: versions.get(facts.payment.id) ?? "0" }));
    },
    keyOf: ({ facts }) => facts.payment.id,
    businessOf: ({ facts }) => facts.order?.businessId ?? null,
    show: ({ facts, version }) => {
      const { isFinal, mark } = showLive(facts);
      const state = showState(facts);
      return {
        text: JSON.stringify({ ...state, ...caseVersion(state, version) }),
        isFinal,
        mark: `${mark} ${version}`,
      };
    },
    log,
  });
  const path = "/pay/p/:key/case";
  registerPage(app, path, limit, async (request, reply) => {
    const address = request.params.key!;
    const facts = isAddress(address) ? await findCase(address, request.headers.cookie) : null;
    const receipt = facts === null ? null : await findReceiptView(deps, request, facts.isProven);
    if (facts === null || receipt === null) return { status: 404, page: unknownPage() };
    if (receipt.mine !== null && queryOf(request).get("then") === "receipt") {
      reply.redirect(`${pathOf(receipt)}${keyOf(receipt)}`, 303);
      return null;
    }
    const versions = (await listVersions([address])).get(address) ?? "0";
    const dataOf: Parameters<typeof scriptSettings>[2] = (_view, ...rest) =>
      caseData({ receipt, facts }, versions, ...rest);
    const settings = scriptSettings(deps, receipt, dataOf);
    return { status: 200, page: casePage({ receipt, facts }, settings) };
  });
  registerPage(app, `${path}/calendar`, limit, async (request, reply) => {
    const address = request.params.key!;
    const dispute = isAddress(address)
      ? (await findCase(address, request.headers.cookie))?.content?.dispute
      : undefined;
    const receipt = dispute === undefined ? null : await findReceiptView(deps, request, true);
    const dates =
      dispute === undefined || receipt === null
        ? []
        : datesOf(CASE_ENGLISH, dispute, receipt.now, titleOf(CASE_ENGLISH, receipt));
    if (receipt === null || dates.length === 0) return { status: 404, page: unknownPage() };
    return sendCalendar(reply, dates, { url: `${deps.checkoutUrl}${pathOf(receipt)}/case`, now: receipt.at });
  });
  registerStates(app, path, limit, { live, isKey: isAddress, admits: isProven, notFound: CASE_ENGLISH.proofTitle });
  return live;
}
