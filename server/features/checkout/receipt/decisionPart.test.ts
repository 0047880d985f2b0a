import assert from "node:assert/strict";
import { test } from "node:test";
import { RECEIPT_VIEWS } from "../../../../tests/e2e/receiptViews.ts";
import { ENGLISH } from "../languages/english.ts";
import { showDecision } from "./decisionPart.ts";
import type { ReceiptView, ShownDecision } from "./receipt.ts";

const split = RECEIPT_VIEWS["decided-split"]!;
const pageOf = (decision: Partial<ShownDecision>, view: ReceiptView = split): string =>
  showDecision(ENGLISH.receipt, { ...view, decision: { ...split.decision!, ...decision } })!.html;
/** The sentences in place of reasons that a page shows. */
const sentencesOf = (page: string): string[] => {
  const { decidedWithReasons, decision } = ENGLISH.receipt;
  const { agreed, elsewhere, memos } = decision;
  const reasonsErased = ENGLISH.receipt.reasonsErased.replace("{time}.", "");
  const all = { reasonsErased, decidedWithReasons, agreed, elsewhere, ...memos };
  return Object.entries(all).flatMap(([name, text]) => (page.includes(text) ? [name] : []));
};

test("§17.4 a decision shows both amounts, its reasons as text, its arbiter, its transaction and its hash", () => {
  const page = pageOf({ record: { reasons: "<b>Half</b> each." } });
  const { transaction, sha256, ruledAt } = split.decision!;
  for (const text of [
    "&lt;b&gt;Half&lt;/b&gt; each.",
    "Nordlicht Mediation",
    transaction,
    sha256!,
    ruledAt.toISOString(),
  ])
    assert.ok(page.includes(text), text);
  assert.match(page, /12\.25.USDC<\/b> to you.*12\.25.USDC<\/b> to the shop/s);
  assert.deepEqual(sentencesOf(page), []);
  assert.ok(
    !pageOf({ arbiter: split.payment.sender! }).includes("Nordlicht"),
    "only the payment's arbiter has its name",
  );
});

test("§17.3 each ruling is shown for what it is: with its record, as agreed, with a hidden record, and of each other memo", () => {
  assert.deepEqual(sentencesOf(pageOf({ record: null })), ["decidedWithReasons"]);
  assert.deepEqual(sentencesOf(pageOf({ record: { reasons: null } })), ["agreed"]);
  assert.deepEqual(sentencesOf(pageOf({ record: null, erasedAt: new Date(0) })), ["reasonsErased"]);
  for (const memo of ["unknown", "none", "other_signer", "several"] as const)
    assert.deepEqual(sentencesOf(pageOf({ memo, record: null, sha256: null })), ["elsewhere", memo]);
});

test("§17.4 a refund of the shop that adds to the ruling is said", () => {
  assert.doesNotMatch(pageOf({}), /given back more/);
  const payment = { ...split.payment, refundTotal: "20000000" };
  assert.match(pageOf({}, { ...split, payment }), /given back more: 20\.00.USDC are yours in all/);
});

test("a payment without a ruling shows none", () => {
  assert.equal(showDecision(ENGLISH.receipt, RECEIPT_VIEWS.settled!), null);
});
