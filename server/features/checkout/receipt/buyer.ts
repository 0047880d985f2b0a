import { isAddress } from "../../../domain/addresses.ts";
import type { App, Request } from "../../../edge/http/app.ts";
import { listFulfillments } from "../../fulfillments/fragments.ts";
import type { PaymentView } from "../../payments/paymentView.ts";
import type { BuyerContext } from "../context.ts";
import type { Language } from "../languages/language.ts";
import { noticeOf } from "../notice.ts";
import { LiveStates } from "../page/liveStates.ts";
import { queryOf, registerPage, registerStates, type SpeakFor, type Spoken } from "../page/readRoutes.ts";
import { sendCalendar } from "./calendar.ts";
import { disputeData, disputeFormPage } from "./disputeForm.ts";
import { type ReceiptSettings, receiptPage, unknownPage } from "./document.ts";
import { pathOf } from "./panel.ts";
import { listReceiptPages, listReceipts } from "./queries.ts";
import { type ReceiptView, showLive } from "./receipt.ts";
import { receiptData } from "./scriptData.ts";
import { datesOf } from "./story.ts";
import { draftView } from "./view.ts";

/** The receipts (§14): a page for each payment under the operators, its state as JSON, and as a stream. */
export function registerReceipts(app: App, ctx: BuyerContext): LiveStates<PaymentView> {
  const { database, log } = ctx;
  const live = new LiveStates<PaymentView>({
    name: "receipt states",
    listFacts: (addresses) => listReceipts(database, addresses),
    keyOf: ({ payment }) => payment.id,
    businessOf: ({ order }) => order?.businessId ?? null,
    show: showLive,
    log,
  });
  const path = "/pay/p/:key";
  for (const [name, pageOf, dataOf] of [
    ["", receiptPage, receiptData],
    ["/dispute", disputeFormPage, disputeData],
  ] as const)
    registerPage(app, `${path}${name}`, ctx, async (request, _reply, speakFor) => {
      const view = await findReceiptView(ctx, request);
      const spoken = speakOf(speakFor, view);
      return view === null
        ? { status: 404, page: unknownPage(spoken.language.receipt) }
        : { status: 200, page: pageOf(view, scriptSettings(ctx, spoken, view, dataOf)) };
    });
  registerPage(app, `${path}/calendar`, ctx, async (request, reply, speakFor) => {
    const view = await findReceiptView(ctx, request);
    const { receipt: texts } = speakOf(speakFor, view).language;
    const dates = view === null ? [] : datesOf(texts, view);
    if (view === null || dates.length === 0) return { status: 404, page: unknownPage(texts) };
    return sendCalendar(reply, dates, { url: `${ctx.checkoutUrl}${pathOf(view)}`, now: view.at });
  });
  registerStates(app, path, ctx, { live, isKey: isAddress, notFound: ({ receipt }: Language) => receipt.unknownText });
  return live;
}

/**
 * The payment's receipt; null if no payment at the address is known here. A browser that proved the wallet that paid needs
 * no key.
 */
export async function findReceiptView(
  ctx: BuyerContext,
  request: Request,
  isProven = false,
): Promise<ReceiptView | null> {
  const address = request.params.key!;
  const [row] = isAddress(address) ? await listReceiptPages(ctx.database, [address]) : [];
  if (row === undefined) return null;
  const { order, payment } = row;
  const fulfillments =
    order === null
      ? []
      : await listFulfillments(ctx.database, { ...order, environment: payment.environment }, order.intentId);
  const key = isProven ? row.receiptKey : queryOf(request).get("key");
  return draftView(row, fulfillments, noticeOf(ctx, payment.environment), key);
}

/** The language of a payment's pages: that of its order, if it is of one. */
export const speakOf = (speakFor: SpeakFor, view: ReceiptView | null): Spoken => speakFor(view?.order ?? {});

export function scriptSettings(
  ctx: BuyerContext,
  spoken: Spoken,
  view: ReceiptView,
  dataOf: (language: Language, view: ReceiptView, isLocal: boolean) => unknown,
): ReceiptSettings {
  const { assets, isLocal, siteOperator, checkoutUrl, sealing } = ctx;
  const [{ path, integrity }] = assets;
  const data = dataOf(spoken.language, view, isLocal);
  return { ...spoken, siteOperator, canSign: sealing !== null, checkoutUrl, script: { path, integrity, data } };
}
