import assert from "node:assert/strict";
import { test } from "node:test";

// By its address, since the plugin's types are its own.
const { findObstacle, OWN, stateOf } = await import(new URL("../src/holdfastPayment.ts", import.meta.url).href);

const ofHoldfast = (progress: string, isPaid: boolean) => ({
  ...{ customFields: OWN, amount: 2450, state: isPaid ? "Settled" : "AwaitingPayment" },
  metadata: { holdfast: { progress, isPaid } },
});
const byCard = (amount: number, state: string) => ({
  ...{ customFields: { isHoldfast: null }, amount, state },
  metadata: { holdfast: { progress: "protected", isPaid: true } },
});

test("goods leave while the payment that was entered is safe", () => {
  assert.equal(findObstacle([ofHoldfast("protected", true)]), null);
  assert.equal(findObstacle([ofHoldfast("released", true)]), null);
  assert.equal(findObstacle([ofHoldfast("disputed", true)]), "buyer protection says disputed");
});

test("a payment in the escrow that does not pay the order, as one of another total, lets no goods leave", () => {
  for (const progress of ["open", "protected", "released"])
    assert.equal(findObstacle([ofHoldfast(progress, false)]), "the order is not paid");
});

test("a buyer who writes the state into the metadata of another method's payment is not believed", () => {
  const declined = byCard(2450, "Declined");
  assert.equal(stateOf(declined), undefined);
  assert.equal(findObstacle([declined, ofHoldfast("open", false)]), "the order is not paid");
});

test("an order that another method paid, all of it, is none of this plugin's", () => {
  assert.equal(findObstacle([byCard(2450, "Settled")]), null);
  assert.equal(findObstacle([ofHoldfast("protected", false), byCard(2450, "Settled")]), null);
  assert.equal(findObstacle([ofHoldfast("protected", false), byCard(0, "Settled")]), "the order is not paid");
});
