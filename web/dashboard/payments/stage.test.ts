import assert from "node:assert/strict";
import { test } from "node:test";
import type { Dispute } from "../api/schema.ts";
import { courseOf, type Followed, nextSteps, stageOf } from "./stage.ts";

const DEADLINE = "2026-11-28T02:58:22.000Z";
const RESOLVE_BY = "2027-02-20T02:58:22.000Z";
const payment = (changes: Partial<Followed> = {}): Followed => ({
  id: "",
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
    [disputed(), "disputed", [["arbiterDecides", 86n, RESOLVE_BY, "chain"]]],
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
      nextSteps(one, courseOf(one, null, null)).map(({ kind, amount, at, why }) => [kind, amount, at, why]),
      steps,
    );
  }
});

test("§13.22 an open dispute says who ends it and by when, an agreement that holds before the arbiter", () => {
  const [answerBy, decideBy, until] = ["2026-12-03", "2026-12-17", "2026-12-10"];
  const base = {
    turn: "arbiter",
    answerBy,
    questionUntil: null,
    decideBy: null,
    resolveBy: RESOLVE_BY,
    agreement: null,
  };
  const agreed = (end: string) => ({ status: "agreed", decideBy, agreement: { total: "36", until: end } });
  for (const [dispute, now, kind, at, step] of [
    [{ status: "talking" }, null, "talking", answerBy, "arbiterDecides"],
    [{ status: "deciding", decideBy }, until, "deciding", decideBy, "arbiterDecides"],
    // The arbiter's own date is past: the chain's alone holds.
    [{ status: "deciding", decideBy }, "2026-12-18", "chain", RESOLVE_BY, "arbiterDecides"],
    [agreed(until), null, "agreed", until, "goesAsAgreed"],
    [agreed(RESOLVE_BY), null, "agreedLast", RESOLVE_BY, "goesAsAgreed"],
    [{ status: "paused" }, null, "chain", RESOLVE_BY, "arbiterDecides"],
  ] as const) {
    const course = courseOf(disputed(), { ...base, ...dispute } as unknown as Dispute, now);
    const { turn: _, turnUntil: __, ...who } = course;
    assert.deepEqual(who, { kind, at, total: step === "goesAsAgreed" ? "36" : null });
    assert.deepEqual(nextSteps(disputed(), course), [{ kind: step, amount: 86n, at, why: kind }]);
  }
  const turnOf = (dispute: object, now: string | null = null) => {
    const { turn, turnUntil } = courseOf(disputed(), { ...base, ...dispute } as unknown as Dispute, now);
    return [turn, turnUntil];
  };
  const asked = { status: "deciding", decideBy, questionUntil: answerBy };
  assert.deepEqual(turnOf({ ...agreed(until), turn: "buyer" }), ["buyer", until], "the release is next");
  for (const now of [until, "2026-12-18"])
    assert.deepEqual(turnOf({ ...asked, turn: "merchant" }, now), ["merchant", answerBy]);
  assert.deepEqual(turnOf(asked), [null, null], "both have answered");
});
