import assert from "node:assert/strict";
import { test } from "node:test";
import { PRIVATE, RECEIPT_VIEWS } from "../../../../tests/e2e/receiptViews.ts";
import { renderPage } from "../../../edge/html/page.ts";
import { ENGLISH } from "../languages/english.ts";
import { disputeFormPage } from "./disputeForm.ts";

test("§13.22.7 before a dispute is opened each reason has its usual outcome in the operator's words, escaped", () => {
  const usualOutcomes = { not_received: "Without <b>proof</b> of delivery, all goes back." };
  const settings = {
    language: ENGLISH,
    choices: [],
    siteOperator: null,
    script: { path: "/x.js", integrity: "", data: {} },
  };
  const { html } = disputeFormPage({ ...RECEIPT_VIEWS.protected!, usualOutcomes }, settings).body;
  const pick = /value="not_received">.*?<\/label>/s.exec(html)![0];
  assert.ok(pick.includes("Without &lt;b&gt;proof&lt;/b&gt; of delivery, all goes back."), pick);
  assert.equal(html.split(ENGLISH.disputeForm.usualOutcome).length, 2, "no other reason has one");
  const talks = (name: string) =>
    disputeFormPage(RECEIPT_VIEWS[name]!, settings).body.html.includes(ENGLISH.disputeForm.talkFirst);
  assert.deepEqual(
    [talks("protected"), talks("unknown-payment-id")],
    [true, false],
    "a payment of no order has no talk",
  );
});

test("§14.2 the form shows nothing of the order without the receipt's key, and the shop's contact with it", () => {
  const settings = { language: ENGLISH, choices: [], siteOperator: null, script: null };
  for (const [name, view] of Object.entries(RECEIPT_VIEWS)) {
    const { text } = renderPage(disputeFormPage(view, settings));
    const isShown = (secret: string) => text.includes(secret);
    const { merchantReference, supportContact, intentId, returnUrl } = PRIVATE;
    assert.ok(![intentId, returnUrl].some(isShown), name);
    assert.equal(isShown(`<bdi translate="no">Order ${merchantReference}</bdi>`), view.mine !== null, name);
    assert.equal(isShown(view.key ?? "?key="), view.key !== null, "the way back keeps the key");
    if (view.mine === null) assert.ok(!isShown(supportContact), name);
  }
  const { text } = renderPage(disputeFormPage(RECEIPT_VIEWS.disputed!, settings));
  assert.ok(text.includes(PRIVATE.supportContact));
});
