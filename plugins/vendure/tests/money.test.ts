import assert from "node:assert/strict";
import { test } from "node:test";
import { moneyText, refundedShare, tokensOf } from "../src/money.ts";

test("an amount of the shop has the decimals of its currency, whatever decimals the shop keeps", () => {
  assert.equal(moneyText(2_450, "USD", 2), "24.50");
  assert.equal(moneyText(5, "USD", 2), "0.05");
  assert.equal(moneyText(24_505, "USD", 3), "24.51");
  assert.equal(moneyText(100_050, "JPY", 2), "1001");
  assert.equal(moneyText(2_450, "KWD", 2), "24.500");
});

test("a refund that is asked for in the shop is entered to the same unit once its tokens went back", () => {
  for (const total of [1, 2_450, 99_999])
    for (const amount of ["1", "24500000", "18446744073709551615"])
      for (const share of [1, Math.ceil(total / 3), total].filter((one) => BigInt(one) <= BigInt(amount))) {
        const tokens = tokensOf(share, amount, total).toString();
        assert.ok(refundedShare(tokens, amount, total) >= share, `${share} of ${total} in ${tokens} of ${amount}`);
        assert.ok(BigInt(tokens) <= BigInt(amount));
      }
  assert.equal(refundedShare("24500000", "24500000", 2_451), 2_451);
});
