import assert from "node:assert/strict";
import { test } from "node:test";
import { refund } from "../catalogue/refund.ts";
import { resultText } from "./refundText.ts";
import type { Followed } from "./stage.ts";

const token = { show: (amount: string | bigint) => `${(Number(amount) / 1e6).toFixed(2)} USDC` };
const payment = (changes: Partial<Followed> = {}): Followed => ({
  id: "",
  status: "protected",
  outcome: null,
  amount: "86000000",
  refundTotal: "20000000",
  amountRefunded: "20000000",
  amountReleased: "0",
  protectionDeadline: "2026-11-28T02:58:22.000Z",
  disputedAt: null,
  settledAt: null,
  refundedAt: null,
  settleable: false,
  resolveBy: null,
  nextActions: [],
  ...changes,
});
const LAPSED = { action: "refund_unresolved", by: "anyone", until: null, blockedBy: null } as const;
const LAPSED_TEXT =
  "After this the buyer has 36.00 USDC back, and anyone can still send the other 50.00 USDC to the buyer.";
const PART = { total: "36000000", rest: "50000000" };

test("the outcome of a refund says what the buyer has and where the rest stays, in every stage", () => {
  const part = "After this the buyer has 36.00 USDC back and 50.00 USDC";
  const frozen = { status: "disputed", resolveBy: "2027-02-26T02:58:22.000Z" } as const;
  for (const [changes, isOurs, text] of [
    [{}, true, `${part} stays in escrow for you.`],
    [{ settleable: true }, true, `${part} stays in escrow for you.`],
    [{}, false, `${part} stays in escrow for the recipient.`],
    [frozen, true, `${part} stays frozen until the buyer releases it or the arbiter decides.`],
    [frozen, false, `${part} stays frozen until the buyer releases it or the arbiter decides.`],
    [{ ...frozen, nextActions: [LAPSED] }, true, LAPSED_TEXT],
    [{ outcome: "settled" }, true, `${part} is on its way to you.`],
  ] as const)
    assert.equal(resultText(payment(changes), PART, token, isOurs), text);
  for (const isOurs of [true, false])
    assert.equal(
      resultText(payment(frozen), { total: "86000000", rest: "0" }, token, isOurs),
      "After this the buyer has all 86.00 USDC back and nothing stays in escrow.",
    );
});

test("a refund of a price in euros says that its amounts are in the token's unit", () => {
  assert.match(refund.final("USDC"), /Amounts here are in USDC, even if the price was set in another currency/);
});
