import assert from "node:assert/strict";
import { test } from "node:test";
import { type Followed, nextSteps, stageOf } from "./stage.ts";

const DEADLINE = "2026-11-28T02:58:22.000Z";
const RESOLVE_BY = "2027-02-20T02:58:22.000Z";
const payment = (changes: Partial<Followed> = {}): Followed => ({
  status: "protected",
  outcome: null,
  amount: "86",
  refundTotal: "0",
  amountRefunded: "0",
  amountReleased: "0",
  protectionDeadline: DEADLINE,
  disputedAt: null,
  settledAt: null,
  refundedAt: null,
  settleable: false,
  resolveBy: null,
  nextActions: [],
  ...changes,
});
const disputed = (changes: Partial<Followed> = {}) =>
  payment({ status: "disputed", disputedAt: DEADLINE, resolveBy: RESOLVE_BY, ...changes });
const unresolved = { action: "refund_unresolved", by: "anyone", until: null, blockedBy: null } as const;

test("each stage has its next steps: who gets how much, when, and why", () => {
  for (const [one, stage, steps] of [
    [payment(), "protected", [["goesToRecipient", 86n, DEADLINE, "deadline"]]],
    [
      payment({ refundTotal: "36", amountRefunded: "20" }),
      "protected",
      [
        ["goesToRecipient", 50n, DEADLINE, "deadline"],
        ["goesBack", 16n, null, "due"],
      ],
    ],
    [payment({ settleable: true }), "settleable", [["goesToRecipient", 86n, null, "due"]]],
    [disputed(), "disputed", [["arbiterDecides", 86n, RESOLVE_BY, "ruling"]]],
    [disputed({ nextActions: [unresolved], refundTotal: "6" }), "lapsed", [["canGoBack", 86n, null, "lapsed"]]],
    [
      disputed({ outcome: "resolved", refundTotal: "36", resolveBy: null }),
      "decided",
      [
        ["goesToRecipient", 50n, null, "due"],
        ["goesBack", 36n, null, "due"],
      ],
    ],
    [payment({ outcome: "refunded_by_recipient", refundTotal: "86" }), "decided", [["goesBack", 86n, null, "due"]]],
    [payment({ status: "released", outcome: "settled", amountReleased: "86" }), "released", []],
    [payment({ status: "refunded", outcome: "resolved", refundTotal: "86", amountRefunded: "86" }), "refunded", []],
  ] as const) {
    assert.equal(stageOf(one), stage);
    assert.deepEqual(
      nextSteps(one).map(({ kind, amount, at, why }) => [kind, amount, at, why]),
      steps,
    );
  }
});
