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
const days = (changes: object, side: "buyer" | "merchant" = "buyer", since = at(1)): number =>
  silentMs(aDispute(changes), side, since) / 86_400_000;

test("§13.22 a side is silent only while it has something to answer, and can", () => {
  for (const [changes, silent] of [
    [{}, 5],
    [{ status: "talking", decidingAt: null, at: at(4) }, 3],
    [{ questions: [asked("merchant", 10), asked(null, 12)] }, 5 + 5],
    [{ questions: [asked(null, 10)], decision: { ruledAt: at(11) } }, 5 + 1],
    // Two days for its one answer, and none once it has had it.
    [{ statements: [said("merchant", 8)] }, 5 + 2],
    [{ statements: [said("merchant", 8), said("buyer", 9), said("merchant", 15)] }, 5],
    // Whoever has agreed has nothing to answer.
    [{ failedAgreement: { agreedAt: at(3), failedAt: at(10) }, decidingAt: at(10) }, 2],
    [{ status: "agreed", decidingAt: null, agreement: { buyer: at(4), merchant: at(2) } }, 3],
    [{ statements: Array.from({ length: STATEMENTS_MAX }, () => said("buyer", 2)) }, 0],
  ] as const)
    assert.equal(days(changes), silent, JSON.stringify(changes));
  assert.equal(days({ statements: [said("merchant", 5)] }, "merchant", at(5)), 1, "since its own last word");
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
