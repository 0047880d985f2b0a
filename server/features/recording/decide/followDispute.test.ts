import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isPaidOut } from "../../../chain/acts.ts";
import type { ChainPayment } from "../../../chain/port.ts";
import { atHour } from "../../intents/fixtures.ts";
import { decideCorrection } from "../finality/correction.ts";
import { pauseDispute } from "../finality/reversal.ts";
import { anIntentState, anObservedPayment, CHECKOUT_URL, typesOf } from "../fixtures.ts";
import { courses } from "../testing/courses.ts";
import { decide } from "./decision.ts";
import { followDispute } from "./followDispute.ts";
import type { IntentState, ObservedPayment } from "./state.ts";

const NOW = atHour(10);
const follow = (state: IntentState, observed: ObservedPayment) =>
  followDispute(state, decide(state, observed, NOW, CHECKOUT_URL), NOW);
const disputeOf = (state: IntentState) => [...state.disputes.values()][0] ?? null;

const DISPUTED = { status: "disputed", disputedAt: atHour(3) } as const;

test("§4.18.1 a dispute on chain opens one here, right behind the event of the payment", () => {
  const bound = follow(anIntentState(), anObservedPayment());
  assert.equal(disputeOf(bound.state), null);
  const disputed = follow(bound.state, anObservedPayment(DISPUTED, { slot: 101 }));
  assert.deepEqual(typesOf(disputed), ["payment.disputed", "dispute.opened"]);
  const dispute = disputeOf(disputed.state)!;
  assert.deepEqual([dispute.status, dispute.turn, dispute.openedAt], ["talking", "merchant", atHour(3)]);
  const [payment, opened] = disputed.pendingEvents;
  assert.ok(opened!.occurredAt > payment!.occurredAt);
  assert.deepEqual(disputed.state.lastOccurredAt, opened!.occurredAt);
  assert.equal(opened!.object.status, '"talking"');
  const again = follow(disputed.state, anObservedPayment(DISPUTED, { slot: 102 }));
  assert.deepEqual(typesOf(again), [], "a second look changes nothing");
});

test("§4.18.2 a ruling that is found with its payout is opened, decided and closed", () => {
  const ruled = {
    ...DISPUTED,
    status: "refunded",
    outcome: "resolved",
    refundTotal: "1000",
    amountRefunded: "1000",
    refundedAt: atHour(4),
  } as const;
  const found = follow(anIntentState(), anObservedPayment(ruled));
  assert.deepEqual(typesOf(found).slice(-3), ["dispute.opened", "dispute.decided", "dispute.closed"]);
  assert.deepEqual(disputeOf(found.state)!.closedAt, atHour(4));
});

test("§4.18.2 a release behind a refund ends the dispute when it is read, not when the refund left", () => {
  const part = { ...DISPUTED, refundTotal: "400", amountRefunded: "400", refundedAt: atHour(4) } as const;
  const { state } = follow(anIntentState(), anObservedPayment(part));
  const released = { ...part, outcome: "released_by_sender" } as const;
  const held = follow(state, anObservedPayment(released, { slot: 101 }));
  assert.deepEqual(disputeOf(held.state)!.closedAt, NOW, "the shop's part has yet to leave");
});

test("§4.18.7 a reverted payment pauses its dispute, in the last of the events", () => {
  const { state } = follow(anIntentState(), anObservedPayment(DISPUTED));
  const payment = state.payments[0]!;
  const reversal = {
    ...{ payment, intent: state.intent, promoted: null, reopened: true, generation: 2, announced: null },
    ...{ lastOccurredAt: state.lastOccurredAt, pendingEvents: [] },
  };
  const paused = pauseDispute(state, reversal, NOW);
  assert.deepEqual(
    paused.disputes.map(({ after }) => after.status),
    ["paused"],
  );
  assert.deepEqual(typesOf(paused.reversal), ["dispute.updated"]);
  assert.deepEqual(paused.reversal.lastOccurredAt, paused.reversal.pendingEvents[0]!.occurredAt);
});

