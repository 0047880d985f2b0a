import assert from "node:assert/strict";
import { test } from "node:test";
import { explainVerification } from "./verdict.ts";

const rule = (name: string, verdict: string, expected: string, found: string | null) =>
  ({ rule: name, verdict, expected, found }) as never;

test("an underpayment is explained by how much is missing, and an overpayment by how much is too much", () => {
  const explain = (found: string) =>
    explainVerification({
      object: "verification",
      outcome: "signature_unverified",
      reason: "mismatch",
      rules: [rule("recipient", "pass", "a", "a"), rule("amount", "fail", "5000000", found)],
    })[1];
  assert.match(explain("4999999"), /The amount is 4999999, and 5000000 was asked for: 1 less/);
  assert.match(explain("18446744073709551615"), /: 18446744073704551615 more/);
});

test("each outcome and reason has its sentence, and another term its two values", () => {
  const [tone, text] = explainVerification({
    object: "verification",
    outcome: "signature_unverified",
    reason: "mismatch",
    rules: [rule("asset", "fail", "A", "B")],
  });
  assert.deepEqual([tone, /A was asked for, and B was found/.test(text)], ["bad", true]);
  const recorded = explainVerification({
    object: "verification",
    outcome: "already_recorded",
    reason: null,
    rules: [],
  });
  assert.deepEqual(recorded, ["good", "It is recorded as a payment of this intent."]);
});
