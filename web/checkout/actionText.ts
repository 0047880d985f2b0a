import type { ActionName } from "@holdfast/decoder";
import { amountText, inOne, readFigure, type ShownAmount } from "@holdfast/ui/amount.ts";
import type { ReceiptData } from "./data.ts";
import { fill, shortAddress } from "./walletText.ts";

/** Names an amount of the payment's token, in the form of the page. */
export function tokenText({ locale, unit, decimals, texts }: ReceiptData, amount: string): ShownAmount {
  const symbol = unit === texts.tokens ? null : unit;
  return amountText({ locale, tokens: unit, smallestUnits: unit }, amount, { symbol, decimals });
}

/** The total that the buyer keeps with a release: what is bound to them already. Null for actions without a total. */
export const totalOf = (action: ActionName, { payment }: ReceiptData): string | null =>
  action === "release" ? payment.refundTotal : null;

/** The amount that goes to the shop with a release. */
export const releasedBy = ({ payment: { amount, refundTotal } }: ReceiptData): string =>
  String(BigInt(amount) - BigInt(refundTotal));

/** The label of an action's button, and what it says below: the confirmation of an action without texts of its own. */
export interface ButtonLabel {
  readonly title: string;
  readonly text: string;
}

/** An action's texts are named after it: `settleText`, `payOutSenderText`. */
const camelOf = (action: ActionName): string => action.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** The confirmation in words: the amounts, who gets them, and what cannot be undone. */
export function confirmationOf(action: ActionName, label: ButtonLabel, data: ReceiptData, isDisputed: boolean) {
  const { texts, payment } = data;
  const { amount, refundTotal, amountRefunded, amountReleased, sender, rentPayer } = payment;
  const show = (digits: bigint) => inOne(tokenText(data, digits.toString()));
  const [all, bound, refunded, released] = [amount, refundTotal, amountRefunded, amountReleased].map(BigInt) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const values = {
    amount: show(all - refunded),
    shop: show(all - bound),
    shopRest: show(all - bound - released),
    buyer: show(bound),
    buyerRest: show(bound - refunded),
    sender: shortAddress(sender),
    payer: rentPayer === null ? (texts.rentPayer ?? "") : shortAddress(rentPayer),
  };
  const name = camelOf(action);
  const text = action === "release" ? releaseText(isDisputed, bound > 0n) : `${name}Text`;
  return {
    title: texts[`${name}Title`] ?? label.title,
    text: text in texts ? fill(texts[text], values) : label.text,
    sign: texts[`${name}With`] ?? texts.signWith ?? "",
  };
}

function releaseText(isDisputed: boolean, keeps: boolean): string {
  if (isDisputed) return keeps ? "releaseDisputedTextKept" : "releaseDisputedText";
  return keeps ? "releaseTextKept" : "releaseText";
}

/**
 * Reads an amount that a person typed, in the reader's notation, as smallest units. Null if it is none, or has more decimals
 * than the token.
 */
export function parseAmount(
  typed: string,
  { locale, decimals }: Pick<ReceiptData, "locale" | "decimals">,
): bigint | null {
  const match = /^(\d{1,20})(?:\.(\d{1,20}))?$/.exec(readFigure(locale, typed) ?? "");
  const places = decimals ?? 0;
  if (match === null || (match[2] ?? "").length > places) return null;
  return BigInt(match[1]! + (match[2] ?? "").padEnd(places, "0"));
}
