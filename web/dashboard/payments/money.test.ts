import assert from "node:assert/strict";
import { test } from "node:test";
import { duesOf, type Figures, refundableOf, refundResult, splitOf } from "./money.ts";

const figures = (changes: Partial<Figures> = {}): Figures => ({
  amount: "86000000",
  refundTotal: "0",
  amountRefunded: "0",
  amountReleased: "0",
  outcome: null,
  ...changes,
});

test("the five places of a payment's money add up to its amount, in every state", () => {
  for (const [changes, split] of [
    [{}, [0n, 0n, 86n, 0n, 0n]],
    [{ refundTotal: "20000000" }, [0n, 20n, 66n, 0n, 0n]],
    [{ refundTotal: "20000000", amountRefunded: "20000000" }, [20n, 0n, 66n, 0n, 0n]],
    [{ refundTotal: "36000000", amountRefunded: "20000000" }, [20n, 16n, 50n, 0n, 0n]],
    [{ refundTotal: "20000000", outcome: "resolved" }, [0n, 20n, 0n, 66n, 0n]],
    [{ refundTotal: "20000000", amountReleased: "66000000", outcome: "resolved" }, [0n, 20n, 0n, 0n, 66n]],
    [{ amountReleased: "86000000", outcome: "settled" }, [0n, 0n, 0n, 0n, 86n]],
    [{ refundTotal: "86000000", outcome: "refunded_by_recipient" }, [0n, 86n, 0n, 0n, 0n]],
  ] as const) {
    const { returned, returning, held, releasing, released } = splitOf(figures(changes));
    const places = [returned, returning, held, releasing, released];
    assert.deepEqual(
      places,
      split.map((million) => million * 1_000_000n),
    );
    assert.equal(
      places.reduce((sum, place) => sum + place),
      86_000_000n,
    );
  }
});

test("what each side is due follows from what is decided, what the deadline gives, or what both agreed", () => {
  const partly = { refundTotal: "20000000", amountRefunded: "20000000" };
  for (const [changes, isUndecided, agreed, dues] of [
    [{}, false, null, [0n, 86n, 0n]],
    [partly, false, null, [20n, 66n, 0n]],
    [partly, true, null, [20n, 0n, 66n]],
    [partly, true, "30000000", [30n, 56n, 0n]],
    [partly, true, "20000000", [20n, 66n, 0n]],
    [{}, true, "86000000", [86n, 0n, 0n]],
    [{ refundTotal: "30000000", outcome: "resolved" }, false, "30000000", [30n, 56n, 0n]],
    [{ refundTotal: "20000000", amountReleased: "66000000", outcome: "resolved" }, false, null, [20n, 66n, 0n]],
  ] as const) {
    const { buyer, recipient, nobody } = duesOf(figures(changes), { isUndecided, agreed });
    assert.deepEqual(
      [buyer, recipient, nobody],
      dues.map((million) => million * 1_000_000n),
    );
  }
});

test("a refund says the buyer's total and what stays, exactly, and never more than can be refunded", () => {
  const partly = figures({ refundTotal: "20000000", amountRefunded: "20000000" });
  assert.deepEqual(refundResult(partly, "16000000"), { total: "36000000", rest: "50000000" });
  assert.deepEqual(refundResult(partly, "1"), { total: "20000001", rest: "65999999" });
  assert.deepEqual(refundResult(partly, "66000000"), { total: "86000000", rest: "0" });
  for (const part of ["66000001", "0", null]) assert.equal(refundResult(partly, part), null, String(part));
  // The largest amount of a token is beyond the exact numbers of a browser.
  const largest = figures({ amount: "18446744073709551615" });
  assert.deepEqual(refundResult(largest, "18446744073709551614"), { total: "18446744073709551614", rest: "1" });
});

test("what is decided can be refunded until the recipient's part has left", () => {
  assert.equal(refundableOf(figures({ outcome: "settled" })), 86_000_000n);
  assert.equal(refundableOf(figures({ outcome: "resolved", refundTotal: "20000000" })), 66_000_000n);
  const left = figures({ outcome: "resolved", refundTotal: "20000000", amountReleased: "66000000" });
  assert.equal(refundableOf(left), 0n);
  assert.equal(refundResult(left, "1"), null);
});
