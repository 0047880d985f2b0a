import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PendingEvent } from "../../events/event.ts";
import { atHour } from "../../intents/fixtures.ts";
import { anIntentState, anObservedPayment, CHECKOUT_URL, decideInTurn, typesOf } from "../fixtures.ts";
import { courses } from "../testing/courses.ts";
import { decide } from "./decision.ts";
import { continues } from "./steps.ts";

const REFUNDED = {
  status: "refunded",
  outcome: "resolved",
  refundTotal: "1000",
  amountRefunded: "1000",
  refundedAt: atHour(4),
} as const;

test("after a fork an account of other times or terms changes nothing until one of the two is final", () => {
  const bound = decideInTurn(anIntentState(), anObservedPayment());
  for (const other of [
    { createdAt: atHour(2), protectionDeadline: atHour(2 + 7 * 24) },
    { amount: "1" },
    { arbiter: "arbiter-2" },
    { termsHash: "00" },
    { amount: "1", ...REFUNDED, refundTotal: "1", amountRefunded: "1" },
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
  const decision = decideInTurn(anIntentState(), anObservedPayment({ ...REFUNDED, disputedAt: atHour(3) }));
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

test("§3.2.10 between a decision and its last part the status stays, the outcome is set, and nothing is settleable", () => {
  const split = { outcome: "resolved", refundTotal: "400", status: "disputed", disputedAt: atHour(3) } as const;
  const { state } = decideInTurn(anIntentState(), anObservedPayment({ status: "disputed", disputedAt: atHour(3) }));
  const ruled = decide(state, anObservedPayment(split, { slot: 101 }), atHour(5), CHECKOUT_URL);
  assert.deepEqual(typesOf(ruled), ["payment.decided"]);
  const [decided] = ruled.pendingEvents;
  const { status, outcome, refundTotal, settleable, resolveBy } = decided!.object;
  assert.deepEqual(
    [status, outcome, refundTotal, settleable, resolveBy],
    ['"disputed"', '"resolved"', '"400"', "false", "null"],
  );
  const oneLeft = { ...split, amountReleased: "600", settledAt: atHour(6) };
  const half = decide(ruled.state, anObservedPayment(oneLeft, { slot: 102 }), atHour(7), CHECKOUT_URL);
  assert.deepEqual([typesOf(half), half.payment?.amountReleased, half.payment?.status], [[], "600", "disputed"]);
  const both = { ...oneLeft, status: "released", amountRefunded: "400", refundedAt: atHour(8) } as const;
  const paid = decide(half.state, anObservedPayment(both, { slot: 103 }), atHour(9), CHECKOUT_URL);
  assert.deepEqual(typesOf(paid), ["payment.released"]);
  assert.deepEqual(
    [paid.payment?.status, paid.payment?.settledAt, paid.payment?.refundedAt],
    ["released", atHour(6), atHour(8)],
  );
  assert.equal(paid.pendingEvents[0]?.occurredAt.getTime(), atHour(8).getTime(), "when the last part left");
});

test("§6.5.6 a part that goes back while the rest stays protected is a partial refund, with its new total", () => {
  const { state } = decideInTurn(anIntentState(), anObservedPayment());
  const part = { refundTotal: "300", amountRefunded: "300", refundedAt: atHour(2) } as const;
  const one = decide(state, anObservedPayment(part, { slot: 101 }), atHour(3), CHECKOUT_URL);
  assert.deepEqual(typesOf(one), ["payment.partially_refunded"]);
  assert.deepEqual([one.payment?.status, one.payment?.refundedAt], ["protected", atHour(2)]);
  const more = { refundTotal: "500", amountRefunded: "500", refundedAt: atHour(4) } as const;
  const two = decide(one.state, anObservedPayment(more, { slot: 102 }), atHour(5), CHECKOUT_URL);
  const transitions = [one, two].flatMap(({ pendingEvents }) => pendingEvents.map(({ transition }) => transition));
  assert.deepEqual(transitions, ["payment.partially_refunded 300", "payment.partially_refunded 500"]);
  assert.equal(two.pendingEvents[0]?.before?.amountRefunded, '"300"');
});

test("§3.2.3 a refund before a dispute is announced before it, and a bound refund shows from the first event on", () => {
  const early = { refundTotal: "300", amountRefunded: "200", refundedAt: atHour(2) } as const;
  const decision = decideInTurn(
    anIntentState(),
    anObservedPayment({ ...early, status: "disputed", disputedAt: atHour(3) }),
  );
  assert.deepEqual(typesOf(decision), [
    ...["payment.protected", "payment_intent.paid"],
    ...["payment.partially_refunded", "payment.disputed"],
  ]);
  assert.equal(decision.pendingEvents[0]?.object.refundTotal, '"300"');
  assert.match(decision.pendingEvents[1]?.object.payment ?? "", /"refundTotal":"300"/);
});

for (const [what, earlier, found, types] of [
  [
    "a ruling that sent the sender's part is decided first, no later than the part left",
    {},
    { refundTotal: "400", amountRefunded: "400", refundedAt: atHour(4) },
    ["payment.decided", "payment.partially_refunded"],
  ],
  [
    "a part that left before the ruling bound more went back first",
    {},
    { refundTotal: "400", amountRefunded: "100", refundedAt: atHour(4) },
    ["payment.partially_refunded", "payment.decided"],
  ],
  [
    "a part that was bound before a ruling that added nothing went back first",
    { refundTotal: "400" },
    { refundTotal: "400", amountRefunded: "400", refundedAt: atHour(4) },
    ["payment.partially_refunded", "payment.decided"],
  ],
] as const)
  test(`§6.5.6 found in one look, ${what}`, () => {
    const disputed = { status: "disputed", disputedAt: atHour(3) } as const;
    const { state } = decideInTurn(anIntentState(), anObservedPayment({ ...disputed, ...earlier }));
    const ruled = anObservedPayment({ ...disputed, outcome: "resolved", ...found }, { slot: 101 });
    const decision = decide(state, ruled, atHour(9), CHECKOUT_URL);
    assert.deepEqual(typesOf(decision), types);
    const [first, second] = decision.pendingEvents.map(({ occurredAt }) => occurredAt.getTime());
    assert.equal(first, atHour(4).getTime());
    assert.equal(second, types[1] === "payment.decided" ? atHour(9).getTime() : atHour(4).getTime() + 1);
  });

test("§3.2.6 a later state of a payment continues every earlier one, and no earlier one continues it", () => {
  fc.assert(
    fc.property(courses, (states) => {
      for (const [at, earlier] of states.entries()) {
        const known = decideInTurn(anIntentState(), anObservedPayment(earlier)).payment!;
        for (const [later, state] of states.entries())
          assert.equal(continues(known, state), later >= at, `${at}, then ${later}`);
      }
    }),
  );
});

test("§3.2.3, §3.2.6 in whatever order answers come, each step has at most one event, in order and ever later", () => {
  const reads = fc.array(fc.nat(20), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(courses, reads, (states, places) => {
      const read = places.map((place) => place % states.length);
      let state = anIntentState();
      const recorded: PendingEvent[] = [];
      for (const at of read) {
        const observed = anObservedPayment(states[at]!, { slot: 100 + at });
        const decision = decide(state, observed, atHour(5_000), CHECKOUT_URL);
        assert.notEqual(decision.outcome, "undecided");
        state = decision.state;
        recorded.push(...decision.pendingEvents);
      }
      const newest = states[Math.max(...read)]!;
      const [known] = state.payments;
      for (const name of ["status", "outcome", "refundTotal", "amountRefunded", "amountReleased"] as const)
        assert.equal(known?.[name], newest[name], name);
      for (const name of ["disputedAt", "settledAt", "refundedAt"] as const)
        assert.deepEqual(known?.[name], newest[name], name);
      assert.equal(known?.observedSlot, 100 + Math.max(...read));

      const types = recorded.map(({ type }) => type);
      assert.deepEqual(types.slice(0, 2), ["payment.protected", "payment_intent.paid"]);
      const transitions = recorded.map(({ transition }) => transition);
      assert.equal(new Set(transitions).size, transitions.length, "no step twice");
      assert.equal(types.includes("payment.disputed"), newest.disputedAt !== null);
      const ends = types.filter((type) => type === "payment.released" || type === "payment.refunded");
      const isOver = newest.status === "released" || newest.status === "refunded";
      assert.deepEqual(ends, isOver ? [`payment.${newest.status}`] : []);
      assert.equal(isOver ? types.at(-1) : null, isOver ? ends[0] : null, "the end is the last");
      if (newest.outcome !== null && !isOver) assert.ok(transitions.includes(`payment.decided ${newest.outcome}`));
      for (const { object } of recorded.filter(({ type }) => type.startsWith("payment."))) {
        const amounts = [object.amountRefunded, object.refundTotal, object.amount].map((text) =>
          Number(text?.slice(1, -1)),
        );
        assert.ok(amounts[0]! <= amounts[1]! && amounts[1]! <= amounts[2]!, "refunded, bound, amount");
        assert.ok(object.outcome === "null" || object.settleable === "false", "nothing decided is settleable");
      }
      recorded.reduce((last, { occurredAt }) => {
        assert.ok(occurredAt > last);
        return occurredAt;
      }, atHour(0));
      assert.equal(state.lastOccurredAt, recorded.at(-1)?.occurredAt);
    }),
  );
});
