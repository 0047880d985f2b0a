import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { RECEIPT_VIEWS } from "../../../../tests/e2e/receiptViews.ts";
import type { ShownPayment } from "../../payments/paymentView.ts";
import { compareTerms } from "./namedTerms.ts";

const { payment: known, operator } = RECEIPT_VIEWS.protected!;
const TEXT = {
  v: 2,
  nonce: "n",
  paymentId: "7",
  operator,
  recipient: known.recipient,
  amount: known.amount,
  asset: known.asset,
  protectionPeriod: known.protectionPeriod,
  arbiter: known.arbiter,
  business: { name: "Fernweh Coffee", domain: null },
};
const compare = (
  terms: object | null,
  changed: Partial<ShownPayment> = {},
  given: { termsKnown?: boolean; paymentId?: string | null } = {},
) => {
  const text = terms === null ? null : JSON.stringify(terms);
  const termsHash = createHash("sha256")
    .update(JSON.stringify(terms ?? {}))
    .digest("hex");
  const payment = { ...known, termsHash, ...changed };
  return compareTerms(text, { payment, operator, termsKnown: false, paymentId: "7", ...given });
};
const BUSINESS = { name: "Fernweh Coffee", domain: null };

test("§14.5 a text matches if its hash is the payment's, and if it names what was paid", () => {
  assert.deepEqual(compare(TEXT), { verdict: "matches", business: BUSINESS });
  assert.deepEqual(compare(TEXT, {}, { termsKnown: true, paymentId: null }), {
    verdict: "matches",
    business: BUSINESS,
  });
  assert.deepEqual(compare({ ...TEXT, arbiter: null }), { verdict: "matches", business: BUSINESS });
  for (const name of ["amount", "asset", "protectionPeriod", "arbiter"] as const)
    assert.deepEqual(compare({ ...TEXT, [name]: "other" }), { verdict: "differs", business: BUSINESS }, name);
});

test("§14.5 a stranger's payment that names a shop's text does not get the shop's name", () => {
  const none = { verdict: "differs", business: null };
  assert.deepEqual(compare(TEXT, { recipient: "somebody-else" }), none);
  assert.deepEqual(compare(TEXT, {}, { paymentId: "8" }), none);
  assert.deepEqual(compare(TEXT, {}, { paymentId: null }), none);
  assert.deepEqual(compare({ ...TEXT, operator: "another" }), none);
});

test("§14.5 no text, and a text with another hash, say nothing", () => {
  assert.deepEqual(compare(null), { verdict: "unknown", business: null });
  assert.deepEqual(compare(TEXT, { termsHash: "00".repeat(32) }), { verdict: "unknown", business: null });
  assert.deepEqual(compare(TEXT, { termsHash: null }), { verdict: "none", business: null });
});
