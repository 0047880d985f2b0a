import { Type } from "typebox";
import { CONFLICTS_OF_INTEREST, type ConflictOfInterest } from "../../../domain/errors.ts";
import { idKind } from "../../../domain/ids.ts";
import { PART_AMOUNT } from "../../../domain/money.ts";
import { ENVIRONMENTS } from "../../../domain/terms.ts";
import { ADDRESS, column, oneOf, TIME } from "../../../domain/values.ts";
import { type Components, declarations } from "../../../edge/http/declaration.ts";
import { field, optional, requestBody } from "../../../edge/http/fields.ts";
import { part, shownObject } from "../../../edge/http/objects.ts";
import { pageParameters, parameter, type QueryValues } from "../../../edge/http/parameters.ts";
import { answer, component, listAnswer, listOf } from "../../../edge/http/schemas.ts";
import { digits, integer, json, nullable, pick, text, time, word } from "../../../lib/columns.ts";
import { CLUSTER_NAMES, type Cluster } from "../../chains/chain.ts";
import { PAYMENT_EXAMPLES, PAYMENTS } from "../../payments/payment.ts";
import { DISPUTE_MEMBERS, DISPUTE_STATUSES, SIDES } from "../dispute.ts";
import { statementField, WITH_TEXTS_MEMBERS } from "../schema.ts";
import { SHOWN_WARNINGS, type Warning } from "./desk.ts";

const EXAMPLE_USER = "usr_01a1fc2d04b26aa1dfb6bc9487e1991e";
const user = (says: string) =>
  part(
    { id: word({ says: "The user's id.", example: EXAMPLE_USER }), name: text({ says: "The name.", example: "Jo" }) },
    says,
  );
const tokens = (says: string) =>
  digits("numeric", { says, example: "5000000", schema: { pattern: PART_AMOUNT.source } });

/** The members that the desk adds to a dispute, in its list and by itself. */
const DESK_MEMBERS = {
  business: part(
    {
      id: word({ says: "The business's id.", example: "biz_01a1fc06b1cd6aa165e96a8ab2d2e7fc" }),
      name: text({ says: "Its name.", example: "Fernweh Coffee" }),
    },
    "The business.",
  ),
  total: tokens("The amount of the payment, in the token's smallest unit."),
  asset: column(ADDRESS, { says: "The token's mint.", example: PAYMENT_EXAMPLES.asset }),
  symbol: nullable(word({ says: "The token's symbol, of a well-known token." })),
  decimals: nullable(integer({ says: "The token's decimals; null while they are unknown." })),
  warning: word<Warning | "none">({
    of: SHOWN_WARNINGS,
    says: "The gravest date that is near: a decision is due within three days or overdue, or the lapse on chain is 30, 7 or 1 days away or past. In order: `lapsed`, `resolve_1`, `resolve_7`, `overdue`, `resolve_30`, `due_soon`.",
    example: "none",
  }),
  heldBy: nullable(user("The arbiter who holds the dispute; null if nobody does.")),
  conflict: nullable(
    word<ConflictOfInterest>({
      of: CONFLICTS_OF_INTEREST,
      says: "Why you may not decide the dispute; null if you may.",
    }),
  ),
};

const ROW = shownObject(
  "desk_dispute_row",
  {
    ...pick(DISPUTE_MEMBERS, "id", "environment", "payment", "merchantReference", "status", "reason", "requestedTotal"),
    ...pick(DISPUTE_MEMBERS, "openedAt", "turn", "answerBy", "questionUntil", "decideBy", "resolveBy", "closedAt"),
    agreedUntil: nullable(
      time({ says: "The time until which both sides can carry out their agreement; null while none holds." }),
    ),
    ...DESK_MEMBERS,
  },
  "A dispute in the arbiter's queue.",
);
export const showRow = ROW.show;

