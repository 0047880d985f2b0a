import assert from "node:assert/strict";
import { test } from "node:test";
import { atHour } from "../../intents/fixtures.ts";
import type { IntentState } from "../decide/state.ts";
import { anIntentState, anObservedPayment, aSecondPayment, CHECKOUT_URL, decideInTurn, typesOf } from "../fixtures.ts";
import { decideReversal } from "./reversal.ts";

const NO_CONTEXT = { referenceTaken: false, expiredEventSent: false };
const reversal = (state: IntentState, context = NO_CONTEXT, now = atHour(3)) =>
  decideReversal(state, state.payments[0]!, context, now, CHECKOUT_URL);

test("§3.3.2 a reverted payment leaves its intent as its times say: open again, with its reference", () => {
  const { state } = decideInTurn(anIntentState(), anObservedPayment());
  const reverted = reversal(state);
  assert.deepEqual(typesOf(reverted), ["payment.reverted"]);
  assert.deepEqual([reverted.intent.status, reverted.reopened, reverted.promoted], ["requires_payment", true, null]);
  assert.equal(reverted.generation, 2, "the next .paid is a new event");
  assert.ok(reverted.lastOccurredAt > state.lastOccurredAt);
});

test("§3.3.2 reverted after its intent has expired: expired again if that had its event, else the event is still to come", () => {
  const { state } = decideInTurn(anIntentState(), anObservedPayment());
  const later = reversal(state, NO_CONTEXT, atHour(30));
  assert.deepEqual([later.intent.status, later.reopened], ["requires_payment", false]);
  const expired = reversal(state, { referenceTaken: true, expiredEventSent: true }, atHour(30));
  assert.deepEqual(
    [expired.intent.status, expired.reopened, typesOf(expired)],
    ["expired", false, ["payment.reverted"]],
  );
});

test("§3.3.2 reverted after its intent was canceled: canceled again, without a second event", () => {
  const { state } = decideInTurn(
    anIntentState({ status: "canceled", canceledAt: atHour(1) }),
    anObservedPayment({ createdAt: atHour(2) }),
  );
  const reverted = reversal(state);
  assert.deepEqual([reverted.intent.status, reverted.intent.canceledAt], ["canceled", atHour(1)]);
  assert.deepEqual([typesOf(reverted), reverted.reopened], [["payment.reverted"], false]);
});

test("§3.3.3 reverted while another intent holds the reference: canceled now, with an event", () => {
  const { state } = decideInTurn(anIntentState(), anObservedPayment());
  const reverted = reversal(state, { referenceTaken: true, expiredEventSent: false });
  assert.deepEqual(typesOf(reverted), ["payment.reverted", "payment_intent.canceled"]);
  assert.deepEqual([reverted.intent.status, reverted.intent.canceledAt], ["canceled", atHour(3)]);
  assert.equal(reverted.pendingEvents[1]?.generation, 2);
});

test("§3.3.2 reverted with a duplicate waiting: the oldest becomes the primary, and the event goes by its own lateness", () => {
  for (const [paidAt, type] of [
    [2, "payment_intent.paid"],
    [25, "payment_intent.paid_late"],
  ] as const) {
    const first = paidAt === 25 ? anObservedPayment({ createdAt: atHour(25) }) : anObservedPayment();
    const third = anObservedPayment({ address: "payment-3", sender: "sender-3" });
    const { state } = decideInTurn(anIntentState(), first, aSecondPayment({ createdAt: atHour(paidAt) }), third);
    const reverted = reversal(state);
    assert.deepEqual([reverted.promoted?.id, reverted.promoted?.role], ["payment-2", "primary"]);
    assert.deepEqual(typesOf(reverted), ["payment.reverted", type]);
    assert.equal(reverted.intent.status, "paid");
    assert.match(
      reverted.pendingEvents[1]?.object.payment ?? "",
      /"id":"payment-2","intent":"pi_test_1","role":"primary"/,
    );
  }
});

test("§3.3.2 a reverted duplicate leaves the intent and its primary alone", () => {
  const { state } = decideInTurn(anIntentState(), anObservedPayment(), aSecondPayment());
  const reverted = decideReversal(state, state.payments[1]!, NO_CONTEXT, atHour(3), CHECKOUT_URL);
  assert.deepEqual([typesOf(reverted), reverted.intent, reverted.generation], [["payment.reverted"], state.intent, 1]);
});
