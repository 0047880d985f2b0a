import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { atHour } from "../../intents/fixtures.ts";
import { anIntentState, anObservedPayment, CHECKOUT_URL, decideInTurn, typesOf } from "../fixtures.ts";
import { decide } from "./decision.ts";

test("after a fork an account of other times or terms changes nothing until one of the two is final", () => {
  const bound = decideInTurn(anIntentState(), anObservedPayment());
  for (const other of [
    { createdAt: atHour(2), protectionDeadline: atHour(2 + 7 * 24) },
    { amount: "1" },
    { amount: "1", status: "refunded", resolvedAt: atHour(3) },
  ] as const) {
    const observed = anObservedPayment(other, { slot: 200, finalized: true, signature: "other" });
    const decision = decide(bound.state, observed, atHour(3), CHECKOUT_URL);
    assert.deepEqual([decision.outcome, typesOf(decision)], ["undecided", []]);
    assert.deepEqual(decision.payment, { ...bound.payment, checkedAt: atHour(3) });
  }
});

test("a final payment that its account contradicts is read again at `finalized`, as is a payment recorded just now", () => {
  const disputed = { status: "disputed", disputedAt: atHour(2) } as const;
  const { state } = decideInTurn(anIntentState(), anObservedPayment(disputed, { finalized: true }));
  const older = decide(state, anObservedPayment({}, { slot: 99 }), atHour(3), CHECKOUT_URL);
  assert.deepEqual([older.payment?.finalized, older.payment?.changedSlot], [true, null]);
  const newer = decide(state, anObservedPayment({}, { slot: 200 }), atHour(3), CHECKOUT_URL);
  assert.deepEqual(
    [newer.payment?.status, newer.payment?.finalized, newer.payment?.changedSlot],
    ["disputed", false, 200],
  );
  const again = decide(
    newer.state,
    anObservedPayment(disputed, { slot: 210, finalized: true }),
    atHour(3),
    CHECKOUT_URL,
  );
  assert.deepEqual([again.payment?.finalized, again.payment?.changedSlot, typesOf(again)], [true, null, []]);
});

test("§2.2 the signature is that of the transaction that made the account, whichever fork it is of", () => {
  const bound = decideInTurn(anIntentState(), anObservedPayment());
  const later = decide(
    bound.state,
    anObservedPayment({}, { slot: 120, signature: "later", createdSlot: 110 }),
    atHour(3),
    CHECKOUT_URL,
  );
  assert.deepEqual([later.payment?.signature, later.payment?.createdSlot], ["later", 110]);
  const earlier = decide(later.state, anObservedPayment({}, { slot: 130 }), atHour(3), CHECKOUT_URL);
  assert.deepEqual([earlier.payment?.signature, earlier.payment?.createdSlot], ["later", 110]);
});

test("a step observed at `confirmed` is not final until the account says so from its slot on", () => {
  const bound = decideInTurn(anIntentState(), anObservedPayment({}, { finalized: true }));
  const disputed = { status: "disputed", disputedAt: atHour(2) } as const;
  const recorded = decide(bound.state, anObservedPayment(disputed, { slot: 150 }), atHour(3), CHECKOUT_URL);
  assert.deepEqual([recorded.payment?.finalized, recorded.payment?.changedSlot], [false, 150]);
  const early = decide(recorded.state, anObservedPayment({}, { slot: 140, finalized: true }), atHour(3), CHECKOUT_URL);
  assert.deepEqual([early.payment?.status, early.payment?.finalized], ["disputed", false]);
  const final = decide(
    recorded.state,
    anObservedPayment(disputed, { slot: 151, finalized: true }),
    atHour(3),
    CHECKOUT_URL,
  );
  assert.deepEqual([final.payment?.finalized, final.payment?.changedSlot, typesOf(final)], [true, null, []]);
});

test("§3.2.3 a payment found after its last step: every step has its event, in order", () => {
  const disputed = { status: "refunded", disputedAt: atHour(3), resolvedAt: atHour(4) } as const;
  const decision = decideInTurn(anIntentState(), anObservedPayment(disputed));
  assert.deepEqual(typesOf(decision), [
    "payment.protected",
    "payment_intent.paid",
    "payment.disputed",
    "payment.refunded",
  ]);
  const { status, disputedAt, refundedAt, settledAt } = decision.payment!;
  assert.deepEqual([status, disputedAt, refundedAt, settledAt], ["refunded", atHour(3), atHour(4), null]);
  assert.equal(decision.pendingEvents[0]?.object.status, '"protected"');
  assert.match(decision.pendingEvents[1]?.object.payment ?? "", /"status":"protected"/);
});

test("§3.2.6 an answer from an older slot changes nothing", () => {
  const state = decideInTurn(
    anIntentState(),
    anObservedPayment({ status: "disputed", disputedAt: atHour(3) }, { slot: 200 }),
  ).state;
  const older = decideInTurn(state, anObservedPayment({}, { slot: 199 }));
  assert.deepEqual([older.payment?.status, older.payment?.observedSlot, typesOf(older)], ["disputed", 200, []]);
});

// A payment's steps on chain, and reads of it in any order, as nodes that lag and overtake each other answer them.
const course = fc.record({
  disputed: fc.boolean(),
  end: fc.constantFrom("released" as const, "refunded" as const, null),
  reads: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 8 }),
});

test("§3.2.3, §3.2.6 in whatever order answers come, each step has at most one event, in order and ever later", () => {
  fc.assert(
    fc.property(course, ({ disputed, end, reads }) => {
      // Slot 100: protected; 101: disputed, if it is; 102: ended, if it does.
      const observedAt = (step: number) =>
        anObservedPayment(
          {
            status: step >= 2 && end !== null ? end : step >= 1 && disputed ? "disputed" : "protected",
            disputedAt: step >= 1 && disputed ? atHour(3) : null,
            resolvedAt: step >= 2 && end !== null ? atHour(4) : null,
          },
          { slot: 100 + step },
        );
      let state = anIntentState();
      const recorded: { type: string; occurredAt: Date }[] = [];
      for (const step of reads) {
        const decision = decide(state, observedAt(step), atHour(5), CHECKOUT_URL);
        state = decision.state;
        recorded.push(...decision.pendingEvents);
      }
      const newest = observedAt(Math.max(...reads)).payment;
      const [known] = state.payments;
      assert.equal(known?.status, newest.status);
      assert.equal(known?.observedSlot, 100 + Math.max(...reads));
      const types = recorded.map(({ type }) => type);
      const whole = [
        "payment.protected",
        "payment_intent.paid",
        ...(newest.disputedAt === null ? [] : ["payment.disputed"]),
        ...(newest.resolvedAt === null ? [] : [`payment.${newest.status}`]),
      ];
      assert.deepEqual(types, whole);
      recorded.reduce((last, { occurredAt }) => {
        assert.ok(occurredAt > last);
        return occurredAt;
      }, atHour(0));
      assert.equal(state.lastOccurredAt, recorded.at(-1)?.occurredAt);
    }),
  );
});
