import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAmount } from "./amount.ts";

test("an amount is read by the token's decimals, exactly, or not at all", () => {
  for (const [text, decimals, units] of [
    ["0.01", 6, "10000"],
    [" 1 ", 6, "1000000"],
    ["1.000001", 6, "1000001"],
    ["1.0000001", 6, null],
    ["0", 6, null],
    ["0.00", 6, null],
    ["3", 0, "3"],
    ["3.0", 0, null],
    ["18446744073709.551615", 6, "18446744073709551615"],
    ["1,5", 6, null],
    ["-1", 6, null],
    ["1e3", 6, null],
    ["", 6, null],
    [".5", 6, null],
  ] as const)
    assert.equal(parseAmount(text, decimals), units, text);
});
