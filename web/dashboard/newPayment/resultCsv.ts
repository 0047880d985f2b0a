import type { PaymentBatch } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";

/**
 * What begins a formula, at the beginning of a cell or behind what ends one in a spreadsheet that separates cells by semicolons
 * or tabs: quotes in the middle of its cells mean nothing there.
 */
const FORMULA = /(^|[;\t\r\n])([\s"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** A cell that no spreadsheet takes for a formula: there is an apostrophe in front of one. */
const cellOf = (text: string): string => {
  const inert = text.replaceAll(FORMULA, "$1$2'");
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
};

/** The payments of a batch as a file, with their links. `amountOf`: an amount in whole tokens, and its unit. */
export const resultCsv = (
  payments: PaymentBatch["payments"],
  amountOf: (amount: string, asset: string) => readonly [amount: string, token: string],
): string =>
  [
    texts.newPayment.batch.resultColumns.split(","),
    ...payments.map(({ merchantReference, amount, price, asset, checkoutUrl, expiresAt }) => [
      merchantReference,
      ...amountOf(amount, asset),
      checkoutUrl,
      expiresAt,
      price?.amount ?? "",
      price?.currency ?? "",
    ]),
  ]
    .map((row) => `${row.map(cellOf).join(",")}\r\n`)
    .join("");
