import type { HtmlPage, PageScript } from "../../server/edge/html/page.ts";
import { casePage } from "../../server/features/checkout/case/document.ts";
import { caseData } from "../../server/features/checkout/case/scriptData.ts";
import { consentPage, enterPage } from "../../server/features/checkout/emails/document.ts";
import { ENGLISH } from "../../server/features/checkout/languages/english.ts";
import type { Language } from "../../server/features/checkout/languages/language.ts";
import { checkoutPage, noticePage, reloadButton } from "../../server/features/checkout/page/document.ts";
import type { Device } from "../../server/features/checkout/page/panel.ts";
import type { Spoken } from "../../server/features/checkout/page/readRoutes.ts";
import { requestCode } from "../../server/features/checkout/page/requestCode.ts";
import { scriptData } from "../../server/features/checkout/page/scriptData.ts";
import { disputeData, disputeFormPage } from "../../server/features/checkout/receipt/disputeForm.ts";
import { receiptPage, unknownPage } from "../../server/features/checkout/receipt/document.ts";
import type { FoundPayment } from "../../server/features/checkout/receipt/find.ts";
import { type FindAnswer, findPage } from "../../server/features/checkout/receipt/findPage.ts";
import { stateOf } from "../../server/features/checkout/receipt/receipt.ts";
import { receiptData } from "../../server/features/checkout/receipt/scriptData.ts";
import { CASE_VIEWS } from "./caseViews.ts";
import { CHECKOUT_VIEWS } from "./checkoutViews.ts";
import { RECEIPT_VIEWS } from "./receiptViews.ts";

export const SITE = "https://pay.shop-demo.com";
const OPERATOR = { name: "Fernweh Payments", url: "https://fernweh-payments.example/imprint" };

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
/** The pages about emails, by name. */
const EMAIL_PAGES: Readonly<Record<string, (spoken: Spoken) => HtmlPage>> = {
  "email-enter": (spoken) => enterPage(spoken, "pi_test_1", null),
  "email-invalid": (spoken) => enterPage(spoken, "pi_test_1", "kim@"),
  "email-asked": (spoken) => consentPage(spoken, "key", null),
  "email-confirmed": (spoken) => consentPage(spoken, "key", "confirmed"),
  "email-stopped": (spoken) => consentPage(spoken, "key", "stopped"),
};
const DISPUTE = "dispute-";
const CASE = "case-";
/** The receipts whose forms of a dispute differ. */
const DISPUTABLE = ["protected", "protected-address-alone", "disputed", "disputed-unmatched", "settled"];

/** Every page a buyer may see, by name: those of the views, and those that only say something. */
export const PAGE_NAMES = [
  ...Object.keys(CHECKOUT_VIEWS),
  "not-found",
  "unavailable",
  ...Object.keys(RECEIPT_VIEWS).map((name) => `${RECEIPT}${name}`),
  ...DISPUTABLE.map((name) => `${DISPUTE}${name}`),
  ...Object.keys(CASE_VIEWS).map((name) => `${CASE}${name}`),
  "unknown-payment",
  ...Object.keys(FIND_PAGES),
  ...Object.keys(EMAIL_PAGES),
] as const;

/** Pages that together have every kind of element that any page has, as a test of all pages holds. */
export const SAMPLE_NAMES: readonly string[] = [
  "priced",
  "waiting-plain",
  "on-its-way",
  "late",
  "expired",
  "receipt-protected-part-sent",
  "receipt-protected-no-terms",
  "receipt-disputed",
  "receipt-decided-split",
  "receipt-closed",
  "dispute-disputed",
  "dispute-settled",
  "case-proof",
  "case-unsaid",
  "case-offered",
  "case-agreed-release",
  "case-asked",
  "case-decided",
  "unknown-payment",
  "find-nothing",
  "find-found",
  "email-invalid",
  "email-asked",
];

interface PageSettings {
  readonly device: Device;
  readonly script: Pick<PageScript, "path" | "integrity">;
  /** Default: English. */
  readonly language?: Language;
}

/** Makes the page that the server would send for a view. */
export function pageOf(name: string, { device, script, language = ENGLISH }: PageSettings): HtmlPage {
  const { page, receipt: texts } = language;
  const choices = [{ tag: "de", name: "Deutsch", href: "?language=de" }];
  const settings = { language, choices, siteOperator: OPERATOR };
  if (name === "unknown-payment") return unknownPage(texts);
  const email = EMAIL_PAGES[name];
  if (email !== undefined) return email({ language, choices });
  const find = FIND_PAGES[name];
  if (find !== undefined) return findPage(texts, ...find, { script: null, choices });
  const receipt = name.startsWith(RECEIPT) ? RECEIPT_VIEWS[name.slice(RECEIPT.length)] : undefined;
  if (receipt !== undefined) {
    const data = receiptData(language, receipt, false);
    return receiptPage(receipt, {
      ...settings,
      canSign: true,
      checkoutUrl: SITE,
      script: { ...script, data },
    });
  }
  const disputed = name.startsWith(DISPUTE) ? RECEIPT_VIEWS[name.slice(DISPUTE.length)] : undefined;
  if (disputed !== undefined) {
    const data = disputeData(language, disputed, false);
    return disputeFormPage(disputed, { ...settings, script: { ...script, data } });
  }
  const disputePage = name.startsWith(CASE) ? CASE_VIEWS[name.slice(CASE.length)] : undefined;
  if (disputePage !== undefined) {
    const data = caseData(language, disputePage, false);
    return casePage(disputePage, { ...settings, script: { ...script, data } });
  }
  if (name === "not-found") return noticePage(page, page.notFoundTitle, page.notFoundText);
  if (name === "unavailable") return noticePage(page, page.unavailableTitle, page.unavailableText, reloadButton(page));
  const view = CHECKOUT_VIEWS[name];
  if (view === undefined) throw new Error(`There is no page ${name}.`);
  const url = `${SITE}/pay/i/${view.intent.id}`;
  return checkoutPage(view, {
    device,
    canPay: true,
    sendsEmails: true,
    url,
    request: requestCode(url),
    ...settings,
    script: { ...script, data: scriptData(page, view, false, []) },
  });
}
