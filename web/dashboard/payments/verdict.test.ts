import assert from "node:assert/strict";
import { test } from "node:test";
import { explainVerification } from "./verdict.ts";

const rule = (name: string, verdict: string, expected: string, found: string | null) =>
  ({ rule: name, verdict, expected, found }) as never;

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const show = (amount: string, asset: string) => `${Number(amount) / 1e6} ${asset === USDC ? "USDC" : "other"}`;
const mismatch = (...rules: never[]) =>
  explainVerification({ object: "verification", outcome: "signature_unverified", reason: "mismatch", rules }, show);

test("an underpayment is explained by how much is missing, in the token, and an overpayment by how much is too much", () => {
  const explain = (found: string, asset: string = USDC) =>
    mismatch(
      rule("recipient", "pass", "a", "a"),
      rule("amount", "fail", "5000000", found),
      rule("asset", "pass", USDC, asset),
    )[1];
  assert.match(explain("4000000"), /The amount is 4 USDC; expected 5 USDC: 1 USDC less\./);
  assert.match(explain("7000000"), /: 2 USDC more\./);
  assert.match(explain("4000000", "another"), /The amount is 4 other; expected 5 USDC\./, "two tokens");
});

test("each outcome and reason has its sentence, and another term its two values", () => {
  const [tone, text] = mismatch(rule("protection_period", "fail", "threeDays", "oneHour"));
  assert.deepEqual([tone, /expected 3 days, found 1 hour/.test(text)], ["bad", true]);
  const recorded = explainVerification(
    { object: "verification", outcome: "already_recorded", reason: null, rules: [] },
    show,
  );
  assert.deepEqual(recorded, ["good", "The transaction is recorded as a payment of this intent."]);
});
