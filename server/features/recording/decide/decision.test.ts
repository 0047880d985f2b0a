import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ChainPayment } from "../../../chain/port.ts";
import { PAYMENT_STATUSES, TERMS } from "../../../domain/terms.ts";
import type { Intent } from "../../intents/intent.ts";
import type { Payment } from "../../payments/payment.ts";
import { decideCorrection } from "../finality/correction.ts";
import { decideReversal } from "../finality/reversal.ts";
import { type Decision, decide, type IntentState, isPaidLate, lateReason, type ObservedPayment } from "./decision.ts";

const CREATED = Date.UTC(2026, 10, 20);
const HOUR_MS = 3_600_000;
/** Hours after the intent was made. It expires after 24. */
const at = (hours: number): Date => new Date(CREATED + hours * HOUR_MS);
const CHECKOUT = "https://pay.example";

const anIntent = (given: Partial<Intent> = {}): Intent => ({
  businessId: "biz_1",
  environment: "test",
  id: "pi_test_1",
  status: "requires_payment",
  recipient: "recipient",
  amount: "1000",
  asset: "asset",
  protectionPeriod: "sevenDays",
  merchantReference: "order-1",
  metadata: "{}",
  paymentId: "42",
  createdAt: at(0),
  expiresAt: at(24),
  canceledAt: null,
  ...given,
});

const anIntentState = (intent: Partial<Intent> = {}, given: Partial<IntentState> = {}): IntentState => ({
  intent: anIntent(intent),
  generation: 1,
  mismatchCount: 0,
  lastOccurredAt: at(0),
  payments: [],
  ...given,
});

const anObservedPayment = (
  payment: Partial<ChainPayment> = {},
  given: Partial<ObservedPayment> = {},
): ObservedPayment => ({
  payment: {
    address: "payment-1",
    operator: "operator",
    sender: "sender-1",
    paymentId: "42",
    tokenProgram: "token",
    decimals: 6,
    recipient: "recipient",
    amount: "1000",
    asset: "asset",
    protectionPeriod: "sevenDays",
    status: "protected",
    createdAt: at(1),
    protectionDeadline: at(1 + 7 * 24),
    disputedAt: null,
    resolvedAt: null,
    outcome: null,
    ...payment,
  },
  slot: 100,
  finalized: false,
  signature: "signature-1",
  createdSlot: 100,
  ...given,
});

const typesOf = ({ pendingEvents }: Pick<Decision, "pendingEvents">): string[] => pendingEvents.map(({ type }) => type);
const seeing = (state: IntentState, ...observed: readonly ObservedPayment[]): Decision => {
  const decisions: Decision[] = [];
  for (const one of observed) decisions.push(decide(decisions.at(-1)?.state ?? state, one, at(2), CHECKOUT));
  return decisions.at(-1)!;
};
const second = (payment: Partial<ChainPayment> = {}) =>
  anObservedPayment({ address: "payment-2", sender: "sender-2", ...payment }, { signature: "signature-2" });

for (const [what, intent, primaryAt, paidAt, now, reason] of [
  ["in time", {}, null, 1, 2, null],
  ["in the last moment", {}, null, 24, 24, null],
  ["after it expired", {}, null, 25, 26, "paid_after_expiry"],
  ["in time and found after it expired", {}, null, 23, 25, "found_after_expiry"],
  ["after it was canceled", { status: "canceled", canceledAt: at(2) }, null, 3, 4, "paid_after_cancel"],
  [
    "before it was canceled and found after",
    { status: "canceled", canceledAt: at(2) },
    null,
    1,
    4,
    "found_after_cancel",
  ],
  [
    "after it was canceled and would have expired",
    { status: "canceled", canceledAt: at(2) },
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
    { status: "paid", canceledAt: at(2) },
    3,
    4,
    5,
    "paid_after_cancel",
  ],
] as const satisfies readonly (readonly [string, Partial<Intent>, number | null, number, number, string | null])[])
  test(`contract §3 paid ${what}: ${reason ?? "not late"}`, () => {
    const primary = primaryAt === null ? null : ({ createdAt: at(primaryAt) } as Payment);
    assert.equal(lateReason(anIntent(intent), primary, at(paidAt), at(now)), reason);
  });

test("contract §7 .paid_late for all reasons but found_after_expiry, which was paid in time", () => {
  for (const [reason, late] of [
    [null, false],
    ["found_after_expiry", false],
    ["paid_after_expiry", true],
    ["paid_after_cancel", true],
    ["found_after_cancel", true],
  ] as const)
    assert.equal(isPaidLate(reason), late);
});

