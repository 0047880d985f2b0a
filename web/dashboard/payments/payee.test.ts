import assert from "node:assert/strict";
import { test } from "node:test";
import { payeeOf } from "./payee.ts";

test("a payment that names our intent, but pays another wallet, is not ours to pay back", () => {
  const named = { intent: "pi_test_1", recipient: "till", mismatch: ["amount"] } as const;
  assert.equal(payeeOf(named, undefined), "ours");
  const other = { ...named, recipient: "stranger", mismatch: ["recipient"] } as const;
  assert.equal(payeeOf(other, undefined), "unknown");
  assert.equal(payeeOf(other, ["till"]), "others");
  assert.equal(payeeOf(other, ["till", "stranger"]), "ours");
  assert.equal(payeeOf({ ...named, recipient: null, mismatch: [] }, ["till"]), "unknown", "only its end is known");
  assert.equal(payeeOf({ ...other, intent: null, mismatch: [] }, ["stranger"]), "ours");
});