test("§4.18.7 a dispute whose opening a fork took closes with its payment, once; and is open again if that end reverts", () => {
  const open = { disputedAt: null, status: "protected" } as const;
  const ended = {
    ...open,
    status: "released",
    outcome: "settled",
    amountReleased: "1000",
    settledAt: atHour(4),
  } as const;
  let { state } = follow(anIntentState(), anObservedPayment(DISPUTED));
  let slot = 400;
  const correct = (final: Partial<ChainPayment>) => {
    const observed = anObservedPayment(final, { slot: ++slot, finalized: true });
    const effect = followDispute(state, decideCorrection(state, state.payments[0]!, observed, NOW, CHECKOUT_URL), NOW);
    state = effect.state;
    const { status, closedAt } = disputeOf(state)!;
    return [status, closedAt, typesOf(effect).filter((type) => type.startsWith("dispute.")).length];
  };
  assert.deepEqual(correct(open), ["paused", null, 1]);
  assert.deepEqual(correct(ended), ["closed", atHour(4), 1]);
  assert.deepEqual(correct(ended), ["closed", atHour(4), 0]);
  assert.deepEqual(correct(open), ["paused", null, 1]);
  assert.deepEqual(correct(DISPUTED).slice(0, 2), ["talking", null]);
});

test("§4.18.1 a release that a fork replaces by a dispute opens one here; one that was over before there were any here, none", () => {
  const released = { status: "released", outcome: "settled", amountReleased: "1000", settledAt: atHour(4) } as const;
  const correctTo = (from: IntentState, final: Partial<ChainPayment>) => {
    const observed = anObservedPayment(final, { slot: 400, finalized: true });
    return followDispute(from, decideCorrection(from, from.payments[0]!, observed, NOW, CHECKOUT_URL), NOW);
  };
  const { state } = follow(anIntentState(), anObservedPayment(released));
  assert.ok(typesOf(correctTo(state, DISPUTED)).includes("dispute.opened"));
  const over = { ...released, disputedAt: atHour(3), outcome: "resolved" } as const;
  const old = { ...follow(anIntentState(), anObservedPayment(over)).state, disputes: new Map() };
  assert.deepEqual(typesOf(follow(old, anObservedPayment(over, { slot: 200, finalized: true }))), []);
});

/** The statuses of a dispute that the payment's state allows. */
function allowed({ disputedAt, outcome, status }: ChainPayment): readonly string[] {
  if (disputedAt === null) return [isPaidOut({ status }) ? "closed" : "paused", "none"];
  if (isPaidOut({ status })) return ["closed"];
  if (outcome === null) return ["talking", "deciding", "agreed"];
  return [outcome === "resolved" ? "decided" : "closed"];
}

test("§4.18.2 whatever the chain shows, and whatever a fork takes back, each dispute is in the chain's state", () => {
  fc.assert(
    fc.property(courses, courses, fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }), (one, other, picks) => {
      let state = anIntentState();
      let slot = 100;
      const versions: number[] = [];
      const take = (effect: {
        readonly state: IntentState;
        readonly pendingEvents: readonly { type: string; generation: number }[];
      }) => {
        state = effect.state;
        for (const { type, generation } of effect.pendingEvents)
          if (type.startsWith("dispute.")) versions.push(generation);
      };
      for (const pick of picks) {
        const course = pick % 3 === 0 ? other : one;
        const payment = { ...course[pick % course.length]! };
        slot += 10;
        const observed = anObservedPayment(payment, { slot, finalized: true });
        const known = state.payments.find(({ id }) => id === payment.address);
        if (known === undefined) take(follow(state, observed));
        else if (known.createdAt.getTime() === payment.createdAt.getTime())
          take(followDispute(state, decideCorrection(state, known, observed, NOW, CHECKOUT_URL), NOW));
        else continue;
        const status = state.disputes.get(payment.address)?.status ?? "none";
        assert.ok(allowed(payment).includes(status), `${status} of ${JSON.stringify(payment)}`);
      }
      assert.deepEqual(
        versions,
        versions.map((_, index) => index + 1),
        "each change has its event",
      );
    }),
    { numRuns: 400 },
  );
});
