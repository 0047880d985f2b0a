import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { INTENT_STATUSES, PAYMENT_STATUSES } from "../server/domain/terms.ts";
import { DISPUTE_STATUSES } from "../server/features/disputes/dispute.ts";
import { ERROR_PARTS, EVENT_PARTS, fillPage } from "./generatedPages.ts";
import { STATE_PARTS } from "./stateDiagrams.ts";

const read = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), "utf8");

test("an edit of a generated part is undone, and one outside of it is kept", () => {
  for (const [name, parts] of [
    ["errors.md", ERROR_PARTS],
    ["events.md", EVENT_PARTS],
  ] as const) {
    const text = read(name);
    assert.equal(fillPage(text, parts), text, `${name}: run npm run openapi`);
    const edited = text.replace(/(?<=<!-- sections: .*-->)\n+/, "\n\nAn edit.\n\n");
    assert.notEqual(edited, text);
    assert.equal(fillPage(edited, parts), text);
    assert.equal(fillPage(`${text}\nBy hand.\n`, parts), `${text}\nBy hand.\n`);
  }
});

test("a page without the markers of a part is refused, so that no part is left out in silence", () => {
  assert.throws(() => fillPage("# Errors\n", ERROR_PARTS), /has no part between .*codes/);
  assert.throws(() => fillPage(read("events.md").replace("<!-- end of types -->", ""), EVENT_PARTS), /types/);
});

test("the diagrams hold every status, and the ways that only a fork takes back", () => {
  const intent = STATE_PARTS.intent!();
  for (const status of INTENT_STATUSES) assert.ok(intent.includes(`--> ${status}: `), status);
  assert.match(intent, /^ {2}expired --> paid: payment_intent\.paid, payment_intent\.paid_late$/m);
  assert.match(intent, /^ {2}paid --> expired: payment\.reverted$/m);
  const payment = STATE_PARTS.payment!();
  for (const status of PAYMENT_STATUSES) assert.ok(payment.includes(`--> ${status}: `), status);
  assert.doesNotMatch(payment, /(released|refunded) -->/, "both are final");
  const dispute = STATE_PARTS.dispute!();
  for (const status of DISPUTE_STATUSES) assert.ok(dispute.includes(`--> ${status}: `), status);
  assert.match(dispute, /^ {2}agreed --> deciding: clock$/m);
  assert.doesNotMatch(dispute, /decided --> \w+: .*(clock|offer_)/, "a ruling stands unless a fork takes it");
});
