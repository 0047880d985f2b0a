import { Type } from "typebox";
import { idKind } from "../../domain/ids.ts";
import { oneOf, PART_UNITS, TEXT, TIME, textKind } from "../../domain/values.ts";
import { type Components, declarations } from "../../edge/http/declaration.ts";
import { field, requestBody } from "../../edge/http/fields.ts";
import { shownObject } from "../../edge/http/objects.ts";
import { pageParameters, parameter, pathPart, type QueryValues } from "../../edge/http/parameters.ts";
import { answer, choice, component, listAnswer, listOf, member, nullable, timestamp } from "../../edge/http/schemas.ts";
import { json, nullable as nullableColumn } from "../../lib/columns.ts";
import { equals, isBefore } from "../../store/filters.ts";
import { piece } from "../../store/sql.ts";
import {
  DISPUTE_MEMBERS,
  DISPUTE_STATUSES,
  OFFER_STATUSES,
  OFFER_TEXT_CHARACTERS_MAX,
  SIDES,
  STATEMENT_CHARACTERS_MAX,
  TURNS,
} from "./dispute.ts";
import { FILE_EXAMPLE, fileComponents } from "./files/objects.ts";
import { DISPUTE_ACTIONS, DISPUTE_ACTORS, OTHERWISE } from "./nextActions.ts";
import { DISPUTE_FACTS } from "./parts/fragments.ts";
import { decisionComponents } from "./rulingSchema.ts";
import { parseOfferText, parseStatementText } from "./statement.ts";

export const DISPUTE = shownObject(
  "dispute",
  DISPUTE_MEMBERS,
  "The dispute of a payment. The chain decides about the money; the dispute adds texts, offers, clocks and reasons.",
);
/** The members of a dispute asked for by itself. */
export const WITH_TEXTS_MEMBERS = {
  ...DISPUTE_MEMBERS,
  statements: json({
    says: "The statements of both sides, oldest first.",
    example: [
      { number: 1, by: "buyer", text: "The parcel never came.", createdAt: "2026-11-21T03:12:44.018Z", erasedAt: null },
    ],
    schema: { type: "array", items: component("DisputeStatement") },
  }),
  files: json({
    says: "The files of both sides, oldest first.",
    example: [FILE_EXAMPLE],
    schema: { type: "array", items: component("DisputeFile") },
  }),
  questions: json({
    says: "The arbiter's questions to one side or both, oldest first.",
    example: [],
    schema: { type: "array", items: component("DisputeQuestion") },
  }),
  failedAgreement: nullableColumn(
    json({
      says: "The agreement that the chain did not show in time; null if there is none.",
      schema: component("DisputeFailedAgreement"),
    }),
  ),
  ...DISPUTE_FACTS,
  nextActions: json({
    says: "The actions that each party can take now, the expected action first; empty once the chain has decided. `write` is listed if it is possible before its time: after five statements, from the next day of UTC.",
    example: [{ action: "answer", by: "merchant", until: "2026-11-26T03:10:00.000Z", otherwise: "goes_to_arbiter" }],
    schema: { type: "array", items: component("DisputeAction") },
  }),
};
const WITH_TEXTS = shownObject(
  "dispute",
  WITH_TEXTS_MEMBERS,
  "A dispute asked for by itself, with the texts of both sides and what each can do.",
);

/** A statement, in the body of an operation. */
export const statementField = field(
  textKind(
    { minLength: 1, maxLength: STATEMENT_CHARACTERS_MAX },
    `plain text of at most ${STATEMENT_CHARACTERS_MAX} characters and 12,000 bytes, without control characters`,
    parseStatementText,
  ),
);
export const totalField = field(PART_UNITS, { description: "The amount that the buyer has in the end." });
export const offerTextField = field(
  textKind(
    { minLength: 1, maxLength: OFFER_TEXT_CHARACTERS_MAX },
    `a text of 1 to ${OFFER_TEXT_CHARACTERS_MAX} characters without control characters`,
    parseOfferText,
  ),
);
export const untilField = field(TIME, { description: "Seven days from now, if left out." });

