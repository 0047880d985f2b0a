import type { PaymentBatch } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";

/** A cell that no spreadsheet takes for a formula: text that begins like one gets an apostrophe in front. */
const cellOf = (text: string): string => {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
};

/** The payments of a batch as a file, with their links. `amountOf`: an amount in whole tokens, and its unit. */
export const resultCsv = (
  payments: PaymentBatch["payments"],
  amountOf: (amount: string, asset: string) => readonly [amount: string, token: string],
): string =>
  [
    texts.newPayment.batch.resultColumns.split(","),
    ...payments.map(({ merchantReference, amount, asset, checkoutUrl, expiresAt }) => [
      merchantReference,
      ...amountOf(amount, asset),
      checkoutUrl,
      expiresAt,
    ]),
  ]
    .map((row) => `${row.map(cellOf).join(",")}\r\n`)
    .join("");