test("§3 the first matching payment is bound as primary, and told of with its intent", () => {
  const bound = seeing(anIntentState(), anObservedPayment());
  assert.deepEqual([bound.outcome, bound.payment?.role, bound.state.intent.status], ["bound", "primary", "paid"]);
  assert.deepEqual(typesOf(bound), ["payment.protected", "payment_intent.paid"]);
  const [, paid] = bound.pendingEvents;
  assert.equal(paid?.object.status, '"paid"');
  assert.equal(paid?.before?.status, '"requires_payment"');
  assert.equal(paid?.before?.payment, "null");
});

test("§3 a later one is a duplicate, and the intent stays as it is", () => {
  const bound = seeing(anIntentState(), anObservedPayment());
  const decision = seeing(bound.state, second());
  assert.deepEqual([decision.outcome, decision.payment?.role], ["duplicate", "duplicate"]);
  assert.deepEqual(typesOf(decision), ["payment.protected", "payment_intent.duplicate_payment"]);
  assert.deepEqual(decision.state.intent, bound.state.intent);
});

test("§3 one that is recorded already tells nothing new", () => {
  const again = seeing(anIntentState(), anObservedPayment(), anObservedPayment({}, { slot: 101, finalized: true }));
  assert.deepEqual([again.outcome, typesOf(again), again.payment?.finalized], ["already_recorded", [], true]);
  assert.equal(again.state.payments.length, 1);
});

test("after a fork an account of other times or terms changes nothing until one of the two is final", () => {
  const bound = seeing(anIntentState(), anObservedPayment());
  for (const other of [
    { createdAt: at(2), protectionDeadline: at(2 + 7 * 24) },
    { amount: "1" },
    { amount: "1", status: "refunded", resolvedAt: at(3) },
  ] as const) {
    const observed = anObservedPayment(other, { slot: 200, finalized: true, signature: "other" });
    const decision = decide(bound.state, observed, at(3), CHECKOUT);
    assert.deepEqual([decision.outcome, typesOf(decision)], ["undecided", []]);
    assert.deepEqual(decision.payment, { ...bound.payment, checkedAt: at(3) });
  }
});

test("a final payment that its account contradicts is looked at again at `finalized`, as is one told of just now", () => {
  const disputed = { status: "disputed", disputedAt: at(2) } as const;
  const { state } = seeing(anIntentState(), anObservedPayment(disputed, { finalized: true }));
  const older = decide(state, anObservedPayment({}, { slot: 99 }), at(3), CHECKOUT);
  assert.deepEqual([older.payment?.finalized, older.payment?.changedSlot], [true, null]);
  const newer = decide(state, anObservedPayment({}, { slot: 200 }), at(3), CHECKOUT);
  assert.deepEqual(
    [newer.payment?.status, newer.payment?.finalized, newer.payment?.changedSlot],
    ["disputed", false, 200],
  );
  const again = decide(newer.state, anObservedPayment(disputed, { slot: 210, finalized: true }), at(3), CHECKOUT);
  assert.deepEqual([again.payment?.finalized, again.payment?.changedSlot, typesOf(again)], [true, null, []]);
});

test("§2.2 the signature is that of the transaction that made the account, whichever fork it is of", () => {
  const bound = seeing(anIntentState(), anObservedPayment());
  const later = decide(
    bound.state,
    anObservedPayment({}, { slot: 120, signature: "later", createdSlot: 110 }),
    at(3),
    CHECKOUT,
  );
  assert.deepEqual([later.payment?.signature, later.payment?.createdSlot], ["later", 110]);
  const earlier = decide(later.state, anObservedPayment({}, { slot: 130 }), at(3), CHECKOUT);
  assert.deepEqual([earlier.payment?.signature, earlier.payment?.createdSlot], ["later", 110]);
});

test("a step observed at `confirmed` is not final until the account says so from its slot on", () => {
  const bound = seeing(anIntentState(), anObservedPayment({}, { finalized: true }));
  const disputed = { status: "disputed", disputedAt: at(2) } as const;
  const told = decide(bound.state, anObservedPayment(disputed, { slot: 150 }), at(3), CHECKOUT);
  assert.deepEqual([told.payment?.finalized, told.payment?.changedSlot], [false, 150]);
  const early = decide(told.state, anObservedPayment({}, { slot: 140, finalized: true }), at(3), CHECKOUT);
  assert.deepEqual([early.payment?.status, early.payment?.finalized], ["disputed", false]);
  const final = decide(told.state, anObservedPayment(disputed, { slot: 151, finalized: true }), at(3), CHECKOUT);
  assert.deepEqual([final.payment?.finalized, final.payment?.changedSlot, typesOf(final)], [true, null, []]);
});

