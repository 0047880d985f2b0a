import assert from "node:assert/strict";
import { test } from "node:test";
import { answerSeat, assignSeats, linkStateAt, networkShareOf, type SeatClaim } from "./link.ts";

test("§13.21.5 a wallet gets one seat under the limit, and a network a share of those that are held", () => {
  const now = new Date();
  const until = new Date(now.getTime() + 600_000);
  const facts = { seatsMax: 50, takenByOthers: 10, heldByNetwork: 0, own: null, until, now };
  const held = { heldSince: now, until };
  for (const [given, answer] of [
    [{}, "taken"],
    [{ takenByOthers: 49 }, "taken"],
    [{ takenByOthers: 50 }, "full"],
    [{ heldByNetwork: 4 }, "taken"],
    [{ heldByNetwork: 5 }, "share_used"],
    [{ own: { ...held, payment: null }, takenByOthers: 49, heldByNetwork: 5 }, "taken"],
    [{ own: { ...held, payment: "payment-1" } }, "has_paid"],
  ] as const)
    assert.equal(answerSeat({ ...facts, ...given }), answer, JSON.stringify(given));
  assert.deepEqual([1, 20, 21, 50, 200, 10_000].map(networkShareOf), [2, 2, 3, 5, 20, 20]);
});

test("§13.21.7 a wallet holds a seat unpaid for 40 minutes, and then leaves it to others for ten", () => {
  const start = Date.UTC(2026, 10, 23);
  const at = (minutes: number, seconds = 0) => new Date(start + minutes * 60_000 + seconds * 1_000);
  const ask = (now: Date, ownUntil: Date, takenByOthers = 0) =>
    answerSeat({
      ...{ seatsMax: 1, takenByOthers, heldByNetwork: 0, now, until: new Date(now.getTime() + 600_000) },
      own: { payment: null, heldSince: at(0), until: ownUntil },
    });
  assert.equal(ask(at(30), at(39)), "taken");
  assert.equal(ask(at(30, 1), at(40)), "renewed_out");
  assert.equal(ask(at(49, 59), at(40)), "renewed_out");
  assert.equal(ask(at(50), at(40)), "taken");
  assert.equal(ask(at(50), at(40), 1), "full");
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
