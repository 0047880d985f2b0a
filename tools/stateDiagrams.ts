import type { ChainPayment } from "../server/chain/port.ts";
import { PAYMENT_OUTCOMES, type PaymentOutcome } from "../server/domain/terms.ts";
import { advance } from "../server/features/disputes/advance.ts";
import { type Dispute, SIDES } from "../server/features/disputes/dispute.ts";
import { aDispute, anOffer, OPENED_AT } from "../server/features/disputes/fixtures.ts";
import type { Happening } from "../server/features/disputes/happening.ts";
import { after, DAY_MS } from "../server/features/disputes/waits.ts";
import { atHour } from "../server/features/intents/fixtures.ts";
import { canCancel, type Intent, statusAt } from "../server/features/intents/intent.ts";
import { decide } from "../server/features/recording/decide/decision.ts";
import type { IntentState } from "../server/features/recording/decide/state.ts";
import { decideReversal } from "../server/features/recording/finality/reversal.ts";
import { anIntentState, anObservedPayment, CHECKOUT_URL } from "../server/features/recording/fixtures.ts";
import { type Action, act } from "../server/features/recording/testing/courses.ts";
import { DELIVERY_STEPS, ENDPOINT_STEPS } from "../server/features/webhooks/webhook.ts";
import type { Parts } from "./generatedPages.ts";

type Edge = readonly [from: string, to: string, label: string];
const START = "[*]";

/** Mermaid's text of a diagram: one arrow for each pair of states, with the labels of all its edges. */
function drawDiagram(edges: readonly Edge[]): string {
  const arrows = new Map<string, Set<string>>();
  for (const [from, to, label] of edges) {
    const arrow = `  ${from} --> ${to}`;
    if (from !== to) arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(label));
  }
  const lines = [...arrows].map(([arrow, labels]) => `${arrow}: ${[...labels].sort().join(", ")}`);
  return ["```mermaid", "stateDiagram-v2", ...lines.sort(), "```"].join("\n");
}

/** Visits every state that `next` leads to, each once by its key, and returns all edges. */
function walk<State>(
  first: State,
  keyOf: (state: State) => string,
  next: (state: State) => readonly { readonly state: State; readonly edge: Edge }[],
): Edge[] {
  const visited = new Set([keyOf(first)]);
  const edges: Edge[] = [];
  // The list grows while it is walked.
  const states = [first];
  for (const state of states) {
    for (const step of next(state)) {
      edges.push(step.edge);
      const key = keyOf(step.state);
      if (!visited.has(key)) states.push(step.state);
      visited.add(key);
      if (states.length > STATES_MAX) throw new Error(`A diagram has more than ${STATES_MAX} states to visit.`);
    }
  }
  return edges;
}
/** The walks visit up to a few hundred states; more means that a key tells too much apart. */
const STATES_MAX = 20_000;

/** The status of an intent by `statusAt`, `canCancel`, `decide` and `decideReversal`. */
function listIntentEdges(): Edge[] {
  const inTime = atHour(2);
  const past = atHour(30);
  const canceled = { status: "canceled", canceledAt: atHour(1) } as const;
  const unpaid: readonly (readonly [Partial<Intent>, Date])[] = [
    [{}, inTime],
    [{}, past],
    [{ status: "expired" }, past],
    [canceled, inTime],
  ];
  const edges: Edge[] = [[START, anIntentState().intent.status, "payment_intent.created"]];
  for (const [given, now] of unpaid) {
    const state = anIntentState(given);
    const from = statusAt(state.intent, now);
    edges.push([from, statusAt(state.intent, past), "expiresAt passes"]);
    if (canCancel(state.intent, now)) edges.push([from, "canceled", "payment_intent.canceled"]);
    for (const createdAt of [inTime, past].filter((time) => time <= now)) {
      const bound = decide(state, anObservedPayment({ createdAt }), now, CHECKOUT_URL);
      const event = bound.pendingEvents.find(({ type }) => type.startsWith("payment_intent."))!;
      edges.push([from, bound.state.intent.status, event.type], ...listReversalEdges(bound.state, now));
    }
  }
  return edges;
}

const listReversalEdges = (paid: IntentState, paidAt: Date): Edge[] =>
  [false, true].flatMap((expiredEventSent) =>
    [false, true].flatMap((referenceTaken) =>
      [paidAt, atHour(40)].map((now): Edge => {
        const context = { referenceTaken, expiredEventSent };
        const { intent } = decideReversal(paid, paid.payments[0]!, context, now, CHECKOUT_URL);
        return [paid.intent.status, statusAt(intent, now), "payment.reverted"];
      }),
    ),
  );

const ACTIONS: readonly Action[] = [
  ...(["dispute", "release", "pay_sender", "pay_recipient", "wait"] as const).map((kind) => ({ kind })),
  ...[0, 400, 1_000].flatMap((total) => (["refund", "resolve"] as const).map((kind) => ({ kind, total }))),
];
interface Course {
  readonly payment: ChainPayment;
  readonly now: Date;
  readonly slot: number;
  readonly state: IntentState;
}