export const STATEMENT_BODY = requestBody({
  component: "DisputeStatementInput",
  operation: "The statement",
  fields: { text: statementField },
  example: { text: "We sent the parcel on 3 November." },
});
const OFFER_ID = member(idKind("of"), "The offer's id.");
const by = choice(["buyer", "merchant"], { description: "The side." });
const erasedTime = nullable(timestamp("The time at which the text was erased."), {
  description: "The time at which the text was erased; null if it was not.",
});

/** §4.18: also what events show. */
export const disputeComponents: Components = {
  ...decisionComponents,
  Dispute: DISPUTE.schema,
  DisputeWithTexts: WITH_TEXTS.schema,
  DisputeStatementInput: STATEMENT_BODY.schema,
  DisputeList: listOf("Dispute", "Disputes"),
  DisputeStatement: Type.Object(
    {
      number: Type.Integer({ minimum: 1, description: "Its number in the dispute." }),
      by,
      text: Type.String({ description: "Plain text, empty once it is erased. Links in it are not links." }),
      createdAt: timestamp("The time at which it was sent."),
      erasedAt: erasedTime,
    },
    { description: "A statement of a side. Neither side edits or deletes it." },
  ),
  ...fileComponents,
  DisputeQuestion: Type.Object(
    {
      number: Type.Integer({ minimum: 1, description: "Its number in the dispute." }),
      text: Type.String({ description: "Plain text, empty once it is erased." }),
      askedSide: nullable(choice(SIDES, { description: "The side that is to answer; null: both." })),
      askedAt: timestamp("The time at which it was asked."),
      until: timestamp("Both sides can write before this time."),
      erasedAt: erasedTime,
    },
    { description: "A question of the arbiter, which both sides read." },
  ),
  DisputeAction: Type.Object(
    {
      action: choice(DISPUTE_ACTIONS, { description: "The action." }),
      by: choice(DISPUTE_ACTORS, { description: "The party that can do it." }),
      until: nullable(timestamp("The time at which it ends."), { description: "Null if no time ends it." }),
      otherwise: choice(OTHERWISE, {
        description:
          "The result of silence: the arbiter decides, the offer ends, the agreement fails, or anyone can have the payment refunded to the buyer.",
      }),
    },
    { description: "Something that a party can do in a dispute." },
  ),
  DisputeOffer: Type.Object(
    {
      id: OFFER_ID,
      by,
      total: member(PART_UNITS, "The amount that the buyer has in the end."),
      text: Type.Optional(
        nullable(Type.String({ maxLength: OFFER_TEXT_CHARACTERS_MAX }), {
          description: "A sentence; null if there is none. Absent in events.",
        }),
      ),
      until: timestamp("It can be accepted before this time."),
      status: choice(OFFER_STATUSES, { description: "Its status." }),
      createdAt: timestamp("The time at which it was made."),
    },
    { description: "An offer of one side: what the buyer has in the end." },
  ),
  DisputeStatementCounts: Type.Object(
    { buyer: Type.Integer({ minimum: 0 }), merchant: Type.Integer({ minimum: 0 }) },
    { description: "The number of statements of each side." },
  ),
  DisputeAgreement: Type.Object(
    {
      offer: OFFER_ID,
      total: member(PART_UNITS, "The amount that the buyer has in the end."),
      refundTotal: member(PART_UNITS, "The amount that is bound to the buyer on chain."),
      until: timestamp("It fails if the chain does not show it by then."),
      buyer: timestamp("The time at which the buyer's wallet signed it."),
      merchant: timestamp("The time at which the business gave its word."),
      executes: Type.Array(choice(["refund", "release"]), {
        description:
          "The steps that the chain still lacks: the recipient's refund of the total, then the buyer's release.",
      }),
    },
    { description: "An agreement of both sides." },
  ),
  DisputeFailedAgreement: Type.Object(
    {
      total: member(PART_UNITS, "The amount that the buyer would have had in the end."),
      agreedAt: timestamp("The time at which the second side agreed."),
      until: timestamp("The time by which the chain did not show it."),
      failedAt: timestamp("The time at which it failed."),
    },
    { description: "An agreement of both sides that failed." },
  ),
};

