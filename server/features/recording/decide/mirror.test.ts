import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Mirror } from "../../../../tests/harness/mirror.ts";
import { showFields } from "../../../domain/show.ts";
import { draftEvent, type PendingEvent } from "../../events/event.ts";
import { atHour } from "../../intents/fixtures.ts";
import { showIntent } from "../../intents/intent.ts";
import { decideCorrection } from "../finality/correction.ts";
import { decideReversal } from "../finality/reversal.ts";
import { anIntentState, anObservedPayment, CHECKOUT_URL } from "../fixtures.ts";
import { courses } from "../testing/courses.ts";
import { decide } from "./decision.ts";
import type { IntentState, ObservedPayment } from "./state.ts";

const HOURS_MAX = 24 * 200;

type Check =
  | { readonly kind: "observe"; readonly payment: number; readonly at: number; readonly signed: boolean }
  | { readonly kind: "correct"; readonly payment: number; readonly at: number }
  | { readonly kind: "revert"; readonly payment: number; readonly referenceTaken: boolean }
  | { readonly kind: "mismatch"; readonly sender: number };

const payment = fc.nat(2);
const at = fc.nat(12);
const check: fc.Arbitrary<Check> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("observe" as const), payment, at, signed: fc.boolean() }) },
  fc.record({ kind: fc.constant("correct" as const), payment, at }),
  fc.record({ kind: fc.constant("revert" as const), payment, referenceTaken: fc.boolean() }),
  fc.record({ kind: fc.constant("mismatch" as const), sender: fc.nat(4) }),
);
const checks = fc.array(fc.tuple(check, fc.nat(200)), { minLength: 1, maxLength: 14 });

/** The state and events after a check. An impossible check changes nothing. */
function takeCheck(
  state: IntentState,
  one: Check,
  states: readonly ObservedPayment["payment"][],
  slot: number,
  now: Date,
): readonly [IntentState, readonly PendingEvent[]] {
  if (one.kind === "mismatch") {
    const wrong = { address: `wrong-${one.sender}`, sender: `wrong-${one.sender}`, amount: "1" };
    const made = decide(state, anObservedPayment(wrong, { slot }), now, CHECKOUT_URL);
    return [made.state, made.pendingEvents];
  }
  const address = `payment-${one.payment}`;
  const known = state.payments.find(({ id }) => id === address);
  if (one.kind === "observe") {
    const course = { ...states[one.at % states.length]!, address, sender: `sender-${one.payment}` };
    const made = decide(
      state,
      { ...anObservedPayment(course, { slot }), ...(one.signed ? {} : { signature: null, createdSlot: null }) },
      now,
      CHECKOUT_URL,
    );
    return [made.state, made.pendingEvents];
  }
  if (known === undefined) return [state, []];
  if (one.kind === "correct") {
    const course = { ...states[one.at % states.length]!, address, sender: known.sender };
    const made = decideCorrection(
      state,
      known,
      anObservedPayment(course, { slot, finalized: true }),
      now,
      CHECKOUT_URL,
    );
    return [made.state, made.pendingEvents];
  }
  const context = { referenceTaken: one.referenceTaken, expiredEventSent: false };
  const { promoted, intent, generation, announced, ...reversal } = decideReversal(
    state,
    known,
    context,
    now,
    CHECKOUT_URL,
  );
  const payments = state.payments
    .filter(({ id }) => id !== known.id)
    .map((other) => (other.id === promoted?.id ? promoted : other));
  const revertedGenerations = new Map([...state.revertedGenerations, [known.id, known.generation] as const]);
  const { lastOccurredAt } = reversal;
  return [
    { ...state, intent, generation, announced, payments, revertedGenerations, lastOccurredAt },
    reversal.pendingEvents,
  ];
}

const tenant = { businessId: "biz_1", environment: "test" } as const;

test("§6.6 previousAttributes compares with what the last event of the object showed, whatever moved without one", () => {
  let compared = 0;
  fc.assert(
    fc.property(courses, checks, (states, taken) => {
      let state = anIntentState();
      const mirror = new Mirror();
      const { intent } = state;
      const created = showFields(showIntent(intent, null, intent.createdAt, CHECKOUT_URL));
      mirror.take("payment_intent.created", { object: JSON.parse(created) });
      let hours = 1;
      for (const [index, [one, step]] of taken.entries()) {
        hours = Math.min(hours + step, HOURS_MAX);
        const [after, events] = takeCheck(state, one, states, 100 + index, atHour(hours));
        for (const event of events) {
          const { head, tail } = draftEvent(tenant, event, atHour(hours));
          mirror.take(event.type, JSON.parse(`${head}1${tail}`).data);
          compared++;
        }
        state = after;
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(compared > 1_000, `${compared} events`);
});
