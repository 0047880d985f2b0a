import { isAddress } from "../../../domain/addresses.ts";
import type { App, Request } from "../../../edge/http/app.ts";
import { listFulfillments } from "../../fulfillments/fragments.ts";
import type { PaymentView } from "../../payments/paymentView.ts";
import type { CheckoutPageDeps } from "../page/buyer.ts";
import { LiveStates } from "../page/liveStates.ts";
import { queryOf, registerPage, registerStates } from "../page/readRoutes.ts";
import { sendCalendar } from "./calendar.ts";
import { RECEIPT_ENGLISH } from "./catalogue.ts";
import { disputeData, disputeFormPage } from "./disputeForm.ts";
import { type ReceiptSettings, receiptPage, unknownPage } from "./document.ts";
import { pathOf } from "./panel.ts";
import { listReceiptPages, listReceipts } from "./queries.ts";
import { type ReceiptView, showLive } from "./receipt.ts";
import { receiptData } from "./scriptData.ts";
import { datesOf } from "./story.ts";
import { draftView } from "./view.ts";

export type ReceiptDeps = Omit<CheckoutPageDeps, "canPay" | "sendsEmails"> & Pick<ReceiptSettings, "canSign">;

/** The receipts (§14): a page for each payment under the operators, its state as JSON, and as a stream. */
export function registerReceipts(app: App, deps: ReceiptDeps): LiveStates<PaymentView> {
  const { database, limit, log } = deps;
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
    registerPage(app, `${path}${name}`, limit, async (request) => {
      const view = await findReceiptView(deps, request);
      return view === null
        ? { status: 404, page: unknownPage() }
        : { status: 200, page: pageOf(view, scriptSettings(deps, view, dataOf)) };
    });
  registerPage(app, `${path}/calendar`, limit, async (request, reply) => {
    const view = await findReceiptView(deps, request);
    const dates = view === null ? [] : datesOf(RECEIPT_ENGLISH, view);
    if (view === null || dates.length === 0) return { status: 404, page: unknownPage() };
    return sendCalendar(reply, dates, { url: `${deps.checkoutUrl}${pathOf(view)}`, now: view.at });
  });
  registerStates(app, path, limit, { live, isKey: isAddress, notFound: RECEIPT_ENGLISH.unknownText });
  return live;
}

/**
 * The payment's receipt; null if no payment at the address is known here. A browser that proved the wallet that paid needs
 * no key.
 */
export async function findReceiptView(
  { database, noticeOf }: ReceiptDeps,
  request: Request,
  isProven = false,
): Promise<ReceiptView | null> {
  const address = request.params.key!;
  const [row] = isAddress(address) ? await listReceiptPages(database, [address]) : [];
  if (row === undefined) return null;
  const { order, payment } = row;
  const fulfillments =
    order === null
      ? []
      : await listFulfillments(database, { ...order, environment: payment.environment }, order.intentId);
  const key = isProven ? row.receiptKey : queryOf(request).get("key");
  return draftView(row, fulfillments, noticeOf(payment.environment), key);
}

export function scriptSettings(
  deps: ReceiptDeps,
  view: ReceiptView,
  dataOf: (...given: Parameters<typeof receiptData>) => unknown,
): ReceiptSettings {
  const { assets, isLocal, siteOperator, canSign, checkoutUrl } = deps;
  const [{ path, integrity }] = assets;
  return { siteOperator, canSign, checkoutUrl, script: { path, integrity, data: dataOf(view, isLocal) } };
}