/** The status of a payment: each action that the program allows, as `decide` records it. */
function listPaymentEdges(): Edge[] {
  const { payment } = anObservedPayment();
  const observe = (state: IntentState, shown: ChainPayment, slot: number, now: Date) =>
    decide(state, anObservedPayment(shown, { slot }), now, CHECKOUT_URL).state;
  const now = atHour(1);
  const first: Course = { payment, now, slot: 100, state: observe(anIntentState(), payment, 100, now) };
  const statusOf = ({ state }: Course) => state.payments[0]!.status;
  const keyOf = ({ payment, now }: Course) =>
    JSON.stringify([
      ...[payment.status, payment.outcome, payment.refundTotal, payment.amountRefunded, payment.amountReleased],
      ...[now > payment.protectionDeadline, now > atHour(24 * 95)],
    ]);
  const edges = walk(first, keyOf, (course) =>
    ACTIONS.flatMap((action) => {
      const now = after(course.now, action.kind === "wait" ? 100 * DAY_MS : 1_000);
      const payment = act(course.payment, action, now);
      if (payment === course.payment && action.kind !== "wait") return [];
      const slot = course.slot + 1;
      const next = { payment, now, slot, state: observe(course.state, payment, slot, now) };
      return [
        { state: next, edge: [statusOf(course), statusOf(next), payment.outcome ?? "payment.disputed"] as const },
      ];
    }),
  );
  return [[START, statusOf(first), "payment.protected"], ...edges];
}

/** Happenings of each kind at a time. A kind that is missing here does not compile. */
const HAPPENINGS: {
  readonly [Kind in Happening["kind"]]: (dispute: Dispute, now: Date) => readonly (Happening & { kind: Kind })[];
} = {
  reverted: () => [{ kind: "reverted" }],
  landed_again: (_, openedAt) => [{ kind: "landed_again", openedAt }],
  refund_bound: () => [{ kind: "refund_bound", refundTotal: "400" }],
  outcome_bound: (_, at) => PAYMENT_OUTCOMES.map((outcome) => ({ kind: "outcome_bound", outcome, at })),
  outcome_reverted: () => [{ kind: "outcome_reverted", isRuled: false }],
  // The memo of a ruling changes no status.
  ruled: () => [],
  paid_out: (_, at) => [{ kind: "paid_out", at }],
  clock: () => [{ kind: "clock" }],
  opening: () => [{ kind: "opening", reason: "other", requestedTotal: "400" }],
  statement: () => SIDES.map((side) => ({ kind: "statement", side })),
  file: () => SIDES.map((side) => ({ kind: "file", side })),
  offer: ({ offers }, now) =>
    SIDES.map((side) => ({
      kind: "offer",
      offer: anOffer({ id: `of-${offers.length}`, side, until: after(now, 3 * DAY_MS) }),
    })),
  offer_withdrawn: ({ offers }) =>
    SIDES.flatMap((side) => offers.map(({ id: offer }) => ({ kind: "offer_withdrawn", side, offer }))),
  offer_declined: ({ offers }) =>
    SIDES.flatMap((side) => offers.map(({ id: offer }) => ({ kind: "offer_declined", side, offer }))),
  offer_accepted: ({ offers }) =>
    SIDES.flatMap((side) => offers.map(({ id: offer }) => ({ kind: "offer_accepted", side, offer }))),
  arbiter_asked: () => SIDES.map((side) => ({ kind: "arbiter_asked", side })),
  question: () => [{ kind: "question", side: null }],
};

const nameOutcome = (outcome: PaymentOutcome): string => (outcome === "resolved" ? "resolved" : "any_other_outcome");

/** The status of a dispute by `advance`, for every happening in every state. */
function listDisputeEdges(): Edge[] {
  const keyOf = ({ dispute }: { readonly dispute: Dispute }) =>
    JSON.stringify([
      ...[dispute.status, dispute.resumesAs, dispute.decidingAt !== null, dispute.buyerAskedAt !== null],
      ...[dispute.merchantAskedAt !== null, dispute.agreement === null, dispute.agreement?.failedAt != null],
      dispute.offers
        .filter(({ status }) => status === "open")
        .map(({ side }) => side)
        .sort(),
    ]);
  const first = { dispute: aDispute(), now: after(OPENED_AT, 1_000) };
  const edges = walk(first, keyOf, ({ dispute, now }) =>
    Object.values(HAPPENINGS)
      .flatMap((list): readonly Happening[] => list(dispute, after(now, 1_000)))
      .flatMap((happening) => {
        // The clock acts when something is due; all else happens before that.
        const at = happening.kind === "clock" ? (dispute.nextAt ?? now) : after(now, 1_000);
        const advanced = advance(dispute, happening, at);
        if (!advanced.ok) return [];
        const label = happening.kind === "outcome_bound" ? nameOutcome(happening.outcome) : happening.kind;
        const edge = [dispute.status, advanced.dispute.status, label] as const;
        return [{ state: { dispute: advanced.dispute, now: at }, edge }];
      }),
  );
  return [[START, first.dispute.status, "payment.disputed"], ...edges];
}

const listSteps = (
  steps: Readonly<Record<string, { readonly from: readonly string[]; readonly to: string }>>,
): Edge[] => Object.entries(steps).flatMap(([name, { from, to }]) => from.map((status): Edge => [status, to, name]));

export const STATE_PARTS: Parts = {
  intent: () => drawDiagram(listIntentEdges()),
  payment: () => drawDiagram(listPaymentEdges()),
  dispute: () => drawDiagram(listDisputeEdges()),
  endpoint: () => drawDiagram([[START, "enabled", "added"], ...listSteps(ENDPOINT_STEPS)]),
  delivery: () => drawDiagram([[START, "pending", "event_recorded"], ...listSteps(DELIVERY_STEPS)]),
};
