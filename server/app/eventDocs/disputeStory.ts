import { advance, draftDispute } from "../../features/disputes/advance.ts";
import { DISPUTE_MEMBERS, type Dispute, draftDisputeEvent } from "../../features/disputes/dispute.ts";
import type { Happening } from "../../features/disputes/happening.ts";
import { examplesOf } from "../../lib/columns.ts";

const EXAMPLES = examplesOf(DISPUTE_MEMBERS);
const OPENED_AT = new Date(EXAMPLES.openedAt);
const AMOUNT = "5000000";

const minutes = (count: number) => new Date(OPENED_AT.getTime() + count * 60_000);
const RULED_AT = minutes(1_810);
const TOTAL = "2000000";

const OPENED = draftDispute(
  {
    businessId: "",
    environment: "test",
    payment: EXAMPLES.payment,
    intentId: EXAMPLES.intentId,
    merchantReference: EXAMPLES.merchantReference,
    amount: AMOUNT,
  },
  { id: EXAMPLES.id, openedAt: OPENED_AT, refundTotal: "0" },
  new Date(EXAMPLES.createdAt),
);

/** A dispute from its opening to its end, as the service plays it. */
const STORY: readonly (readonly [at: Date, happening: Happening])[] = [
  [minutes(4), { kind: "opening", reason: "not_received", requestedTotal: AMOUNT }],
  [minutes(340), { kind: "statement", side: "merchant" }],
  [minutes(350), { kind: "arbiter_asked", side: "merchant" }],
  [minutes(360), { kind: "arbiter_asked", side: "buyer" }],
  [
    RULED_AT,
    {
      kind: "ruled",
      ruling: {
        businessId: "",
        disputeId: EXAMPLES.id,
        signature: "3x7EDKg3oouSwsZPn3zRkJLFZBAAMWMu4BCeuJSpu6nHcegz8xGt2F34CqTHK2mX5USKQhnRjChvMAfEAmSH9SYT",
        slot: 412_000_000,
        arbiter: "DzQqdrkK853LubQ1BL36abHiQ5GpgLQWPTwQ72cHRPau",
        total: TOTAL,
        memo: "record",
        decisionId: "dd",
        offerId: null,
        sha256: "6b1e08fe78beda3c56d35aef8db5d6c5f6f9d6a0f3f1b2c4d5e6f708192a3b4c",
        ruledAt: RULED_AT,
      },
    },
  ],
  [RULED_AT, { kind: "refund_bound", refundTotal: TOTAL }],
  [RULED_AT, { kind: "outcome_bound", outcome: "resolved", at: RULED_AT }],
  [minutes(1_811), { kind: "paid_out", at: minutes(1_811) }],
];

/** The event of a step of the story, in the order of the steps: the opening is the first. */
function play(): readonly { readonly type: string; readonly data: object }[] {
  let dispute = OPENED;
  const events = [showEvent(null, dispute, dispute.createdAt)];
  for (const [at, happening] of STORY) {
    const advanced = advance(dispute, happening, at);
    if (!advanced.ok) throw new Error(`The example is refused: ${happening.kind}, ${advanced.reason}.`);
    events.push(showEvent(dispute, advanced.dispute, at));
    dispute = advanced.dispute;
  }
  return events;
}

function showEvent(before: Dispute | null, after: Dispute, at: Date) {
  const { type, object, before: earlier } = draftDisputeEvent(before, after, new Date(0), at);
  const changed = Object.entries(earlier ?? {}).filter(([name, text]) => object[name] !== text);
  const parsed = (fields: readonly (readonly [string, string])[]) =>
    Object.fromEntries(fields.map(([name, text]) => [name, JSON.parse(text)]));
  return {
    type,
    data: {
      object: parsed(Object.entries(object)),
      ...(changed.length === 0 ? {} : { previousAttributes: parsed(changed) }),
    },
  };
}

const EVENTS = play();

/** The first event of a type: what the buyer says first is the example of `dispute.updated`. Undefined for other objects. */
export const dataOfDispute = (type: string) => EVENTS.find((event) => event.type === type);
