import assert from "node:assert/strict";
import { test } from "node:test";
import { aDispute, OPENED_AT } from "./fixtures.ts";
import { canBothWrite, hasWordsBefore } from "./question.ts";
import { DAY_MS, dayOf } from "./waits.ts";

const HOUR_MS = DAY_MS / 24;
const at = (hours: number) => new Date(OPENED_AT.getTime() + hours * HOUR_MS);
const TODAY = dayOf(OPENED_AT);

test("§4.18.8 both can write while a question is open, and each has a statement left before its end", () => {
  // It was opened at ten, and the day ends fourteen hours later.
  for (const [of, changes, until, expected] of [
    ["nothing is used", {}, 1, true],
    ["the buyer has sent all", { buyerStatements: 20 }, 72, false],
    ["the merchant has sent all", { merchantStatements: 20 }, 72, false],
    ["one is left", { buyerStatements: 19, buyerDay: TODAY, buyerOfDay: 4 }, 1, true],
    ["those of today are sent, and it ends today", { buyerDay: TODAY, buyerOfDay: 5 }, 14, false],
    ["those of today are sent, and it ends tomorrow", { buyerDay: TODAY, buyerOfDay: 5 }, 15, true],
    ["five were sent on the day before", { buyerDay: TODAY - 1, buyerOfDay: 5 }, 1, true],
    ["files and offers have limits of their own", { buyerFiles: 10, merchantOffers: 20 }, 1, true],
    ["the question is over", {}, 0, false],
    ["the decision was made", { status: "decided" }, 1, false],
  ] as const) {
    const dispute = aDispute({ status: "deciding", questionUntil: at(until), ...changes });
    assert.equal(canBothWrite(dispute, OPENED_AT), expected, of);
  }
  assert.equal(hasWordsBefore(aDispute({ buyerDay: TODAY, buyerOfDay: 5 }), "buyer", OPENED_AT, null), true);
});