const FACTS = pick(
  PAYMENTS.columns,
  ...([
    "sender",
    "recipient",
    "arbiter",
    "amount",
    "asset",
    "refundTotal",
    "amountRefunded",
    "amountReleased",
  ] as const),
  ...(["protectionPeriod", "protectionDeadline", "createdAt", "disputedAt", "signature", "outcome"] as const),
  ...(["refundedAt", "settledAt", "termsHash", "termsKnown"] as const),
);

export { FACTS };

const count = (says: string) => integer({ says, example: 1 });
const CHAIN = {
  programId: column(ADDRESS, { says: "The escrow program.", example: "DFScJcCVGUqL6VfvXntAZyrhLszXTqDryfrqM6Gdw6Cx" }),
  operator: column(ADDRESS, {
    says: "The operator account that the payment names.",
    example: "6dNVxkyfuyCqe5xCiLGPUpNaCNTsV7wJ3wTJkHFUZ6Uu",
  }),
  cluster: nullable(
    word<Cluster>({ of: CLUSTER_NAMES, says: "The public cluster; null if it is not public.", example: "devnet" }),
  ),
};
const HISTORY = {
  merchant: part(
    {
      payments: count("Payments of the business in this environment."),
      disputes: count("Disputes of these payments, up to the last 1,000."),
      decidedAgainst: count(
        "Those that an arbiter decided, not as both sides agreed, and by which something went back to the buyer.",
      ),
      refunds: count(
        "Payments of which the business gave something back, by itself or by agreement. What a decision or the lapse of one of its last 1,000 disputes moved is no refund.",
      ),
    },
    "The business.",
  ),
  buyer: part(
    {
      payments: count("Payments of the wallet to any business here, up to 1,000."),
      disputes: count("Those of them that have a dispute."),
      decidedAgainst: count(
        "Those that an arbiter decided, not as both sides agreed, and by which nothing went back to the buyer.",
      ),
    },
    "The buyer's wallet.",
  ),
};
const COMPARABLE = {
  decided: count(
    "Decisions on disputes with this reason, not those as both sides agreed, among the last 1,000 of the environment that ended; up to 20 of a business.",
  ),
  nothing: count("Those by which nothing went back."),
  part: count("Those by which a part went back."),
  all: count("Those by which all went back."),
};
const WORTH = {
  value: digits("numeric", { says: "The value.", example: "41.81" }),
  currency: word({ says: "The currency.", example: "EUR" }),
};
const WHOLE_MEMBERS = {
  ...DESK_MEMBERS,
  worth: nullable(
    part(WORTH, "The value of the payment when it was made, in the business's reporting currency; null without one."),
  ),
  comparable: nullable(
    part(
      COMPARABLE,
      "The decisions on comparable disputes of other businesses, without those that decide their own; null below five, and where the arbiter has a conflict of interest.",
    ),
  ),
  note: nullable(text({ says: "Your own note; nobody else reads it. Null if there is none." })),
  intentDescription: nullable(
    text({ says: "The description of the intent, as the buyer saw it; null if it has none." }),
  ),
  refundPolicy: nullable(
    text({ says: "The refund policy that the payment names, as the buyer could read it; null if none is kept." }),
  ),
  termsUrl: nullable(text({ says: "Address of the terms text that the payment names; null if it is not kept." })),
  receiptPage: text({
    says: "Address of the payment's receipt, as anyone with it sees the payment.",
    example: `https://pay.example.com/pay/p/${PAYMENT_EXAMPLES.id}`,
  }),
  at: time({
    says: "The environment's time at which it was read: the clock that ends its times.",
    example: "2026-11-28T03:10:00.000Z",
  }),
  buyerAskedAt: nullable(time({ says: "The time at which the buyer asked for the arbiter; null if not." })),
  merchantAskedAt: nullable(time({ says: "The time at which the business asked for the arbiter; null if not." })),
  facts: part(FACTS, "The payment, as the chain shows it."),
  chain: part(CHAIN, "The addresses by which a page checks a ruling before a wallet signs it."),
  history: nullable(
    part(
      HISTORY,
      "Counts of both sides. No side sees those of the other; null where the arbiter has a conflict of interest.",
    ),
  ),
};
/** What the desk adds to what both sides read. */
export const showWholeMembers = shownObject("dispute", WHOLE_MEMBERS, "The members that the desk adds.").show;
const WHOLE = shownObject(
  "dispute",
  {
    ...WITH_TEXTS_MEMBERS,
    ...WHOLE_MEMBERS,
    fulfillments: json({
      says: "The facts about deliveries that the merchant recorded.",
      example: [],
      schema: { type: "array", items: component("Fulfillment") },
    }),
  },
  "A dispute on the arbiter's desk: what both sides read, facts and counts.",
);
const ARBITER = shownObject(
  "arbiter",
  {
    id: word({ says: "The user's id.", example: EXAMPLE_USER }),
    name: text({ says: "The user's name.", example: "Jo" }),
    holds: count("Open disputes that the arbiter holds."),
  },
  "A user who decides disputes of the deployment.",
);
export const showArbiter = ARBITER.show;

