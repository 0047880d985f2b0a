import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PAYMENT_STATUSES, TERMS } from "../../../domain/terms.ts";
import { anIntent, atHour } from "../../intents/fixtures.ts";
import type { Intent } from "../../intents/intent.ts";
import { aPayment } from "../../payments/fixtures.ts";
import { anIntentState, anObservedPayment, aSecondPayment, CHECKOUT_URL, decideInTurn, typesOf } from "../fixtures.ts";
import { decide, isPaidLate, lateReason } from "./decision.ts";

for (const [what, intent, primaryAt, paidAt, now, reason] of [
  ["in time", {}, null, 1, 2, null],
  ["in the last moment", {}, null, 24, 24, null],
  ["after it expired", {}, null, 25, 26, "paid_after_expiry"],
  ["in time and found after it expired", {}, null, 23, 25, "found_after_expiry"],
  ["after it was canceled", { status: "canceled", canceledAt: atHour(2) }, null, 3, 4, "paid_after_cancel"],
  [
    "before it was canceled and found after",
    { status: "canceled", canceledAt: atHour(2) },
    null,
    1,
    4,
    "found_after_cancel",
  ],
  [
    "after it was canceled and would have expired",
    { status: "canceled", canceledAt: atHour(2) },
    null,
    30,
    31,
    "paid_after_cancel",
  ],
  ["a second time, after an intent paid in time would have expired", { status: "paid" }, 1, 30, 31, null],
  ["a second time, after the first was late", { status: "paid" }, 25, 30, 31, "paid_after_expiry"],
  ["a second time, in time, when the first was late", { status: "paid" }, 25, 20, 31, "found_after_expiry"],
  [
    "a second time, of an intent canceled before the first",
    { status: "paid", canceledAt: atHour(2) },
    3,
    4,
    5,
    "paid_after_cancel",
  ],
] as const satisfies readonly (readonly [string, Partial<Intent>, number | null, number, number, string | null])[])
  test(`§3.1.8 paid ${what}: ${reason ?? "not late"}`, () => {
    const primary = primaryAt === null ? null : aPayment({ createdAt: atHour(primaryAt) });
    assert.equal(lateReason(anIntent(intent), primary, atHour(paidAt), atHour(now)), reason);
  });

test("§3.1.8 .paid_late for all reasons but found_after_expiry, which was paid in time", () => {
  for (const [reason, late] of [
    [null, false],
    ["found_after_expiry", false],
    ["paid_after_expiry", true],
    ["paid_after_cancel", true],
    ["found_after_cancel", true],
  ] as const)
    assert.equal(isPaidLate(reason), late);
});

test("§3 the first matching payment is bound as primary, with an event of its own and one of its intent", () => {
  const bound = decideInTurn(anIntentState(), anObservedPayment());
  assert.deepEqual([bound.outcome, bound.payment?.role, bound.state.intent.status], ["bound", "primary", "paid"]);
  assert.deepEqual(typesOf(bound), ["payment.protected", "payment_intent.paid"]);
  const [, paid] = bound.pendingEvents;
  assert.equal(paid?.object.status, '"paid"');
  assert.equal(paid?.before?.status, '"requires_payment"');
  assert.equal(paid?.before?.payment, "null");
});

test("§2.2 events show the receipt's address with its key, and the key nowhere else", () => {
  const { payment, pendingEvents } = decideInTurn(anIntentState(), anObservedPayment());
  const [recorded, paid] = pendingEvents;
  const key = "key-of-payment-1";
  assert.equal(payment?.receiptKey, key);
  assert.equal(recorded?.object.receiptUrl, `"${CHECKOUT_URL}/pay/p/payment-1?key=${key}"`);
  for (const event of [recorded, paid]) assert.equal(JSON.stringify(event).split(key).length, 2);
});

test("§3 a later one is a duplicate, and the intent stays as it is", () => {
  const bound = decideInTurn(anIntentState(), anObservedPayment());
  const decision = decideInTurn(bound.state, aSecondPayment());
  assert.deepEqual([decision.outcome, decision.payment?.role], ["duplicate", "duplicate"]);
  assert.deepEqual(typesOf(decision), ["payment.protected", "payment_intent.duplicate_payment"]);
  assert.deepEqual(decision.state.intent, bound.state.intent);
});