const ID = { id: pathPart(idKind("dp"), "The dispute's id.", String(DISPUTE.example.id)) };
export const OFFER = {
  offer: pathPart(idKind("of"), "The offer's id.", "of_test_5szw01a1fc2d04b26aa1dfb6bc9487e1991e"),
};

/** The time at which an open dispute is due: its answer, the agreement's end, or the arbiter's decision. */
export const DUE = piece(
  "(case d.status when 'talking' then d.answer_by when 'deciding' then coalesce(d.question_until, d.decide_by) when 'agreed' then d.next_at end)",
);

export const disputeFilters = {
  status: parameter(oneOf(DISPUTE_STATUSES), "Only disputes with this status.", {
    example: "talking",
    filter: equals("d.status"),
  }),
  turn: parameter(oneOf(TURNS), "Only disputes in which it is this party's turn.", {
    example: "merchant",
    filter: equals("d.turn"),
  }),
  due_before: parameter(
    TIME,
    "Only disputes that are due before this time: by `answerBy`, the end of an agreement, or `decideBy`.",
    { filter: isBefore(DUE.strings[0]!) },
  ),
  intent: parameter(TEXT, "Only disputes of this intent's payments.", { filter: equals("d.intent_id") }),
  payment: parameter(TEXT, "Only the dispute of this payment.", { filter: equals("d.payment_address") }),
};
export const disputePage = pageParameters(idKind("dp"), String(DISPUTE.example.id), "dispute");

export const oneDispute = (status: 200 | 201) => answer(status, "The dispute.", "DisputeWithTexts", WITH_TEXTS.example);
const declare = declarations({ tag: "Disputes", errors: ["not_found"] });
const write = declarations({ tag: "Disputes", path: ID, errors: ["forbidden", "not_found", "dispute_changed"] });
const scope = "disputes";

export const LIST_DISPUTES = declare({
  operationId: "listDisputes",
  summary: "List disputes",
  description: "The disputes of payments of your intents, newest first; every filter can be combined with every other.",
  query: { ...disputeFilters, ...disputePage },
  success: listAnswer("A page of disputes.", "Dispute", DISPUTE.example),
});
export type DisputeQuery = QueryValues<typeof LIST_DISPUTES.query>;

export const GET_DISPUTE = declare({
  operationId: "getDispute",
  summary: "Get a dispute",
  description: "The dispute, with the texts of both sides and what each party can do now.",
  path: ID,
  success: oneDispute(200),
});

export const SEND_STATEMENT = write({
  operationId: "sendDisputeStatement",
  scope,
  summary: "Send a statement",
  description:
    "Sends a text to the buyer and the arbiter. It cannot be edited or deleted. Five a day and 20 in all; while the arbiter decides, one, within 48 hours of the buyer's last word. Send its letters in UTF-8: escaped as `\\u…`, a long text passes the bytes of a body (413).",
  body: STATEMENT_BODY,
  success: oneDispute(201),
});

const offerPath = { ...ID, ...OFFER };
export const WITHDRAW_OFFER = write({
  operationId: "withdrawDisputeOffer",
  scope,
  summary: "Withdraw an offer",
  description: "Withdraws the open offer of the business.",
  path: offerPath,
  success: oneDispute(200),
});
export const DECLINE_OFFER = write({
  operationId: "declineDisputeOffer",
  scope,
  summary: "Decline an offer",
  description: "Declines the buyer's open offer. No API key makes or accepts one.",
  path: offerPath,
  success: oneDispute(200),
});
export const ASK_ARBITER = write({
  operationId: "askArbiter",
  scope,
  summary: "Ask for the arbiter",
  description: "Ends talking once both sides have asked. It cannot be undone.",
  success: oneDispute(200),
});