/** A payment disputed on chain alone. */
export const LOOSE = {
  environment: DISPUTE_MEMBERS.environment,
  payment: column(ADDRESS, { says: "The payment's address.", example: PAYMENT_EXAMPLES.id }),
  business: nullable(word({ says: "The business that its id names; null if there is none." })),
  sender: nullable(
    column(ADDRESS, { says: "The wallet that paid; null if it is unknown.", example: PAYMENT_EXAMPLES.sender }),
  ),
  recipient: nullable(
    column(ADDRESS, { says: "The wallet that is paid; null if it is unknown.", example: PAYMENT_EXAMPLES.recipient }),
  ),
  total: tokens("Its amount, in the token's smallest unit."),
  asset: nullable(
    column(ADDRESS, { says: "The token's mint; null if it is unknown.", example: PAYMENT_EXAMPLES.asset }),
  ),
  openedAt: nullable(
    time({ says: "The time of the dispute, by the chain's clock.", example: "2026-11-21T03:10:00.000Z" }),
  ),
  resolveBy: nullable(
    time({ says: "The time from which anyone can have it refunded.", example: "2027-02-19T03:10:00.000Z" }),
  ),
};
const LOOSE_PAYMENT = shownObject("desk_payment", LOOSE, "A payment disputed on chain alone: no texts, no clocks.");
export const showLoose = LOOSE_PAYMENT.show;

const HAND_OVER_BODY = requestBody({
  component: "DeskHandOver",
  operation: "The hand-over",
  fields: {
    to: optional(field(idKind("usr"), { description: "The arbiter; left out: nobody.", expected: "the id of a user" })),
  },
  example: { to: EXAMPLE_USER },
});
const QUESTION_BODY = requestBody({
  component: "DeskQuestion",
  operation: "The question",
  fields: { text: statementField, side: optional(field(oneOf(SIDES))) },
  example: { text: "When did each of you first see the open seal?" },
});

const NOTE_BODY = requestBody({
  component: "DeskNote",
  operation: "The note",
  fields: { text: optional(statementField) },
  example: { text: "The carrier's page names another town." },
});

export const deskComponents: Components = {
  DeskDisputeRow: ROW.schema,
  DeskDisputeRowList: listOf("DeskDisputeRow", "Disputes", "those due first in front"),
  DeskDispute: WHOLE.schema,
  DeskArbiter: ARBITER.schema,
  DeskArbiterList: listOf("DeskArbiter", "Arbiters", "in the order of their names"),
  DeskPayment: LOOSE_PAYMENT.schema,
  DeskPaymentList: listOf("DeskPayment", "Payments", "those that lapse first in front"),
};

