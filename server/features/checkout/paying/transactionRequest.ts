import type { JsonText } from "../../../domain/show.ts";
import { type BuyerError, MESSAGE_CHARACTERS_MAX } from "../../../edge/buyer/error.ts";
import { periodText, tokensInWords } from "../../../edge/buyer/text.ts";
import type { Catalogue } from "../languages/language.ts";
import type { PayableView } from "./queries.ts";

/** The answers to a Solana Pay transaction request, in the protocol's form. */

export const ICON_PATH = "/pay/icon.svg";

/** Served by this service, so that it has the address that the wallet asks. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#0b6b3a"/><path d="M20 29v-7a12 12 0 0 1 24 0v7" fill="none" stroke="#fff" stroke-width="5"/><rect x="14" y="28" width="36" height="24" rx="5" fill="#fff"/><circle cx="32" cy="40" r="4" fill="#0b6b3a"/></svg>';

/** The routes of a wallet's transaction request, with its own form of errors. */
export const REQUEST = {
  from: "open",
  showError: (_error: BuyerError, message: string): string => JSON.stringify({ message }),
} as const;

/** The answer to the GET. */
export const showLabel = (label: string, checkoutUrl: string): JsonText =>
  JSON.stringify({ label, icon: `${checkoutUrl}${ICON_PATH}` }) as JsonText;

/** The answer to the POST: the transaction to sign. A wallet follows `redirect` after success, and only to https. */
export const showRequested = (
  { transaction }: { readonly transaction: string },
  message: string,
  page: string,
): JsonText =>
  JSON.stringify({ transaction, message, ...(page.startsWith("https:") ? { redirect: page } : {}) }) as JsonText;

/** "5.00 USDC to Demo shop, protected for 7 days". A long name is cut, but never the amount or the protection. */
export function describePayment(texts: Catalogue, { intent, profile, decimals }: PayableView): string {
  const amount = tokensInWords(texts, intent.asset, intent.amount, decimals);
  const textWith = (name: string) => texts.walletText(amount, name, periodText(texts, intent.protectionPeriod));
  return textWith(cut(profile.name, MESSAGE_CHARACTERS_MAX - textWith("").length));
}

/** Cuts at a whole character. Counts UTF-16 units, as wallets may. */
function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  let kept = "";
  for (const character of text) {
    if (kept.length + character.length > lengthMax - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
