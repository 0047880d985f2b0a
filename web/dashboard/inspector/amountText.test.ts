import assert from "node:assert/strict";
import { test } from "node:test";
import { amountIn } from "./amountText.ts";

test("§13.13.5 an amount is read as people write it, and no reference is taken for one", () => {
  for (const [text, amount] of [
    ["48", "48"],
    [" 48.00 ", "48.00"],
    ["48,5", "48.5"],
    ["48.50 USDC", "48.50"],
    ["48USDC", "48"],
    ["1,204.00", "1204.00"],
    ["1,204", "1204"],
    ["1,204,000", "1204000"],
    ["0.000001", "0.000001"],
    ["order-10", null],
    ["10-1", null],
    ["1.2.3", null],
    ["-5", null],
    ["12,34,56", null],
    ["5 of them", null],
    ["", null],
  ] as const)
    assert.equal(amountIn(text), amount, text);
});
