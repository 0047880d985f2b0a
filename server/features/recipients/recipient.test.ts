import assert from "node:assert/strict";
import { test } from "node:test";
import { isTesting, problemOf, type RecipientLook, stateOf, type TestPayment, warningsOf } from "./recipient.ts";

const WALLET = "14o8iuu4aCmiFSRK4VQoXFRk9z1Ko1HMAEhFHUPTokqP";
/** The associated token program's address of an unused wallet: off the curve. */
const VAULT = "8dJrVLMfEvHvRrtUmyJFYfyfHHGVeyQRBPtsund29M2E";
const SYSTEM = "11111111111111111111111111111111";
const look = (given: Partial<RecipientLook> = {}): RecipientLook => ({
  kind: "wallet",
  owner: SYSTEM,
  holds: [],
  ...given,
});

test("§13.11.2 a plain, used wallet is kept without a word; each doubt is named, and what cannot be paid refused", () => {
  assert.deepEqual(warningsOf(WALLET, look()), []);
  assert.deepEqual(warningsOf(WALLET, look({ owner: null })), ["unused"]);
  assert.deepEqual(warningsOf(WALLET, look({ owner: WALLET })), ["owned_by_program"]);
  assert.deepEqual(warningsOf(WALLET, null), ["unread"]);
  assert.deepEqual(warningsOf(VAULT, look({ owner: null })), ["off_curve", "unused"]);
  assert.deepEqual(warningsOf(VAULT, null), ["unread", "off_curve"]);
  assert.deepEqual(warningsOf(WALLET, look({ holds: ["memo_required"] })), ["memo_required"]);
  for (const kind of ["program", "token_program_account", "escrow_account", "unsignable"] as const)
    assert.ok(problemOf(look({ kind })), kind);
  assert.deepEqual([problemOf(look()), problemOf(null)], [null, null]);
});

test("§13.11.4 a recipient is tried only once somebody has found the money, whatever the chain has done", () => {
  const payment: TestPayment = {
    intentId: "pi_test_1",
    asset: "asset",
    amount: "10",
    intentStatus: "requires_payment",
    paymentStatus: null,
    amountReleased: "0",
    protectionDeadline: null,
  };
  const of = (test: Partial<TestPayment> | null, confirmedAt: Date | null = null) =>
    stateOf({ test: test === null ? null : { ...payment, ...test }, confirmedAt });
  assert.equal(of(null), "untried");
  assert.equal(of({}), "waiting");
  assert.equal(of({ intentStatus: "expired" }), "failed");
  assert.equal(of({ intentStatus: "canceled" }), "failed");
  for (const paymentStatus of ["protected", "disputed"] as const)
    assert.equal(of({ intentStatus: "paid", paymentStatus }), "in_escrow");
  assert.equal(of({ intentStatus: "paid", paymentStatus: "refunded" }), "failed");
  assert.equal(of({ intentStatus: "paid", paymentStatus: "released", amountReleased: "10" }), "arrived");
  assert.equal(of({ intentStatus: "paid", paymentStatus: "protected", amountReleased: "4" }), "arrived");
  assert.equal(of({ intentStatus: "paid", paymentStatus: "released", amountReleased: "10" }, new Date()), "tried");
  const next = { test: payment, confirmedAt: new Date() };
  assert.deepEqual([stateOf(next), isTesting(next)], ["tried", true], "a further test of a tried one is under way");
});
