import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { environmentOf, isIntentId, newEventId, newIntentId, newPaymentId } from "./ids.ts";
import { hashSecretKey, newSecretKey } from "./secretKeys.ts";

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
