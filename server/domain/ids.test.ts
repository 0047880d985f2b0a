import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import {
  CELLS_MAX,
  cellOf,
  cellOfBusiness,
  cellOfPaymentId,
  environmentOf,
  isIntentId,
  newBusinessId,
  newDisputeId,
  newEventId,
  newIntentId,
  newLinkId,
  newPaymentId,
} from "./ids.ts";
import { cellOfKey, hashSecretKey, newSecretKey } from "./secretKeys.ts";

test("§10.3 ids sort by the time of their making, and within a millisecond by its order", () => {
  const times = fc.array(fc.integer({ min: 0, max: 2 ** 45 }), { minLength: 2, maxLength: 20 });
  fc.assert(
    fc.property(times, (given) => {
      const made = given.toSorted((a, b) => a - b).map((ms) => newIntentId("test", new Date(ms)));
      assert.deepEqual(made.toSorted(), made);
      assert.ok(made.every(isIntentId));
      assert.equal(new Set(made.map((id) => id.length)).size, 1);
    }),
  );
  assert.equal(environmentOf(newEventId("live", new Date())), "live");
});

test("§10.3 a text that is no intent's id is known as such", () => {
  const id = newIntentId("test", new Date());
  for (const text of [
    "",
    id.toUpperCase(),
    `${id} `,
    `${id}0`,
    id.slice(0, -1),
    id.replace("test", "prod"),
    `x${id}`,
    `${id}\n`,
  ])
    assert.equal(isIntentId(text), false, text);
});

test("§10.4 payment ids are spread over 1 … 2^63−1", () => {
  const ids = Array.from({ length: 2_000 }, () => BigInt(newPaymentId()));
  assert.ok(ids.every((id) => id >= 1n && id < 2n ** 63n));
  assert.equal(new Set(ids).size, ids.length);
  const upperHalf = ids.filter((id) => id >= 2n ** 62n).length;
  assert.ok(upperHalf > 800 && upperHalf < 1_200);
});

test("§5.9.1 a key of which one character was mistyped, lost or added needs no look-up", () => {
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567".split("");
  const places = fc.nat({ max: newSecretKey("test").length - 1 });
  fc.assert(
    fc.property(
      fc.constantFrom("test" as const, "live" as const),
      places,
      fc.constantFrom(...alphabet),
      (environment, at, letter) => {
        const key = newSecretKey(environment);
        assert.match(key, /^sk_(test|live)_[a-z2-7]{38}$/);
        assert.equal(hashSecretKey(key)?.length, 64);
        if (key[at] !== letter) assert.equal(hashSecretKey(key.slice(0, at) + letter + key.slice(at + 1)), null);
        assert.equal(hashSecretKey(key.slice(0, at) + key.slice(at + 1)), null);
        assert.equal(hashSecretKey(key.slice(0, at) + letter + key.slice(at)), null);
      },
    ),
  );
});

test("keys, ids and payment ids lead to their cell, and those older than the cells to cell 0", () => {
  const now = new Date();
  for (let cell = 0; cell < CELLS_MAX; cell++) {
    const key = newSecretKey("live", cell);
    assert.equal(cellOfKey(key), cell);
    assert.equal(cellOfKey(`${key.slice(0, -2)}${key.at(-1)}${key.at(-2)}`), key.at(-1) === key.at(-2) ? cell : null);
    assert.equal(cellOfBusiness(newBusinessId(now, cell)), cell);
    for (const make of [newIntentId, newLinkId, newDisputeId]) assert.equal(cellOf(make("test", now, cell)), cell);
    if (cell > 0) assert.equal(cellOfPaymentId(newPaymentId(cell)), cell);
  }
  // Ids of before ended in 56 random bits.
  const older = Array.from({ length: 20_000 }, () => `biz_01a1fc06b1cd6aa165${randomBytes(7).toString("hex")}`);
  assert.ok(older.every((id) => cellOfBusiness(id) === 0));
  for (const text of ["", "biz_1", "pi_test_x", "11111111111111111111111111111111"])
    assert.equal(cellOf(text), 0, text);
});

test("§5.9.1 no digit of a checksum that is mistyped leads to another cell", () => {
  const digits = Array.from({ length: CELLS_MAX }, (_, cell) => {
    const key = newSecretKey("test", cell);
    return { body: key.slice(0, -6), sum: key.slice(-6) };
  });
  for (const { body, sum } of digits)
    for (let at = 0; at < sum.length; at++)
      for (const letter of "abcdefghijklmnopqrstuvwxyz234567")
        if (letter !== sum[at])
          assert.equal(cellOfKey(`${body}${sum.slice(0, at)}${letter}${sum.slice(at + 1)}`), null);
});
