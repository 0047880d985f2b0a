import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  BASE32,
  deliveryId,
  environmentOf,
  isIntentId,
  newBusinessId,
  newEndpointId,
  newEventId,
  newIntentId,
  newPaymentId,
  readDeliveryId,
  tagOf,
} from "./ids.ts";
import { hashSecretKey, newSecretKey } from "./secretKeys.ts";

const TENANT = { businessId: newBusinessId(new Date()), environment: "test" } as const;
const LIVE = { ...TENANT, environment: "live" } as const;

test("§10.3 ids of a business sort by the time of their making, and within a millisecond by its order", () => {
  const times = fc.array(fc.integer({ min: 0, max: 2 ** 45 }), { minLength: 2, maxLength: 20 });
  fc.assert(
    fc.property(times, (given) => {
      const made = given.toSorted((a, b) => a - b).map((ms) => newIntentId(TENANT, new Date(ms)));
      assert.deepEqual(made.toSorted(), made);
      assert.ok(made.every(isIntentId));
      assert.equal(new Set(made.map((id) => id.length)).size, 1);
    }),
  );
  assert.equal(environmentOf(newEventId(LIVE, new Date())), "live");
});

test("§10.3 keys and ids of a business carry its tag behind the environment, and a delivery's id names its parts", () => {
  assert.equal(tagOf("biz_01a1fc06b1cd6aa165e96a8ab2d2e7fc"), "5szw");
  assert.equal(tagOf(`biz_${"f".repeat(32)}`), "zzzz");
  const tags = Array.from({ length: 2_000 }, () => tagOf(newBusinessId(new Date())));
  assert.ok(tags.every((tag) => /^[0-9a-hjkmnp-tv-z]{4}$/.test(tag)));
  assert.ok(new Set(tags.flatMap((tag) => [...tag])).size === BASE32.length && new Set(tags).size > 1_900);
  const tag = tagOf(TENANT.businessId);
  const [event, endpoint] = [newEventId(LIVE, new Date()), newEndpointId(LIVE, new Date())];
  assert.ok(event.startsWith(`evt_live_${tag}`) && newSecretKey(LIVE).startsWith(`sk_live_${tag}_`));
  const delivery = deliveryId(event, endpoint);
  assert.ok(delivery.startsWith(`del_live_${tag}`));
  assert.deepEqual(readDeliveryId(delivery), { eventId: event, endpointId: endpoint });
  assert.equal(readDeliveryId(`${delivery}0`), null);
});

test("§10.3 a text that is no intent's id is known as such", () => {
  const id = newIntentId(TENANT, new Date());
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
  const places = fc.nat({ max: newSecretKey(TENANT).length - 1 });
  fc.assert(
    fc.property(fc.constantFrom(TENANT, LIVE), places, fc.constantFrom(...BASE32), (tenant, at, letter) => {
      const key = newSecretKey(tenant);
      assert.match(key, /^sk_(test|live)_[0-9a-hjkmnp-tv-z]{4}_[0-9a-hjkmnp-tv-z]{38}$/);
      assert.equal(hashSecretKey(key)?.length, 64);
      if (key[at] !== letter) assert.equal(hashSecretKey(key.slice(0, at) + letter + key.slice(at + 1)), null);
      assert.equal(hashSecretKey(key.slice(0, at) + key.slice(at + 1)), null);
      assert.equal(hashSecretKey(key.slice(0, at) + letter + key.slice(at)), null);
    }),
  );
});