const path = {
  dispute: { schema: Type.String(), description: "The dispute's id.", example: String(WHOLE.example.id) },
} as const;
const declare = declarations({ tag: "Desk", errors: ["not_found"] });
const write = declarations({
  tag: "Desk",
  path,
  errors: ["not_found", "proof_required", "conflict_of_interest", "dispute_changed"],
});
const { limit, starting_after } = pageParameters(idKind("dp"), String(WHOLE.example.id), "dispute");

const HELD = ["me", "nobody", "others"] as const;
export const LIST_DESK = declare({
  operationId: "listDeskDisputes",
  summary: "List the arbiter's queue",
  description:
    "Disputes of all businesses: those to be decided and those that wait for an agreement first, then those in which both sides talk; in each, by `decideBy`, or else `resolveBy`.",
  query: {
    environment: parameter(oneOf(ENVIRONMENTS), "Only disputes of this environment.", { example: "test" }),
    status: parameter(oneOf(DISPUTE_STATUSES), "Only disputes with this status. Default: the open ones.", {
      example: "deciding",
    }),
    held: parameter(oneOf(HELD), "Only disputes that you hold, nobody holds, or others hold.", { example: "me" }),
    due_before: parameter(TIME, "Only disputes whose `decideBy`, or else `resolveBy`, is before this time."),
    limit,
    starting_after,
  },
  success: listAnswer("A page of disputes.", "DeskDisputeRow", ROW.example),
});
export type DeskQuery = QueryValues<typeof LIST_DESK.query>;
const one = answer(200, "The dispute.", "DeskDispute", WHOLE.example);
export const GET_DESK_DISPUTE = declare({
  operationId: "getDeskDispute",
  summary: "Get a dispute",
  description: "The dispute as both sides read it, with facts and counts.",
  path,
  success: one,
});
const changes = ["listDeskDisputes", "getDeskDispute", "listArbiters"];
export const CLAIM = write({
  operationId: "claimDeskDispute",
  summary: "Claim a dispute",
  description:
    "Makes you the one who decides the dispute. Refused if another arbiter holds it, or for a conflict of interest.",
  changes,
  success: one,
});
export const HAND_OVER = write({
  operationId: "handOverDeskDispute",
  summary: "Hand a dispute over",
  description:
    "Gives a dispute that you hold to another arbiter, who has no conflict of interest, or back to the queue.",
  changes,
  body: HAND_OVER_BODY,
  success: one,
});
export const ASK = write({
  operationId: "askDeskDispute",
  summary: "Ask one side or both",
  description:
    "Asks the `side` that is named, or both, of a dispute that you hold. Both read it and can write for three days, and `decideBy` moves by three days, both at most until 14 days before `resolveBy`. Two questions a dispute.",
  changes,
  body: QUESTION_BODY,
  success: answer(201, "The dispute.", "DeskDispute", WHOLE.example),
});
export const NOTE = declarations({
  tag: "Desk",
  path,
  errors: ["not_found", "conflict_of_interest", "dispute_changed"],
})({
  operationId: "noteDeskDispute",
  summary: "Note something for yourself",
  description:
    "Keeps your note on a dispute in place of the one before; without `text` it is deleted. Neither side, no other arbiter and no export has it, and it goes when any text or file of the dispute is erased.",
  changes: ["getDeskDispute"],
  body: NOTE_BODY,
  success: one,
});
export const LIST_ARBITERS = declare({
  operationId: "listArbiters",
  summary: "List arbiters",
  description: "The users who decide disputes of the deployment.",
  success: listAnswer("All arbiters.", "DeskArbiter", ARBITER.example),
});
export const LIST_LOOSE = declare({
  operationId: "listDeskPayments",
  summary: "List payments disputed on chain alone",
  description: "The first 100 disputed payments of the operator that match no order here.",
  success: listAnswer("The payments.", "DeskPayment", LOOSE_PAYMENT.example),
});
