import assert from "node:assert/strict";
import { test } from "node:test";
import { RECEIPT_VIEWS } from "../../../../tests/e2e/receiptViews.ts";
import { disputeFormPage } from "./disputeForm.ts";
import { DISPUTE_ENGLISH } from "./disputeTexts.ts";

test("§13.22.7 before a dispute is opened each reason has its usual outcome in the operator's words, escaped", () => {
  const usualOutcomes = { not_received: "Without <b>proof</b> of delivery, all goes back." };
  const settings = { siteOperator: null, canSign: false, script: { path: "/x.js", integrity: "", data: {} } };
  const { html } = disputeFormPage({ ...RECEIPT_VIEWS.protected!, usualOutcomes }, settings).body;
  const pick = /value="not_received">.*?<\/label>/s.exec(html)![0];
  assert.ok(pick.includes("Without &lt;b&gt;proof&lt;/b&gt; of delivery, all goes back."), pick);
  assert.equal(html.split(DISPUTE_ENGLISH.usualOutcome).length, 2, "no other reason has one");
});
