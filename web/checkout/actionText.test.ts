import assert from "node:assert/strict";
import { test } from "node:test";
import { confirmationOf, parseAmount, totalOf } from "./actionText.ts";
import type { ReceiptData } from "./data.ts";

const PAYMENT = {
  sender: "D3ANfXJL7Xh8JR9ogUpvDxhJxqqhoitxBaWfMiK32r8k",
  rentPayer: null,
  amount: "24500000",
  refundTotal: "0",
  amountRefunded: "0",
  amountReleased: "0",
};
const TEXTS = {
  releaseTitle: "Release?",
  releaseText: "The shop gets {shop}.",
  releaseTextKept: "The shop gets {shop}, {buyer} stay yours.",
  releaseDisputedText: "This ends your dispute. The shop gets {shop}.",
  releaseDisputedTextKept: "This ends your dispute. The shop gets {shop}, you keep {buyer}.",
  releaseWith: "Release with {wallet}",
  signWith: "Sign with {wallet}",
  payOutSenderText: "{buyerRest} to {sender}",
  refundUnresolvedText: "{amount} to {sender}",
  closeText: "to {payer}",
  rentPayer: "who paid it",
};
const LABEL = { title: "Do it", text: "It is done." };
const dataOf = (payment: object = {}) =>
  ({
    payment: { ...PAYMENT, ...payment },
    texts: TEXTS,
    locale: "en-GB",
    unit: "USDC",
    decimals: 6,
  }) as unknown as ReceiptData;

test("§12.18 a release says the amount that the shop gets now, and what was bound to the buyer before", () => {
  const part = dataOf({ refundTotal: "12000000", amountRefunded: "12000000" });
  const text = (data: ReceiptData, isDisputed: boolean) => confirmationOf("release", LABEL, data, isDisputed).text;
  assert.equal(text(dataOf(), false), "The shop gets 24.50 USDC.");
  assert.equal(text(part, false), "The shop gets 12.50 USDC, 12.00 USDC stay yours.");
  assert.equal(text(dataOf(), true), "This ends your dispute. The shop gets 24.50 USDC.");
  assert.equal(text(part, true), "This ends your dispute. The shop gets 12.50 USDC, you keep 12.00 USDC.");
  assert.equal(totalOf("release", part), "12000000");
  assert.equal(totalOf("dispute", part), null);
});

test("§12.18 the other actions name what is still to leave, and to whom", () => {
  const part = dataOf({ refundTotal: "12000000", amountRefunded: "2000000" });
  assert.equal(confirmationOf("pay_out_sender", LABEL, part, false).text, "10.00 USDC to D3AN…2r8k");
  assert.equal(confirmationOf("refund_unresolved", LABEL, part, true).text, "22.50 USDC to D3AN…2r8k");
  assert.equal(confirmationOf("close", LABEL, part, false).text, "to who paid it");
  assert.deepEqual(confirmationOf("settle", LABEL, part, false), { ...LABEL, sign: "Sign with {wallet}" });
});

for (const [typed, locale, decimals, expected] of [
  ["24.50", "en-GB", 6, 24_500_000n],
  [" 1,234.5 ", "en-GB", 6, 1_234_500_000n],
  ["1.234,5", "de-DE", 6, 1_234_500_000n],
  ["0.000001", "en-GB", 6, 1n],
  ["0.0000001", "en-GB", 6, null],
  ["7", "en-GB", null, 7n],
  ["7.5", "en-GB", null, null],
  ["", "en-GB", 6, null],
  ["-1", "en-GB", 6, null],
  ["1e3", "en-GB", 6, null],
  ["24.50 USDC", "en-GB", 6, null],
  ["18446744073709551615", "en-GB", 0, 18_446_744_073_709_551_615n],
] as const)
  test(`"${typed}" in ${locale} with ${decimals} decimals is ${expected === null ? "no amount" : expected}`, () => {
    assert.equal(parseAmount(typed, { locale, decimals }), expected);
  });
