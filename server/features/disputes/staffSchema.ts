import { Type } from "typebox";
import { idPattern } from "../../domain/ids.ts";
import { type Components, declarations } from "../../edge/http/declaration.ts";
import { checkedText, choiceField, optional, requestBody } from "../../edge/http/fields.ts";
import { answer, nullable, timestamp } from "../../edge/http/schemas.ts";
import { CHANGE_ERRORS } from "../../edge/staff/answers.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { RECIPIENT_WAYS } from "./proof/recipient.ts";
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

/** A signature of the recipient's wallet, in place of a recent proof of identity (§13.20.4). */
const signatureFields = {
  nonce: optional(
    checkedText(
      Type.String({ pattern: "^[0-9a-f]{32}$", description: "The challenge that the recipient's wallet signed." }),
      "the nonce of a challenge (32 hex digits)",
      (text) => /^[0-9a-f]{32}$/.test(text),
    ),
  ),
  signature: optional(
    checkedText(
      Type.String({ contentEncoding: "base64", description: "The signature of the challenge's text." }),
      "a signature in base64",
      (text) => text !== "",
    ),
  ),
  transaction: optional(
    checkedText(
      Type.String({ contentEncoding: "base64", description: "The challenge's transaction, signed. It is not sent." }),
      "a signed transaction in base64",
      (text) => text !== "",
    ),
  ),
};
/** A signature of the recipient's wallet, as a request has it; null members without one. */
export interface GivenSignature {
  readonly nonce: string | null;
  readonly signature: string | null;
  readonly transaction: string | null;
}
const SIGNATURE_BODY = requestBody({
  component: "RecipientSignature",
  operation: "This",
  fields: signatureFields,
  example: {},
  description: "Empty for a member with a recent proof of identity.",
});
const STAFF_OFFER_BODY = requestBody({
  component: "StaffDisputeOfferInput",
  operation: "The offer",
  fields: { total: totalField, text: optional(offerTextField), until: optional(untilField), ...signatureFields },
  example: { total: "2500000", text: "Half of it, and you keep the goods." },
});
const OFFER_ID = new RegExp(idPattern("of"));
const CHALLENGE_BODY = requestBody({
  component: "RecipientChallengeInput",
  operation: "The challenge",
  fields: {
    way: choiceField(RECIPIENT_WAYS, {
      description: "What the wallet signs: a message, or a transaction that is not sent.",
    }),
    act: choiceField(["merchant_offer", "merchant_confirm", "merchant_accept"], { description: "What it binds to." }),
    total: optional(totalField),
    until: optional(untilField),
    offer: optional(
      checkedText(
        Type.String({ pattern: OFFER_ID.source, description: "The offer that is confirmed or accepted." }),
        "the id of an offer",
        (text) => OFFER_ID.test(text),
      ),
    ),
  },
  example: { way: "message", act: "merchant_accept", offer: "of_test_5szw01a1fc2d04b26aa1dfb6bc9487e1991e" },
});

/** The bodies and answers of the staff's operations alone. */
export const staffDisputeComponents: Components = {
  StaffDisputeOfferInput: STAFF_OFFER_BODY.schema,
  RecipientSignature: SIGNATURE_BODY.schema,
  RecipientChallengeInput: CHALLENGE_BODY.schema,
  RecipientChallenge: Type.Object(
    {
      object: Type.Literal("wallet_challenge"),
      nonce: Type.String({ pattern: "^[0-9a-f]{32}$", description: "Names the challenge." }),
      text: Type.String({ description: "The text to sign (§16.3)." }),
      transaction: nullable(Type.String({ contentEncoding: "base64" }), {
        description: "A transaction with the text as its memo, which is never sent; null for a message.",
      }),
      expiresAt: timestamp("The signature is taken before this time."),
    },
    { description: "What the recipient's wallet is to sign for the business." },
  ),
};

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
  body: STAFF_OFFER_BODY,
  success: oneDispute(201),
});
const EXPIRES_AT = "2026-11-23T09:10:00.000Z";
export const ASK_RECIPIENT = staffDeclare({
  operationId: "askRecipient",
  summary: "Ask the recipient's wallet for a signature",
  description:
    "Gives the text by which the recipient's wallet makes, confirms or accepts an offer for the business, within ten minutes and in this session. An offer names its `total` and `until`; the other acts name the `offer`. A smart wallet signs no text.",
  path: staffPath,
  errors: ["dispute_changed", "rate_limited", "chain_unavailable"],
  changes: [],
  body: CHALLENGE_BODY,
  success: answer(200, "What to sign.", "RecipientChallenge", {
    object: "wallet_challenge",
    nonce: "8f3a52c07be94d1680cbe27fa95d3e41",
    text: "Holdfast\nHost: shop.example",
    transaction: null,
    expiresAt: EXPIRES_AT,
  }),
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
export const CONFIRM_OFFER = staffWrite({
  operationId: "confirmDisputeOffer",
  summary: "Confirm an offer",
  description: "Makes an offer that an API key made binding. If the buyer has accepted it, both have agreed.",
  path: staffOfferPath,
  body: SIGNATURE_BODY,
  success: oneDispute(200),
});
export const ACCEPT_OFFER = staffWrite({
  operationId: "acceptDisputeOffer",
  summary: "Accept an offer",
  description: "Accepts the buyer's open offer: both have agreed. What is left is on chain.",
  path: staffOfferPath,
  body: SIGNATURE_BODY,
  success: oneDispute(200),
});
export const ASK_STAFF_ARBITER = staffWrite({
  operationId: "askArbiter",
  summary: "Ask for the arbiter",
  description: "Ends talking once both sides have asked. It cannot be undone.",
  success: oneDispute(200),
});
