import assert from "node:assert/strict";
import { test } from "node:test";
import { resultCsv } from "./resultCsv.ts";

const payment = (merchantReference: string) => ({
  ...{ intent: "pi_test_1", merchantReference, amount: "1500000", asset: "USDC" },
  price: merchantReference === "Order 1" ? { currency: "EUR" as const, amount: "1.40" } : null,
  ...{ checkoutUrl: "https://pay.shop.example/pay/i/pi_test_1", expiresAt: "2026-11-30T09:00:00.000Z" },
});

test("§13.18.6 the file of links quotes its cells, and no cell is a formula", () => {
  const text = resultCsv(["Order 1", '=cmd("x"),1', "-2", "a\nb", "a;=1", '"=1', "＝1"].map(payment), () => [
    "1.5",
    "USDC",
  ]);
  const rest = "1.5,USDC,https://pay.shop.example/pay/i/pi_test_1,2026-11-30T09:00:00.000Z,,";
  assert.equal(
    text,
    `reference,amount,token,link,payable until,price,currency\r\nOrder 1,${rest.slice(0, -1)}1.40,EUR\r\n"'=cmd(""x""),1",${rest}\r\n'-2,${rest}\r\n"a\nb",${rest}\r\na;'=1,${rest}\r\n"""'=1",${rest}\r\n'＝1,${rest}\r\n`,
  );
});
