import assert from "node:assert/strict";
import { test } from "node:test";
import { STATEMENTS_MAX } from "@holdfast/ui/disputeStatus.ts";
import type { DeskDispute } from "../api/schema.ts";
import { missedStep, silentMs } from "./silence.ts";

const at = (day: number): string => new Date(Date.UTC(2026, 10, day)).toISOString();
const said = (by: "buyer" | "merchant", day: number) => ({ by, createdAt: at(day) });
const asked = (askedSide: "buyer" | "merchant" | null, day: number) => ({
  ...{ number: 1, text: "When?", askedSide, askedAt: at(day), until: at(day + 3), erasedAt: null },
});
/** Opened on day 1; the arbiter decides since day 6, and today is day 30. */
const aDispute = (changes: object): DeskDispute =>
  ({
    ...{ status: "deciding", openedAt: at(1), decidingAt: at(6), at: at(30), decision: null, closedAt: null },
    ...{ statements: [], offers: [], questions: [], files: [], agreement: null, failedAgreement: null },
    ...changes,
  }) as unknown as DeskDispute;
const days = (changes: object, side: "buyer" | "merchant"): number =>
  silentMs(aDispute(changes), side, at(1)) / 86_400_000;

test("§13.22 a side is silent only while it has something to answer, and can", () => {
  for (const [changes, buyer, merchant] of [
    // The opening is the buyer's word: the buyer waits for the shop's.
    [{}, 0, 5],
    [{ status: "talking", decidingAt: null, at: at(4) }, 0, 3],
    [{ statements: [said("merchant", 2)] }, 4, 0],
    [{ statements: [said("merchant", 2), said("buyer", 3), said("buyer", 4)] }, 0, 3],
    [{ offers: [{ ...said("merchant", 2), text: null }] }, 4, 0],
    [{ questions: [asked("merchant", 10), asked(null, 12)] }, 3, 5 + 5],
    // An answer ends the question for its side alone.
    [{ questions: [asked(null, 10)], files: [{ ...said("buyer", 11), side: "buyer" }] }, 0, 5 + 3],
    [{ questions: [asked(null, 10)], decision: { ruledAt: at(11) } }, 1, 5 + 1],
    // Two days for its one answer, and none once it has had it.
    [{ statements: [said("merchant", 8)] }, 2, 0],
    [{ statements: [said("merchant", 8), said("buyer", 9), said("merchant", 15)] }, 0, 0],
    // Whoever has agreed has nothing to answer.
    [{ failedAgreement: { agreedAt: at(3), failedAt: at(10) }, decidingAt: at(10) }, 0, 2],
    [{ status: "agreed", decidingAt: null, agreement: { buyer: at(4), merchant: at(2) } }, 0, 3],
    [
      { statements: Array.from({ length: STATEMENTS_MAX }, () => said("merchant", 2)), questions: [asked(null, 10)] },
      4 + 3,
      0,
    ],
  ] as const)
    assert.deepEqual([days(changes, "buyer"), days(changes, "merchant")], [buyer, merchant], JSON.stringify(changes));
});

test("§13.22 the desk names the step by which an agreement failed, if the chain tells", () => {
  const missed = (facts: object, total = "500") =>
    missedStep(aDispute({ failedAgreement: { total, failedAt: at(17) }, facts }));
  const none = { refundTotal: "0", amountRefunded: "0", refundedAt: null };
  assert.equal(missed(none), "refund");
  assert.equal(missed(none, "0"), "release");
  assert.equal(missed({ refundTotal: "500", amountRefunded: "500", refundedAt: at(12) }), "release");
  assert.equal(missed({ refundTotal: "500", amountRefunded: "500", refundedAt: at(20) }), null, "it came later");
  assert.equal(missed({ refundTotal: "500", amountRefunded: "0", refundedAt: null }), null);
});