test("§3 a payment that is recorded already has no new event", () => {
  const again = decideInTurn(
    anIntentState(),
    anObservedPayment(),
    anObservedPayment({}, { slot: 101, finalized: true }),
  );
  assert.deepEqual([again.outcome, typesOf(again), again.payment?.finalized], ["already_recorded", [], true]);
  assert.equal(again.state.payments.length, 1);
});

test("§4.5.3 a payment that differs in any term is not bound", () => {
  for (const term of TERMS) {
    const other = term === "protectionPeriod" ? { protectionPeriod: "oneHour" as const } : { [term]: "999" };
    const decision = decideInTurn(anIntentState(), anObservedPayment(other));
    assert.deepEqual([decision.outcome, decision.mismatch, decision.payment], ["mismatch", [term], null]);
    assert.deepEqual(typesOf(decision), ["payment_intent.payment_mismatch"]);
    assert.deepEqual(decision.state.payments, []);
    assert.equal(decision.pendingEvents[0]?.extra?.mismatch, JSON.stringify([term]));
    assert.equal(JSON.parse(decision.pendingEvents[0]!.extra!.observed!).sender, "sender-1");
  }
});

test("§6.5.2 an intent has three mismatch events, not a fourth", () => {
  const wrong = Array.from({ length: 5 }, (_, index) =>
    anObservedPayment({ address: `p${index}`, sender: `s${index}`, amount: "1" }),
  );
  let state = anIntentState();
  const events = wrong.map((observed) => {
    const decision = decideInTurn(state, observed);
    state = decision.state;
    return typesOf(decision).length;
  });
  assert.deepEqual([events, state.mismatchCount], [[1, 1, 1, 0, 0], 3]);
});

test("§6.5.2 a sender's mismatch has one event, also when an earlier generation of the intent recorded it", () => {
  const wrong = anObservedPayment({ amount: "1" });
  const earlier = anIntentState({}, { mismatchSenders: new Set([wrong.payment.sender]) });
  for (const state of [earlier, decideInTurn(anIntentState(), wrong).state]) {
    const again = decideInTurn(state, wrong);
    assert.deepEqual([again.outcome, again.mismatch, typesOf(again)], ["mismatch", ["amount"], []]);
    assert.equal(again.state, state);
  }
});

test("§3.3 a payment that lands again after a revert is a new generation, with events of its own", () => {
  const { payment } = anObservedPayment();
  const state = anIntentState({}, { generation: 5, revertedGenerations: new Map([[payment.address, 2]]) });
  const bound = decideInTurn(state, anObservedPayment({ status: "disputed", disputedAt: atHour(2) }));
  assert.equal(bound.payment?.generation, 3);
  assert.deepEqual(
    bound.pendingEvents.map(({ type, generation }) => [type, generation]),
    [
      ["payment.protected", 3],
      ["payment_intent.paid", 5],
      ["payment.disputed", 3],
    ],
  );
});

test("§3 whatever is observed in whatever order, at most one payment is primary, and it is the first recorded", () => {
  const observed = fc.record({
    who: fc.integer({ min: 1, max: 4 }),
    amount: fc.constantFrom("1000", "1000", "1"),
    slot: fc.nat(9),
  });
  fc.assert(
    fc.property(
      fc.array(observed, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(...PAYMENT_STATUSES),
      (all, status) => {
        let state = anIntentState();
        for (const { who, amount, slot } of all) {
          const known = state.payments.some((payment) => payment.id === `payment-${who}`);
          const observedNow = anObservedPayment(
            {
              address: `payment-${who}`,
              sender: `sender-${who}`,
              // An existing payment never changes its terms.
              amount: known ? "1000" : amount,
              status,
              disputedAt: status === "disputed" ? atHour(3) : null,
              ...(status === "released"
                ? { settledAt: atHour(4), amountReleased: "1000", outcome: "settled" }
                : status === "refunded"
                  ? { refundedAt: atHour(4), amountRefunded: "1000", refundTotal: "1000", outcome: "resolved" }
                  : {}),
            },
            { slot },
          );
          state = decide(state, observedNow, atHour(5), CHECKOUT_URL).state;
        }
        const roles = state.payments.map((payment) => payment.role);
        assert.deepEqual(
          roles,
          roles.map((_, index) => (index === 0 ? "primary" : "duplicate")),
        );
        assert.equal(state.intent.status, roles.length === 0 ? "requires_payment" : "paid");
        assert.equal(new Set(state.payments.map((payment) => payment.id)).size, roles.length);
      },
    ),
  );
});
