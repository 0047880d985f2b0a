import assert from "node:assert/strict";
import { test } from "node:test";
import { amountText, inOne } from "./amount.ts";

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
