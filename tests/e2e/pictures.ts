import type { BrowserContext } from "playwright-core";
import { type HtmlPage, renderPage } from "../../server/edge/html/page.ts";
import { ENGLISH } from "../../server/features/checkout/page/catalogue.ts";
import { checkoutPage, noticePage, RELOAD_BUTTON } from "../../server/features/checkout/page/document.ts";
import type { Device } from "../../server/features/checkout/page/panel.ts";
import { requestCode } from "../../server/features/checkout/page/requestCode.ts";
import { scriptData } from "../../server/features/checkout/page/scriptData.ts";
import { addressesOf, draftWalletApps } from "../../server/features/checkout/page/walletApps.ts";
import { disputeData, disputeFormPage } from "../../server/features/checkout/receipt/disputeForm.ts";
import { receiptPage, unknownPage } from "../../server/features/checkout/receipt/document.ts";
import type { FoundPayment } from "../../server/features/checkout/receipt/find.ts";
import { type FindAnswer, findPage } from "../../server/features/checkout/receipt/findPage.ts";
import { stateOf } from "../../server/features/checkout/receipt/receipt.ts";
import { receiptData } from "../../server/features/checkout/receipt/scriptData.ts";
import { buildCheckoutScript } from "../../server/process/checkoutScript.ts";
import { ANDROID } from "./browser.ts";
import { CHECKOUT_VIEWS } from "./checkoutViews.ts";
import { RECEIPT_VIEWS } from "./receiptViews.ts";

const SITE = "https://pay.shop-demo.com";
const OPERATOR = { name: "Fernweh Payments", url: "https://fernweh-payments.example/imprint" };

/** The waiting page where the browser can open wallets' apps of the phone. */
const WITH_APPS = "waiting-apps";

const RECEIPT = "receipt-";

const FOUND = Object.values(RECEIPT_VIEWS).map((view): FoundPayment => {
  const { id, environment, amount, asset, createdAt } = view.payment;
  return { address: id, environment, amount, asset, decimals: view.decimals, createdAt, state: stateOf(view) };
});
/** The page that finds payments, by name: what was asked, and what was found. */
const FIND_PAGES: Readonly<Record<string, readonly [query: string, answer: FindAnswer | null]>> = {
  find: ["", null],
  "find-nothing": ["9wJ4ZcbcVpsKqYBqXQ2eXkMF7iQYy6r4Lh1kBSyY7h5Y", { kind: "nothing" }],
  "find-invalid": ["order 1042", { kind: "invalid" }],
  "find-found": [RECEIPT_VIEWS.protected!.payment.sender!, { kind: "list", payments: FOUND.slice(0, 4), isMore: true }],
};
const DISPUTE = "dispute-";
/** The receipts whose forms of a dispute differ. */
const DISPUTABLE = ["protected", "protected-address-alone", "disputed", "disputed-unmatched", "settled"];

/** Every page a buyer may see, by name: those of the views, and those that only say something. */
export const PAGE_NAMES = [
  ...Object.keys(CHECKOUT_VIEWS),
  WITH_APPS,
  "not-found",
  "unavailable",
  ...Object.keys(RECEIPT_VIEWS).map((name) => `${RECEIPT}${name}`),
  ...DISPUTABLE.map((name) => `${DISPUTE}${name}`),
  "unknown-payment",
  ...Object.keys(FIND_PAGES),
] as const;

/**
 * Serves one page to a browser at an https address that leads nowhere else: the HTML that the server would send for a view,
 * without a service, a chain or a network. Returns the address.
 */
export async function servePage(context: BrowserContext, name: string, device: Device = "desktop"): Promise<string> {
  const assets = await buildCheckoutScript();
  const { text, headers } = renderPage(pageOf(name, device, assets[0]));
  await context.route("**/*", async (route) => {
    const { pathname } = new URL(route.request().url());
    const asset = assets.find(({ path }) => path === pathname);
    if (asset !== undefined) return route.fulfill({ contentType: "text/javascript", body: asset.text });
    if (pathname === "/pay/i/1") return route.fulfill({ contentType: "text/html; charset=utf-8", headers, body: text });
    // A stream that stays silent: an empty answer would be taken for a lost connection.
    if (pathname.endsWith("/events")) return new Promise<void>(() => undefined);
    return route.abort();
  });
  return `${SITE}/pay/i/1`;
}

function pageOf(name: string, device: Device, script: { path: string; integrity: string }): HtmlPage {
  if (name === "unknown-payment") return unknownPage();
  const find = FIND_PAGES[name];
  if (find !== undefined) return findPage(...find, null);
  const receipt = name.startsWith(RECEIPT) ? RECEIPT_VIEWS[name.slice(RECEIPT.length)] : undefined;
  if (receipt !== undefined) {
    const data = receiptData(receipt, false, null);
    return receiptPage(receipt, { siteOperator: OPERATOR, canSign: true, script: { ...script, data } });
  }
  const disputed = name.startsWith(DISPUTE) ? RECEIPT_VIEWS[name.slice(DISPUTE.length)] : undefined;
  if (disputed !== undefined) {
    const data = disputeData(disputed, false, null);
    return disputeFormPage(disputed, { siteOperator: OPERATOR, script: { ...script, data } });
  }
  if (name === "not-found") return noticePage(ENGLISH.notFoundTitle, ENGLISH.notFoundText);
  if (name === "unavailable") return noticePage(ENGLISH.unavailableTitle, ENGLISH.unavailableText, RELOAD_BUTTON);
  const view = CHECKOUT_VIEWS[name === WITH_APPS ? "waiting" : name];
  if (view === undefined) throw new Error(`There is no page ${name}.`);
  const apps = name === WITH_APPS && device === "phone" ? draftWalletApps(view, ANDROID) : null;
  const url = `${SITE}/pay/i/${view.intent.id}`;
  return checkoutPage(view, {
    device,
    canPay: true,
    url,
    request: requestCode(url),
    opensApps: apps !== null,
    siteOperator: OPERATOR,
    script: {
      path: script.path,
      integrity: script.integrity,
      data: scriptData(view, false, [], apps),
      connectsTo: apps === null ? [] : addressesOf(apps),
    },
  });
}
