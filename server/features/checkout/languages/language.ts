import type { WALLET_TEXTS } from "@holdfast/ui/walletTexts.ts";
import type { BuyerTexts } from "../../../domain/buyerTexts.ts";
import type { REFUSALS_ENGLISH } from "../../../edge/buyer/refusalTexts.ts";
import type { Widened } from "../../../lib/widened.ts";
import type { ACTION_ENGLISH } from "./actionTexts.ts";
import type { DISPUTE_EMAIL_ENGLISH } from "./disputeEmailTexts.ts";
import type { DISPUTE_FORM_ENGLISH } from "./disputeFormTexts.ts";
import type { DISPUTE_PAGE_ENGLISH } from "./disputePageTexts.ts";
import type { EMAIL_ENGLISH } from "./emailPageTexts.ts";
import type { LINK_ENGLISH } from "./linkTexts.ts";
import type { PAGE_ENGLISH } from "./pageTexts.ts";
import type { RECEIPT_ENGLISH } from "./receiptTexts.ts";

interface LanguageHead {
  /** BCP 47, as `LANGUAGES`, intents and readers name it. */
  readonly tag: string;
  /** Its own name for itself, for readers who look for it. */
  readonly name: string;
  /** The locale of `Intl` for figures and times. */
  readonly locale: string;
  readonly direction: "ltr" | "rtl";
  /** Who speaks the language and has read every text; null: nobody, so it is off until the operator names it. */
  readonly readBy: string | null;
}

/**
 * Everything that buyers read, in one language. Texts are strings, in which `{…}` marks a value, or functions of plain
 * values: figures, amounts, times and names as they are shown.
 */
export interface LanguageTexts extends LanguageHead {
  readonly wallet: Widened<typeof WALLET_TEXTS>;
  readonly page: Widened<typeof PAGE_ENGLISH>;
  readonly link: Widened<typeof LINK_ENGLISH>;
  readonly receipt: Widened<typeof RECEIPT_ENGLISH>;
  readonly actions: Widened<typeof ACTION_ENGLISH>;
  readonly disputeForm: Widened<typeof DISPUTE_FORM_ENGLISH>;
  readonly dispute: Widened<typeof DISPUTE_PAGE_ENGLISH>;
  readonly emailPages: Widened<typeof EMAIL_ENGLISH>;
  readonly emails: BuyerTexts;
  readonly disputeEmails: Widened<typeof DISPUTE_EMAIL_ENGLISH>;
  readonly refusals: Widened<typeof REFUSALS_ENGLISH>;
}

/** A language as the pages use it: each part has those of every page as its `page`, each script its sentences of wallets. */
export function draftLanguage(given: LanguageTexts) {
  const { tag, name, locale, direction, readBy } = given;
  const texts = direction === "rtl" ? isolate(given) : given;
  const { wallet, actions: own } = texts;
  const page = { ...texts.page, tag, locale, direction, script: { ...wallet, ...texts.page.script } };
  const actions = { ...wallet, ...own };
  const receipt = { ...texts.receipt, page, script: { ...wallet, ...texts.receipt.script }, actions };
  const amounts = { locale, tokens: page.tokens, smallestUnits: page.smallestUnits };
  const { sending } = texts.dispute.files;
  const files = {
    fileSending: sending.file,
    fileSize: sending.size,
    fileUnread: sending.unread,
    fileInsecure: sending.insecure,
  };
  return {
    ...{ tag, name, readBy, page, receipt },
    link: { ...texts.link, page },
    disputeForm: { ...texts.disputeForm, page, script: { ...actions, ...texts.disputeForm.script } },
    dispute: { ...texts.dispute, page, receipt, script: { ...actions, ...files, ...texts.dispute.script } },
    emailPages: { ...texts.emailPages, page },
    emails: { ...texts.emails, ...amounts, dispute: texts.disputeEmails },
    refusals: { ...texts.refusals, ...amounts },
  };
}
export type Language = ReturnType<typeof draftLanguage>;
export type Catalogue = Language["page"];
export type LinkCatalogue = Language["link"];
export type ReceiptCatalogue = Language["receipt"];
export type CaseCatalogue = Language["dispute"];
export type EmailPageCatalogue = Language["emailPages"];
export type DisputeFormCatalogue = Language["disputeForm"];

/** A language that the reader may choose, with the address that does so. */
export interface LanguageChoice {
  readonly tag: string;
  readonly name: string;
  readonly href: string;
}

/** First strong isolate, and its end: whatever stands between them has its own direction, and changes none around it. */
const [ISOLATE, END] = ["\u2068", "\u2069"];

/** A link stays as it is: a mark behind it would be taken for its last character. */
const isLink = (value: string): boolean => value.startsWith("https://") || value.startsWith("http://");

/** Isolates every value of the texts, with its unit: in a text from right to left, amounts, addresses and names stay as they are. */
const isolate = <Texts>(texts: Texts): Texts =>
  rewrite(
    texts,
    (text) => text.replaceAll(/\{\w+\}(?: SOL)?/g, `${ISOLATE}$&${END}`),
    (value) => (typeof value === "string" && !isLink(value) ? `${ISOLATE}${value}${END}` : value),
  );

/** Changes every text, and every value that one is given. */
export function rewrite<Texts>(
  texts: Texts,
  change: (text: string) => string,
  changeValue: (value: unknown) => unknown,
): Texts {
  if (typeof texts === "string") return change(texts) as Texts;
  if (typeof texts === "function")
    return ((...values: unknown[]) =>
      rewrite(texts(...values.map((value) => eachOf(value, changeValue))), change, changeValue)) as Texts;
  if (typeof texts !== "object" || texts === null) return texts;
  return eachOf(texts, (text) => rewrite(text, change, changeValue)) as Texts;
}

/** Changes the members of an object or a list, else the value itself. */
function eachOf(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== "object" || value === null) return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]));
}
