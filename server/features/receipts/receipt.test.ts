import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClosedPayment } from "../../chain/port.ts";
import { anObservedPayment } from "../recording/fixtures.ts";
import { draftReceipt, isAsRecorded, opensReceipt, type ReceiptFacts } from "./receipt.ts";

const KEY = "q83vEjRWeJCrze8SNFZ4kA";
const INTENT = "pi_test_5szw01a1fc0a61ca6aa1dc5681f996bdf948";
const WALLET = "CGB7q4KjYiHb8TcZVJ1wwJbZyQequ95VYBcWRDkPmv2X";
const OPERATOR = "6dNVxkyfuyCqe5xCiLGPUpNaCNTsV7wJ3wTJkHFUZ6Uu";

const { payment: PAYMENT } = anObservedPayment({
  operator: OPERATOR,
  sender: WALLET,
  recipient: "DFScJcCVGUqL6VfvXntAZyrhLszXTqDryfrqM6Gdw6Cx",
  asset: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  arbiter: OPERATOR,
  rentPayer: WALLET,
  tokenProgram: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
});

const FACTS: ReceiptFacts = {
  environment: "test",
  chain: { genesisHash: OPERATOR, programId: WALLET, programHash: "7".repeat(64), operator: OPERATOR },
  address: "payment-1",
  terms: PAYMENT,
  observedSlot: 1,
  signature: "signature-1",
  decision: null,
  order: {
    key: KEY,
    intent: INTENT,
    reference: "order-secret",
    description: "a blue lamp",
    business: { name: "Shop", domain: null, contact: "help@secret.example" },
  },
};

const issue = (isOpen: boolean, termsText: string | null = null, facts = FACTS, value: unknown = PAYMENT) =>
  draftReceipt(
    facts,
    { value: value as typeof PAYMENT, slot: 100 },
    { issuer: "https://pay.example", issuedAt: new Date(0), termsText, isOpen },
  );

test("§15 the order is for holders of the key, and no receipt names the key", async () => {
  const [open, shut] = [JSON.stringify(await issue(true)), JSON.stringify(await issue(false))];
  for (const secret of [INTENT, "order-secret", "a blue lamp", "help@secret.example"]) {
    assert.ok(open.includes(secret), secret);
    assert.ok(!shut.includes(secret), secret);
  }
  for (const text of [open, shut]) assert.ok(!text.includes(KEY));
});

test("§15 only the receipt's own key opens it", () => {
  assert.ok(opensReceipt(FACTS, KEY));
  for (const given of [null, "", KEY.slice(1), `${KEY}A`, KEY.replace("q", "Q"), "é".repeat(11)])
    assert.ok(!opensReceipt(FACTS, given), String(given));
  assert.ok(!opensReceipt({ order: null }, KEY));
});

test("§15 a terms text of version 1 is whole for holders of the key; others have its fields without the intent", async () => {
  const text = JSON.stringify({ v: 1, amount: "1000", intent: INTENT });
  assert.deepEqual((await issue(true, text)).terms, { text, fields: null });
  assert.deepEqual((await issue(false, text)).terms, { text: null, fields: { v: 1, amount: "1000" } });
  const second = JSON.stringify({ v: 2, nonce: KEY, amount: "1000" });
  for (const isOpen of [true, false])
    assert.deepEqual((await issue(isOpen, second)).terms, { text: second, fields: null });
  // A buyer may name the hash of a text that another buyer was shown.
  const foreign = JSON.stringify({ v: 1, paymentId: "43", amount: "1000", intent: INTENT.replace("d", "e") });
  const unnamed = JSON.stringify({ v: 1, amount: "1000", intent: INTENT.replace("d", "e") });
  assert.equal((await issue(true, foreign)).terms, null);
  assert.equal((await issue(true, unnamed)).terms?.text, null);
});

test("§15 an account on other terms than the recorded ones is not signed; unknown terms exclude none", () => {
  assert.ok(isAsRecorded(PAYMENT, FACTS));
  assert.ok(
    isAsRecorded({ ...PAYMENT, status: "disputed", disputedAt: new Date(9_000) }, FACTS),
    "it may have gone on",
  );
  const unknown = { terms: { ...PAYMENT, arbiter: null, rentPayer: null, termsHash: null } };
  assert.ok(isAsRecorded({ ...PAYMENT, termsHash: "7".repeat(64) }, unknown));
  for (const other of [
    { amount: "1001" },
    { sender: OPERATOR },
    { createdAt: new Date(PAYMENT.createdAt.getTime() + 1_000) },
    { arbiter: WALLET },
  ])
    assert.ok(!isAsRecorded({ ...PAYMENT, ...other }, FACTS), JSON.stringify(other));
});

test("§15 of a payment that was closed before it was read the end alone is known", async () => {
  const closed: ClosedPayment = {
    isClosed: true,
    bump: 254,
    address: FACTS.address,
    paymentId: PAYMENT.paymentId,
    amountReleased: "0",
    disputedAt: null,
    settledAt: null,
    status: "refunded",
    outcome: "resolved",
    amountRefunded: "1000",
    refundedAt: new Date(9_000),
  };
  const nothing = Object.fromEntries(Object.keys(PAYMENT).map((name) => [name, null]));
  const terms = { ...nothing, amount: "1000" } as unknown as ReceiptFacts["terms"];
  const { account, tombstone, payment } = await issue(false, null, { ...FACTS, terms, order: null }, closed);
  assert.equal(account, null);
  assert.equal(Buffer.from(tombstone!.data, "base64").length, 56);
  assert.deepEqual(
    [payment.status, payment.amount, payment.refundTotal, payment.sender, payment.createdAt],
    ["refunded", "1000", "1000", null, null],
  );
});

test("§15 a tombstone of another amount than the recorded one is not signed", () => {
  const tombstone = (amountReleased: string, amountRefunded: string) =>
    ({ ...PAYMENT, isClosed: true, bump: 255, amountReleased, amountRefunded }) as ClosedPayment;
  assert.ok(isAsRecorded(tombstone("300", "700"), FACTS));
  assert.ok(!isAsRecorded(tombstone("1000", "1"), FACTS));
});
