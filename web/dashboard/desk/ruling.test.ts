import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { UnexpectedBytesError } from "@holdfast/decoder";
import { amountAt, hashRecord, type ShownDecision, STEPS, stepOf, typedOf } from "./ruling.ts";

const BOUNDS = { least: "1000000", most: "24500000" };
const SHOWN: ShownDecision = {
  ...{
    operator: "operator",
    payment: "payment",
    arbiter: "arbiter",
    total: "12500000",
    reasons: "Torn.",
    agreement: null,
  },
};
const RECORD = { v: 1, genesis: "genesis", ...SHOWN, agreement: undefined, statements: [], files: [], salt: "salt" };

test("the slider ends exactly at what is bound and at the whole payment, and never leaves them", () => {
  assert.equal(amountAt(0, BOUNDS, 6), BOUNDS.least);
  assert.equal(amountAt(STEPS, BOUNDS, 6), BOUNDS.most);
  assert.equal(amountAt(500, { least: "0", most: "24500000" }, 6), "12250000");
  const ends = ["0", "1", "999999", "24500000", "18446744073709551615"];
  for (const [least, most] of ends.flatMap((low) => ends.map((high) => [low, high] as const)))
    for (let step = 0; BigInt(least) <= BigInt(most) && step <= STEPS; step++)
      for (const decimals of [0, 2, 6, 9]) {
        const amount = amountAt(step, { least, most }, decimals);
        assert.ok(BigInt(amount) >= BigInt(least) && BigInt(amount) <= BigInt(most));
        const back = stepOf(amount, { least, most });
        assert.ok(back >= 0 && back <= STEPS);
      }
});

test("an amount is typed as the field reads it", () => {
  assert.deepEqual(
    [typedOf("12500000", 6), typedOf("0", 6), typedOf("1", 6), typedOf("7", 0), typedOf("15", 1)],
    ["12.50", "0.00", "0.000001", "7", "1.5"],
  );
});

test("§17 a record is hashed as it is, if it says what the page shows", async () => {
  const record = JSON.stringify(RECORD);
  assert.equal(await hashRecord(record, SHOWN), createHash("sha256").update(record).digest("hex"));
  const agreed = JSON.stringify({ ...RECORD, reasons: null, agreement: "of_1" });
  await hashRecord(agreed, { ...SHOWN, reasons: null, agreement: "of_1" });
});

test("§17 a record of another total, payment, arbiter, reason or agreement is refused", async () => {
  for (const other of [
    { total: "12500001" },
    { payment: "other" },
    { arbiter: "other" },
    { operator: "other" },
    { reasons: "Torn" },
    { reasons: null },
    { agreement: "of_1" },
    { v: 2 },
  ])
    await assert.rejects(hashRecord(JSON.stringify({ ...RECORD, ...other }), SHOWN), UnexpectedBytesError);
  await assert.rejects(hashRecord("{", SHOWN), UnexpectedBytesError);
  const agreed = { ...SHOWN, reasons: null, agreement: "of_1" };
  await assert.rejects(hashRecord(JSON.stringify({ ...RECORD, reasons: null }), agreed), UnexpectedBytesError);
});