test("a correction begins a new life: protected, then every step the final account has", () => {
  const released = { status: "released", resolvedAt: at(2) } as const;
  const { state } = seeing(anIntentState(), anObservedPayment(released));
  const known = state.payments[0]!;
  const refunded = { status: "refunded", disputedAt: at(2), resolvedAt: at(3) } as const;
  const observed = anObservedPayment(refunded, { slot: 400, finalized: true });
  const { payment, pendingEvents } = decideCorrection(state, known, observed, at(4));
  assert.deepEqual(typesOf({ pendingEvents }), ["payment.protected", "payment.disputed", "payment.refunded"]);
  assert.deepEqual(
    pendingEvents.map(({ generation }) => generation),
    [2, 2, 2],
  );
  assert.equal(pendingEvents[0]?.before?.status, '"released"');
  assert.deepEqual(
    [payment.status, payment.settledAt, payment.refundedAt, payment.finalized, payment.generation],
    ["refunded", null, at(3), true, 2],
  );
});

test("§4.5.3 a payment that differs in any term is not bound", () => {
  for (const term of TERMS) {
    const other = term === "protectionPeriod" ? { protectionPeriod: "oneHour" as const } : { [term]: "999" };
    const decision = seeing(anIntentState(), anObservedPayment(other));
    assert.deepEqual([decision.outcome, decision.mismatch, decision.payment], ["mismatch", [term], null]);
    assert.deepEqual(typesOf(decision), ["payment_intent.payment_mismatch"]);
    assert.deepEqual(decision.state.payments, []);
    assert.equal(decision.pendingEvents[0]?.extra?.mismatch, JSON.stringify([term]));
    assert.equal(JSON.parse(decision.pendingEvents[0]!.extra!.observed!).sender, "sender-1");
  }
});

test("contract §7 three mismatches are told of an intent, not a fourth", () => {
  const wrong = Array.from({ length: 5 }, (_, index) =>
    anObservedPayment({ address: `p${index}`, sender: `s${index}`, amount: "1" }),
  );
  let state = anIntentState();
  const told = wrong.map((observed) => {
    const decision = seeing(state, observed);
    state = decision.state;
    return typesOf(decision).length;
  });
  assert.deepEqual([told, state.mismatchCount], [[1, 1, 1, 0, 0], 3]);
});

test("contract §4 a payment found when its life is over: every step is told, in order", () => {
  const disputed = { status: "refunded", disputedAt: at(3), resolvedAt: at(4) } as const;
  const decision = seeing(anIntentState(), anObservedPayment(disputed));
  assert.deepEqual(typesOf(decision), [
    "payment.protected",
    "payment_intent.paid",
    "payment.disputed",
    "payment.refunded",
  ]);
  const { status, disputedAt, refundedAt, settledAt } = decision.payment!;
  assert.deepEqual([status, disputedAt, refundedAt, settledAt], ["refunded", at(3), at(4), null]);
  assert.equal(decision.pendingEvents[0]?.object.status, '"protected"');
  assert.match(decision.pendingEvents[1]?.object.payment ?? "", /"status":"protected"/);
});

test("contract §6.3 an answer from an older slot changes nothing", () => {
  const state = seeing(
    anIntentState(),
    anObservedPayment({ status: "disputed", disputedAt: at(3) }, { slot: 200 }),
  ).state;
  const older = seeing(state, anObservedPayment({}, { slot: 199 }));
  assert.deepEqual([older.payment?.status, older.payment?.observedSlot, typesOf(older)], ["disputed", 200, []]);
});

// A payment's life on chain, and looks at it in any order, as nodes that lag and overtake each other give them.
const life = fc.record({
  disputed: fc.boolean(),
  end: fc.constantFrom("released" as const, "refunded" as const, null),
  looks: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 8 }),
});

