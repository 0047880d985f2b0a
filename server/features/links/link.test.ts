import assert from "node:assert/strict";
import { test } from "node:test";
import { answerPlace, assignPlaces, linkStateAt, type PlaceClaim } from "./link.ts";

test("§13.21.5 a wallet gets one place under the limit", () => {
  const facts = { placesMax: 50, takenByOthers: 10, payment: null };
  for (const [given, answer] of [
    [{}, "taken"],
    [{ takenByOthers: 49 }, "taken"],
    [{ takenByOthers: 50 }, "full"],
    [{ payment: "payment-1" }, "has_paid"],
  ] as const)
    assert.equal(answerPlace({ ...facts, ...given }), answer, JSON.stringify(given));
});

test("§13.21.6 a payment takes the place that its wallet holds, or a free one if it is the first of its intent", () => {
  const claim = (payment: string, wallet: string, isFirst = true): PlaceClaim => ({ payment, wallet, isFirst });
  const assign = (claims: readonly PlaceClaim[], owned: Record<string, string | null>, free: number) =>
    [...assignPlaces(claims, new Map(Object.entries(owned)), free)].map(
      ([payment, { isNew }]) => `${payment} ${isNew}`,
    );
  assert.deepEqual(assign([claim("a", "w")], { w: null }, 0), ["a false"]);
  assert.deepEqual(assign([claim("a", "w")], { w: "a" }, 0), ["a false"]);
  assert.deepEqual(assign([claim("a", "w")], { w: "b" }, 9), []);
  assert.deepEqual(assign([claim("a", "w")], {}, 0), []);
  assert.deepEqual(assign([claim("a", "w"), claim("b", "v"), claim("c", "u")], {}, 2), ["a true", "b true"]);
  assert.deepEqual(assign([claim("a", "w"), claim("b", "w")], {}, 2), ["a true"], "a wallet has one");
  assert.deepEqual(assign([claim("a", "w"), claim("b", "w")], { w: null }, 2), ["a false"]);
  assert.deepEqual(assign([claim("a", "w"), claim("a", "w")], {}, 2), ["a true"], "observed twice");
  assert.deepEqual(assign([claim("a", "w", false)], {}, 2), [], "a duplicate takes no free place");
  assert.deepEqual(assign([claim("a", "w", false)], { w: null }, 2), ["a false"]);
});

test("§13.21.4 a link is closed, expired, full or open, in this order", () => {
  const now = new Date();
  const link = { closedAt: null, expiresAt: null, placesMax: null };
  assert.equal(linkStateAt(link, 0, now), "open");
  assert.equal(linkStateAt({ ...link, placesMax: 2 }, 1, now), "open");
  assert.equal(linkStateAt({ ...link, placesMax: 2 }, 2, now), "full");
  assert.equal(linkStateAt({ ...link, placesMax: 2, expiresAt: now }, 2, now), "expired");
  assert.equal(linkStateAt({ ...link, expiresAt: now, closedAt: now }, 0, now), "closed");
});
