import assert from "node:assert/strict";
import { test } from "node:test";
import { amountText, inOne, readFigure } from "./amount.ts";

const TEXTS = { locale: "en", tokens: "tokens", smallestUnits: "smallest units" };
const text = (amount: string, symbol: string | null, decimals: number | null) =>
  inOne(amountText(TEXTS, amount, { symbol, decimals }));

test("an amount is named exactly: by symbol and decimals, else in smallest units", () => {
  for (const [amount, symbol, decimals, expected] of [
    ["14576000", "USDC", 6, "14.576 USDC"],
    ["24500000", "USDC", 6, "24.50 USDC"],
    ["1", "USDC", 6, "0.000001 USDC"],
    ["0", "USDC", 6, "0.00 USDC"],
    ["18446744073709551615", "USDC", 6, "18,446,744,073,709.551615 USDC"],
    ["1500000000", "SOL", 9, "1.5 SOL"],
    ["7", null, 0, "7 tokens"],
    ["18446744073709551615", null, 20, "0.18446744073709551615 tokens"],
    ["14576000", null, null, "14,576,000 smallest units"],
    ["14576000", "USDC", null, "14,576,000 smallest units"],
    ["5", null, 255, "5 smallest units"],
  ] as const)
    assert.equal(text(amount, symbol, decimals), expected);
});

for (const [typed, locale, figure] of [
  [" 1,234.5 ", "en-GB", "1234.5"],
  ["1.234,5", "de-DE", "1234.5"],
  ["1234,5", "de-DE", "1234.5"],
  ["24.50", "de-DE", null],
  ["24.50", "pt-BR", null],
  ["24,50", "en-GB", null],
  ["1,23,456", "en-GB", null],
  ["1 234,5", "fr-FR", "1234.5"],
  ["24.50", "fr-FR", "24.50"],
  ["24.50", "ar-u-nu-latn", "24.50"],
  ["1,5,5", "de-DE", null],
  ["-1", "en-GB", null],
  [".5", "en-GB", null],
  ["", "en-GB", null],
] as const)
  test(`the figure "${typed}" in ${locale} is ${figure}: no sign stands for another than the language's`, () => {
    assert.equal(readFigure(locale, typed), figure);
  });
