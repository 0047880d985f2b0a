import assert from "node:assert/strict";
import { test } from "node:test";
import { answerSeat, assignSeats, linkStateAt, type SeatClaim } from "./link.ts";

test("§13.21.5 a wallet gets one seat under the limit", () => {
  const facts = { seatsMax: 50, takenByOthers: 10, payment: null };
  for (const [given, answer] of [
    [{}, "taken"],
    [{ takenByOthers: 49 }, "taken"],
    [{ takenByOthers: 50 }, "full"],
    [{ payment: "payment-1" }, "has_paid"],
  ] as const)
    assert.equal(answerSeat({ ...facts, ...given }), answer, JSON.stringify(given));
});

test("§13.21.6 a payment takes the seat that its wallet holds, or a free one if it is the first of its intent", () => {
  const claim = (payment: string, wallet: string, isFirst = true): SeatClaim => ({ payment, wallet, isFirst });
  const assign = (claims: readonly SeatClaim[], owned: Record<string, string | null>, free: number) =>
    [...assignSeats(claims, new Map(Object.entries(owned)), free)].map(([payment, { isNew }]) => `${payment} ${isNew}`);
  assert.deepEqual(assign([claim("a", "w")], { w: null }, 0), ["a false"]);
  assert.deepEqual(assign([claim("a", "w")], { w: "a" }, 0), ["a false"]);
  assert.deepEqual(assign([claim("a", "w")], { w: "b" }, 9), []);
  assert.deepEqual(assign([claim("a", "w")], {}, 0), []);
  assert.deepEqual(assign([claim("a", "w"), claim("b", "v"), claim("c", "u")], {}, 2), ["a true", "b true"]);
  assert.deepEqual(assign([claim("a", "w"), claim("b", "w")], {}, 2), ["a true"], "a wallet has one");
  assert.deepEqual(assign([claim("a", "w"), claim("b", "w")], { w: null }, 2), ["a false"]);
  assert.deepEqual(assign([claim("a", "w"), claim("a", "w")], {}, 2), ["a true"], "observed twice");
  assert.deepEqual(assign([claim("a", "w", false)], {}, 2), [], "a duplicate takes no free seat");
  assert.deepEqual(assign([claim("a", "w", false)], { w: null }, 2), ["a false"]);
});

test("§13.21.4 a link is closed, expired, full or open, in this order", () => {
  const now = new Date();
  const link = { closedAt: null, expiresAt: null, seatsMax: null };
  assert.equal(linkStateAt(link, 0, now), "open");
  assert.equal(linkStateAt({ ...link, seatsMax: 2 }, 1, now), "open");
  assert.equal(linkStateAt({ ...link, seatsMax: 2 }, 2, now), "full");
  assert.equal(linkStateAt({ ...link, seatsMax: 2, expiresAt: now }, 2, now), "expired");
  assert.equal(linkStateAt({ ...link, expiresAt: now, closedAt: now }, 0, now), "closed");
});
