import { oneOf, textKind } from "../../domain/values.ts";
import { buyerBody, maybe, NO_MEMBERS, needed } from "../../edge/buyer/body.ts";
import { shownAnswer, shownObject } from "../../edge/http/objects.ts";
import { integer, word } from "../../lib/columns.ts";
import { DISPUTE_REASONS, DISPUTE_STATUSES, OFFER_TEXT_CHARACTERS_MAX, STATEMENT_CHARACTERS_MAX } from "./dispute.ts";
import { CASE_ERRORS, casePath, declareCase, PROOF, PROOF_EXAMPLE, total, until } from "./proof/schema.ts";
import { OFFER } from "./schema.ts";
import { parseOfferText, parseStatementText } from "./statement.ts";

export const CASE_CHANGE = shownObject(
  "case_change",
  {
    version: integer({ says: "The version of the dispute with the change.", example: 7, schema: { minimum: 1 } }),
    status: word({ of: DISPUTE_STATUSES, says: "Its status.", example: "talking" }),
  },
  "A change of a dispute.",
);
const TIME_EXAMPLE = "2026-11-26T03:10:00.000Z";
const OFFER_ERRORS = [...CASE_ERRORS, "proof_refused", "chain_unavailable"] as const;

const text = needed(
  textKind({ minLength: 1, maxLength: STATEMENT_CHARACTERS_MAX }, "plain text", parseStatementText),
  "Plain text.",
  (texts) => texts.dispute.text,
);
const reason = needed(
  oneOf(DISPUTE_REASONS.filter((one) => one !== "not_given")),
  "The reason of the dispute.",
  (texts) => texts.dispute.reason,
);
const sentence = maybe(
  needed(
    textKind({ maxLength: OFFER_TEXT_CHARACTERS_MAX }, "plain text", (given) => given && parseOfferText(given)),
    "A sentence for the shop.",
    (texts) => texts.dispute.sentence,
  ),
);
const ofOffer = { ...casePath, ...OFFER };
const success = shownAnswer(200, "The change.", CASE_CHANGE);

export const SEND_OPENING = declareCase({
  operationId: "sendOpening",
  summary: "Send the opening",
  description: "Says what is wrong and what the buyer asks for; once a dispute.",
  body: buyerBody(
    "Opening",
    { requestedTotal: total, reason, text },
    { reason: "not_received", requestedTotal: "24500000", text: "The parcel never came." },
  ),
  success,
});
export const SEND_BUYER_STATEMENT = declareCase({
  operationId: "sendStatement",
  summary: "Send a statement",
  description: "Sends a text to the shop and the arbiter. It cannot be edited or deleted.",
  body: buyerBody("Statement", { text }, { text: "The parcel never came." }),
  success,
});
export const MAKE_OFFER = declareCase({
  operationId: "makeOffer",
  summary: "Make an offer",
  description: "Offers the shop to end the dispute, by a proof over its terms.",
  body: buyerBody(
    "NewOffer",
    { total, until, text: sentence, ...PROOF },
    { total: "6000000", until: TIME_EXAMPLE, ...PROOF_EXAMPLE },
  ),
  success,
  errors: OFFER_ERRORS,
});
export const ACCEPT_OFFER = declareCase({
  operationId: "acceptOffer",
  path: ofOffer,
  summary: "Accept an offer",
  description: "Accepts an offer of the shop, by a proof over the agreement as it is now.",
  body: buyerBody("OfferAcceptance", PROOF, PROOF_EXAMPLE),
  success,
  errors: OFFER_ERRORS,
});
export const WITHDRAW_BUYERS_OFFER = declareCase({
  operationId: "withdrawOffer",
  path: ofOffer,
  summary: "Withdraw an offer",
  description: "Withdraws the buyer's open offer.",
  body: NO_MEMBERS,
  success,
});
export const DECLINE_SHOPS_OFFER = declareCase({
  operationId: "declineOffer",
  path: ofOffer,
  summary: "Decline an offer",
  description: "Declines the shop's open offer.",
  body: NO_MEMBERS,
  success,
});
export const ASK_ARBITER_AS_BUYER = declareCase({
  operationId: "askArbiter",
  summary: "Ask for the arbiter",
  description: "Ends talking once both sides have asked. It cannot be undone.",
  body: NO_MEMBERS,
  success,
});
