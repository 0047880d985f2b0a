import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ChainPayment } from "../../../chain/port.ts";
import { atHour } from "../../intents/fixtures.ts";
import { continues } from "../decide/steps.ts";
import { anIntentState, anObservedPayment, CHECKOUT_URL, decideInTurn, typesOf } from "../fixtures.ts";
import { courses } from "../testing/courses.ts";
import { decideCorrection } from "./correction.ts";

/** Corrects a payment recorded in one state whose final account is in another. */
function correct(recorded: Partial<ChainPayment>, final: Partial<ChainPayment>, now = atHour(10)) {
  const { state } = decideInTurn(anIntentState(), anObservedPayment(recorded));
  const observed = anObservedPayment(final, { slot: 400, finalized: true });
  return decideCorrection(state, state.payments[0]!, observed, now, CHECKOUT_URL);
}

const DISPUTED = { status: "disputed", disputedAt: atHour(3) } as const;
const RULED = { ...DISPUTED, outcome: "resolved", refundTotal: "400" } as const;
const PART = { refundTotal: "300", amountRefunded: "300", refundedAt: atHour(2) } as const;
const RELEASED = {
  status: "released",
  outcome: "released_by_sender",
  amountReleased: "1000",
  settledAt: atHour(4),
} as const;

for (const [what, recorded, final, types, previous] of [
  [
    "a release of a disputed payment",
    { ...DISPUTED, ...RELEASED },
    DISPUTED,
    ["payment.disputed"],
    ["amountReleased", "outcome", "resolveBy", "settledAt", "status"],
  ],
  ["a dispute", DISPUTED, {}, ["payment.protected"], ["disputedAt", "resolveBy", "status"]],
  [
    "a dispute at another time",
    DISPUTED,
    { ...DISPUTED, disputedAt: atHour(4) },
    ["payment.protected", "payment.disputed"],
    ["disputedAt", "resolveBy", "status"],
  ],
  ["a partial refund", PART, {}, ["payment.protected"], ["amountRefunded", "refundTotal", "refundedAt"]],
  [
    "the later of two partial refunds",
    { refundTotal: "500", amountRefunded: "500", refundedAt: atHour(4) },
    PART,
    ["payment.protected"],
    ["amountRefunded", "refundTotal", "refundedAt"],
  ],
  [
    "a dispute after a partial refund",
    { ...PART, ...DISPUTED },
    PART,
    ["payment.protected"],
    ["disputedAt", "resolveBy", "status"],
  ],
  ["a refund that was bound", { refundTotal: "300" }, {}, ["payment.protected"], ["refundTotal"]],
  ["a ruling", RULED, DISPUTED, ["payment.disputed"], ["outcome", "refundTotal", "resolveBy"]],
  [
    "the sender's part of a split whose ruling holds",
    { ...RULED, amountRefunded: "400", refundedAt: atHour(5) },
    RULED,
    ["payment.disputed"],
    ["amountRefunded", "refundedAt"],
  ],
  [
    "a release, where a refund came instead",
    RELEASED,
    { ...PART, status: "refunded", outcome: "refunded_by_recipient", refundTotal: "1000", amountRefunded: "1000" },
    ["payment.protected", "payment.refunded"],
    ["amountReleased", "outcome", "refundTotal", "settledAt", "status"],
  ],
] as const)
  test(`§3.3.6 a fork took ${what}: the last state that holds is announced directly`, () => {
    const { payment, pendingEvents } = correct(recorded, final);
    assert.deepEqual(typesOf({ pendingEvents }), types);
    const [{ object, before, generation }] = pendingEvents as [(typeof pendingEvents)[number]];
    const changed = Object.keys(object).filter((name) => name !== "checkedAt" && object[name] !== before?.[name]);
    assert.deepEqual(changed.toSorted(), previous);
    assert.equal(generation, 2);
    for (const [name, value] of Object.entries(final)) assert.deepEqual(payment[name as "status"], value, name);
  });

test("§3.3.6 whatever a fork put in the place of what was recorded: one event of what holds, then each further step once", () => {
  fc.assert(
    fc.property(courses, courses, fc.nat(20), (one, other, place) => {
      const recorded = one[place % one.length]!;
      const final = other.at(-1)!;
      const { state } = decideInTurn(anIntentState(), anObservedPayment(recorded));
      const known = state.payments[0]!;
      if (continues(known, final)) return;
      const { payment, pendingEvents } = correct(recorded, final, atHour(5_000));
      for (const name of ["status", "outcome", "refundTotal", "amountRefunded", "amountReleased"] as const)
        assert.equal(payment[name], final[name], name);
      const types = typesOf({ pendingEvents });
      assert.ok(types[0] === "payment.protected" || types[0] === "payment.disputed");
      assert.equal(new Set(pendingEvents.map(({ transition }) => transition)).size, types.length, "no step twice");
      assert.ok(pendingEvents.every(({ generation }) => generation === 2));
      const ends = types.filter((type) => type === "payment.released" || type === "payment.refunded");
      const isOver = final.status === "released" || final.status === "refunded";
      assert.deepEqual(ends, isOver ? [`payment.${final.status}`] : []);
      assert.equal(types.includes("payment.disputed"), final.disputedAt !== null);
      const { object } = pendingEvents[0]!;
      const left = Number(object.amountReleased!.slice(1, -1)) + Number(object.amountRefunded!.slice(1, -1));
      assert.ok(left < Number(final.amount), "what holds is not the end");
    }),
  );
});

test("a correction begins a new generation: protected, then every step the final account has", () => {
  const released = { status: "released", outcome: "settled", amountReleased: "1000", settledAt: atHour(2) } as const;
  const { state } = decideInTurn(anIntentState(), anObservedPayment(released));
  const known = state.payments[0]!;
  const refunded = {
    status: "refunded",
    outcome: "resolved",
    refundTotal: "1000",
    amountRefunded: "1000",
    disputedAt: atHour(2),
    refundedAt: atHour(3),
  } as const;
  const observed = anObservedPayment(refunded, { slot: 400, finalized: true });
  const { payment, pendingEvents } = decideCorrection(state, known, observed, atHour(4), CHECKOUT_URL);
  assert.deepEqual(typesOf({ pendingEvents }), ["payment.protected", "payment.disputed", "payment.refunded"]);
  assert.deepEqual(
    pendingEvents.map(({ generation }) => generation),
    [2, 2, 2],
  );
  assert.equal(pendingEvents[0]?.before?.status, '"released"');
  assert.deepEqual(
    [payment.status, payment.settledAt, payment.refundedAt, payment.finalized, payment.generation],
    ["refunded", null, atHour(3), true, 2],
  );
});
