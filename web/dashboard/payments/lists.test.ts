import assert from "node:assert/strict";
import { test } from "node:test";
import { elapsedPercent, waitText } from "./left.ts";
import { paymentWord, stateOf } from "./paymentWord.ts";

const PLAIN = {
  status: "protected",
  outcome: null,
  amountRefunded: "0",
  role: "primary",
  lateReason: null,
  overLimit: false,
} as const;

test("§13.10.8 a state is a word, and only what needs somebody is amber or red", () => {
  for (const [differs, tone, word] of [
    [{}, "info", "Protected"],
    [{ amountRefunded: "1" }, "info", "Protected in part"],
    [{ role: "duplicate" }, "bad", "Paid twice"],
    [{ lateReason: "paid_after_expiry" }, "wait", "Paid late"],
    [{ overLimit: true, lateReason: "paid_after_expiry" }, "bad", "Over the limit"],
    [{ status: "disputed", role: "duplicate" }, "wait", "Disputed"],
    [{ status: "disputed", outcome: "resolved" }, "info", "Decided"],
    [{ status: "released", outcome: "settled", lateReason: "paid_after_expiry" }, "good", "Released"],
    [{ status: "released", outcome: "resolved", amountRefunded: "1" }, "neutral", "Partly refunded"],
    [{ status: "refunded", outcome: "resolved", amountRefunded: "5", role: "duplicate" }, "neutral", "Refunded"],
  ] as const)
    assert.deepEqual(paymentWord({ ...PLAIN, ...differs }), { tone, word });
});

test("§13.10.8 a payment has one colour, in its list and on its page", () => {
  for (const status of ["protected", "disputed", "released", "refunded"] as const)
    for (const amountRefunded of ["0", "1"])
      for (const outcome of [null, "resolved"] as const) {
        const payment = { ...PLAIN, status, amountRefunded, outcome };
        assert.equal(stateOf(payment).tone, paymentWord(payment).tone, JSON.stringify(payment));
      }
});

test("§13.10.8 the rest of a period has two units, and never claims more than is left", () => {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  for (const [ms, text] of [
    [7 * day - 1, "6 d 23 h"],
    [day, "1 d 0 h"],
    [day - 1, "23 h 59 min"],
    [hour - 1, "59 min"],
    [minute - 1, "0 min"],
    [-hour, "0 min"],
  ] as const)
    assert.equal(waitText(ms), text);
  const [from, to] = ["2026-11-20T00:00:00.000Z", "2026-11-24T00:00:00.000Z"];
  assert.deepEqual(
    [-1, 0, 1, 4, 9].map((days) => elapsedPercent(from, to, Date.parse(from) + days * day)),
    [0, 0, 25, 100, 100],
  );
  assert.equal(elapsedPercent(from, from, Date.parse(from)), 100);
});