test("contract §4 however the looks come, each step is told at most once, in order and ever later", () => {
  fc.assert(
    fc.property(life, ({ disputed, end, looks }) => {
      // Slot 100: protected; 101: disputed, if it is; 102: ended, if it does.
      const observedAt = (step: number) =>
        anObservedPayment(
          {
            status: step >= 2 && end !== null ? end : step >= 1 && disputed ? "disputed" : "protected",
            disputedAt: step >= 1 && disputed ? at(3) : null,
            resolvedAt: step >= 2 && end !== null ? at(4) : null,
          },
          { slot: 100 + step },
        );
      let state = anIntentState();
      const told: { type: string; occurredAt: Date }[] = [];
      for (const look of looks) {
        const decision = decide(state, observedAt(look), at(5), CHECKOUT);
        state = decision.state;
        told.push(...decision.pendingEvents);
      }
      const newest = observedAt(Math.max(...looks)).payment;
      const [known] = state.payments;
      assert.equal(known?.status, newest.status);
      assert.equal(known?.observedSlot, 100 + Math.max(...looks));
      const types = told.map(({ type }) => type);
      const whole = [
        "payment.protected",
        "payment_intent.paid",
        ...(newest.disputedAt === null ? [] : ["payment.disputed"]),
        ...(newest.resolvedAt === null ? [] : [`payment.${newest.status}`]),
      ];
      assert.deepEqual(types, whole);
      told.reduce((last, { occurredAt }) => {
        assert.ok(occurredAt > last);
        return occurredAt;
      }, at(0));
      assert.equal(state.lastOccurredAt, told.at(-1)?.occurredAt);
    }),
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
        const over = status === "released" || status === "refunded";
        let state = anIntentState();
        for (const { who, amount, slot } of all) {
          const known = state.payments.some((payment) => payment.id === `payment-${who}`);
          const observedNow = anObservedPayment(
            {
              address: `payment-${who}`,
              sender: `sender-${who}`,
              // A payment that exists never changes its terms.
              amount: known ? "1000" : amount,
              status,
              disputedAt: status === "disputed" ? at(3) : null,
              resolvedAt: over ? at(4) : null,
            },
            { slot },
          );
          state = decide(state, observedNow, at(5), CHECKOUT).state;
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

const NOTHING_ELSE = { referenceTaken: false, expiredEventSent: false };
const reversal = (state: IntentState, circumstances = NOTHING_ELSE, now = at(3)) =>
  decideReversal(state, state.payments[0]!, circumstances, now, CHECKOUT);

test("contract §3 a reverted payment leaves its intent as its times give: open again, with its reference", () => {
  const { state } = seeing(anIntentState(), anObservedPayment());
  const reverted = reversal(state);
  assert.deepEqual(typesOf(reverted), ["payment.reverted"]);
  assert.deepEqual([reverted.intent.status, reverted.reopened, reverted.promoted], ["requires_payment", true, null]);
  assert.equal(reverted.generation, 2, "the next .paid is a new event");
  assert.ok(reverted.lastOccurredAt > state.lastOccurredAt);
});

test("contract §3 reverted after its intent has expired: expired again if that was told, else still to be told", () => {
  const { state } = seeing(anIntentState(), anObservedPayment());
  const later = reversal(state, NOTHING_ELSE, at(30));
  assert.deepEqual([later.intent.status, later.reopened], ["requires_payment", false]);
  const told = reversal(state, { referenceTaken: true, expiredEventSent: true }, at(30));
  assert.deepEqual([told.intent.status, told.reopened, typesOf(told)], ["expired", false, ["payment.reverted"]]);
});

test("contract §3 reverted after its intent was canceled: canceled again, and not told twice", () => {
  const { state } = seeing(
    anIntentState({ status: "canceled", canceledAt: at(1) }),
    anObservedPayment({ createdAt: at(2) }),
  );
  const reverted = reversal(state);
  assert.deepEqual([reverted.intent.status, reverted.intent.canceledAt], ["canceled", at(1)]);
  assert.deepEqual([typesOf(reverted), reverted.reopened], [["payment.reverted"], false]);
});

test("contract §3 reverted while another intent holds the reference: canceled now, and told", () => {
  const { state } = seeing(anIntentState(), anObservedPayment());
  const reverted = reversal(state, { referenceTaken: true, expiredEventSent: false });
  assert.deepEqual(typesOf(reverted), ["payment.reverted", "payment_intent.canceled"]);
  assert.deepEqual([reverted.intent.status, reverted.intent.canceledAt], ["canceled", at(3)]);
  assert.equal(reverted.pendingEvents[1]?.generation, 2);
});

test("contract §3 reverted with a duplicate waiting: the oldest takes its place, and is told of by its own lateness", () => {
  for (const [paidAt, type] of [
    [2, "payment_intent.paid"],
    [25, "payment_intent.paid_late"],
  ] as const) {
    const first = paidAt === 25 ? anObservedPayment({ createdAt: at(25) }) : anObservedPayment();
    const third = anObservedPayment({ address: "payment-3", sender: "sender-3" });
    const { state } = seeing(anIntentState(), first, second({ createdAt: at(paidAt) }), third);
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

test("contract §3 a reverted duplicate leaves the intent and its primary alone", () => {
  const { state } = seeing(anIntentState(), anObservedPayment(), second());
  const reverted = decideReversal(state, state.payments[1]!, NOTHING_ELSE, at(3), CHECKOUT);
  assert.deepEqual([typesOf(reverted), reverted.intent, reverted.generation], [["payment.reverted"], state.intent, 1]);
});
