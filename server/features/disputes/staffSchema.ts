import { Type } from "typebox";
import { type Components, declarations } from "../../edge/http/declaration.ts";
import { optional, requestBody } from "../../edge/http/fields.ts";
import { CHANGE_ERRORS } from "../../edge/staff/answers.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import {
  DISPUTE,
  disputeFilters,
  disputePage,
  GET_DISPUTE,
  LIST_DISPUTES,
  OFFER,
  offerTextField,
  oneDispute,
  STATEMENT_BODY,
  totalField,
  untilField,
} from "./schema.ts";

const OFFER_BODY = requestBody({
  component: "DisputeOfferInput",
  operation: "The offer",
  fields: { total: totalField, text: optional(offerTextField), until: optional(untilField) },
  example: { total: "2500000", text: "Half of it, and you keep the goods." },
});

/** The body of the staff's operations alone. */
export const staffDisputeComponents: Components = { DisputeOfferInput: OFFER_BODY.schema };

const staffPath = {
  ...tenantPath,
  dispute: { schema: Type.String(), description: "The dispute's id.", example: String(DISPUTE.example.id) },
} as const;
const staffOfferPath = {
  ...staffPath,
  offer: { schema: Type.String(), description: "The offer's id.", example: OFFER.offer.example },
} as const;
const staffDeclare = declarations({ tag: "Disputes", path: tenantPath, errors: ["not_found"] });
const staffErrors = [...CHANGE_ERRORS, "dispute_changed"] as const;
const staffWrite = declarations({ tag: "Disputes", path: staffPath, errors: staffErrors });

/** The staff's operations: the same, and what binds the business. */
export const LIST_STAFF_DISPUTES = staffDeclare({
  operationId: "listDisputes",
  summary: "List disputes",
  description:
    "The disputes of an environment: with `turn`, the open ones in the order in which they are due; without it, all, newest first.",
  query: { ...disputeFilters, limit: disputePage.limit, starting_after: disputePage.starting_after },
  success: LIST_DISPUTES.success,
});
export const GET_STAFF_DISPUTE = staffDeclare({ ...GET_DISPUTE, path: staffPath });
export const SEND_STAFF_STATEMENT = staffWrite({
  operationId: "sendDisputeStatement",
  summary: "Send a statement",
  description: "Sends a text to the buyer and the arbiter. It cannot be edited or deleted.",
  body: STATEMENT_BODY,
  success: oneDispute(201),
});
export const MAKE_STAFF_OFFER = staffWrite({
  operationId: "makeDisputeOffer",
  summary: "Make an offer",
  description: "Makes an offer that binds the business: the buyer can accept it. It replaces the open one.",
  body: OFFER_BODY,
  success: oneDispute(201),
});
export const WITHDRAW_STAFF_OFFER = staffWrite({
  operationId: "withdrawDisputeOffer",
  summary: "Withdraw an offer",
  description: "Withdraws the open offer of the business.",
  path: staffOfferPath,
  success: oneDispute(200),
});
export const DECLINE_STAFF_OFFER = staffWrite({
  operationId: "declineDisputeOffer",
  summary: "Decline an offer",
  description: "Declines the buyer's open offer.",
  path: staffOfferPath,
  success: oneDispute(200),
});
export const ACCEPT_OFFER = staffWrite({
  operationId: "acceptDisputeOffer",
  summary: "Accept an offer",
  description: "Accepts the buyer's open offer: both have agreed. What is left is on chain.",
  path: staffOfferPath,
  success: oneDispute(200),
});
export const ASK_STAFF_ARBITER = staffWrite({
  operationId: "askArbiter",
  summary: "Ask for the arbiter",
  description: "Ends talking once both sides have asked. It cannot be undone.",
  success: oneDispute(200),
});
