import assert from "node:assert/strict";
import { test } from "node:test";
import { atHour } from "../../intents/fixtures.ts";
import { anIntentState, anObservedPayment, decideInTurn, typesOf } from "../fixtures.ts";
import { decideCorrection } from "./correction.ts";

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
  const { payment, pendingEvents } = decideCorrection(state, known, observed, atHour(4));
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
