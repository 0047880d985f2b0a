import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatUnits, isAmount, isBetween, parseTokenAmount, unitsOf } from "./money.ts";

const units = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String);

test("§2.1 an amount is digits from 1 to 2^64−1", () => {
  fc.assert(fc.property(units, (amount) => isAmount(amount)));
  fc.assert(fc.property(fc.bigInt({ min: 2n ** 64n }).map(String), (amount) => !isAmount(amount)));
  for (const text of ["", "0", "01", "-1", "+1", "1.0", "1e3", " 1", "1\n", "१", "１"])
    assert.equal(isAmount(text), false);
});

test("§2.1 an amount as people read it loses no digit", () => {
  fc.assert(
    fc.property(units, fc.integer({ min: 0, max: 18 }), (amount, decimals) => {
      const [whole, fraction = ""] = formatUnits(amount, decimals).split(".");
      assert.equal(BigInt(whole! + fraction.padEnd(decimals, "0")), BigInt(amount));
      assert.ok(!fraction.endsWith("0"));
    }),
  );
  for (const [amount, decimals, text] of [
    ["12500000", 6, "12.5"],
    ["1", 6, "0.000001"],
    ["1000000", 6, "1"],
    ["7", 0, "7"],
  ] as const)
    assert.equal(formatUnits(amount, decimals), text);
});

test("§13.10.8 an amount that people read is found by that number of tokens, and lies between its neighbours", () => {
  fc.assert(
    fc.property(units, fc.integer({ min: 0, max: 18 }), (amount, decimals) => {
      const read = parseTokenAmount(formatUnits(amount, decimals))!;
      assert.equal(unitsOf(read, decimals), amount);
      const isEqualTo = (other: bigint) => isBetween(String(other), decimals, read, read);
      assert.deepEqual(
        [-1n, 0n, 1n].map((by) => isEqualTo(BigInt(amount) + by)),
        [false, true, false],
      );
      assert.ok(isBetween(String(BigInt(amount) + 1n), decimals, read, null));
      assert.ok(isBetween(String(BigInt(amount) - 1n), decimals, null, read));
    }),
  );
  assert.equal(unitsOf(parseTokenAmount("48.0000001")!, 6), null, "a fraction of a unit");
  assert.ok(isBetween("48000001", 6, parseTokenAmount("48.0000001"), null));
  assert.deepEqual(parseTokenAmount("0048.500"), { digits: 485n, places: 1 });
  for (const text of ["", "-1", "+1", "1e3", "1,5", " 1", ".5", "1.", "१", "1".repeat(21)])
    assert.equal(parseTokenAmount(text), null, text);
});
