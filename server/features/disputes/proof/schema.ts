import { Type } from "typebox";
import type { PlainInstruction } from "../../../chain/acts.ts";
import { ADDRESS, column, oneOf, PART_UNITS, TEXT, TIME, TRANSACTION } from "../../../domain/values.ts";
import { buyerBody, loose, maybe, NO_MEMBERS, needed } from "../../../edge/buyer/body.ts";
import { buyerDeclarations } from "../../../edge/buyer/door.ts";
import { parts, shownAnswer, shownObject } from "../../../edge/http/objects.ts";
import { pathPart } from "../../../edge/http/parameters.ts";
import { flag, nullable, other, text, time, word } from "../../../lib/columns.ts";
import { INSTRUCTION } from "../../paymentActions/schema.ts";
import { PAYMENT_EXAMPLES } from "../../payments/payment.ts";
import { DISPUTE_SESSIONS, PROOF_WAYS } from "./challenge.ts";

const AT = "2026-11-21T03:12:44.018Z";
const NONCE = "5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76";

/** An answer that says nothing but that it is done. */
export const done = (object: string) => shownObject(object, {}, "It is done.");

export const CASE_CHALLENGE = shownObject(
  "case_challenge",
  {
    nonce: word({ says: "Names the challenge in the proof.", example: NONCE }),
    expiresAt: time({ says: "The proof is taken until then.", example: AT }),
    text: text({ says: "The text to sign (§16.3).", example: "Holdfast\nHost: pay.example.com" }),
    transaction: nullable(
      column(TRANSACTION, {
        says: "The text as a memo, in a transaction that is never sent; null for a message.",
        example: "AQAB",
      }),
    ),
    instructions: nullable(
      other<readonly PlainInstruction[]>("json", {
        says: "The same for a multisignature's tools; null for a message.",
        schema: Type.Array(INSTRUCTION),
      }),
    ),
  },
  "The text or transaction that a wallet is asked to sign.",
);
export const CASE_SESSION = done("case_session");
const { id, way, createdAt, expiresAt, userAgent } = DISPUTE_SESSIONS.columns;
export const CASE_SESSIONS = shownObject(
  "case_sessions",
  {
    sessions: parts(
      {
        id,
        way,
        createdAt,
        expiresAt,
        userAgent,
        isThis: flag({ says: "True for the one of the request.", example: true }),
      },
      "The open sessions of the payment, the newest first.",
    ),
  },
  "The open sessions of a payment.",
);
export const ENDED_SESSION = done("ended_session");

export const total = needed(PART_UNITS, "The amount that the buyer has in the end.", (texts) => texts.dispute.amount);
export const until = needed(TIME, "The offer can be accepted until then.", (texts) => texts.dispute.offerUntil);
/** The members of a proof; those of other ways than its own are not looked at. */
export const PROOF = {
  nonce: loose(TEXT, "That of the challenge."),
  signature: loose(TEXT, "The signature of the text, in base64."),
  transaction: loose(TEXT, "The signed transaction with the memo, in base64."),
  landed: loose(TEXT, "The signature of the landed transaction with the memo, in base58."),
};
export const PROOF_EXAMPLE = { nonce: NONCE, signature: "MEUCIQD…" };
const CHALLENGE = buyerBody(
  "ChallengeWanted",
  {
    act: needed(
      oneOf(["open_session", "offer", "accept_offer"]),
      "The act that the proof allows.",
      (texts) => texts.noAction,
    ),
    way: needed(oneOf(PROOF_WAYS), "The way in which the wallet proves itself.", (texts) => texts.dispute.noWay),
    total: maybe(total),
    until: maybe(until),
    offer: loose(TEXT, "The offer to accept."),
  },
  { act: "open_session", way: "message" },
);
export type ChallengeBody = ReturnType<typeof CHALLENGE.parse>;
const PROOF_BODY = buyerBody("Proof", PROOF, PROOF_EXAMPLE);

export const casePath = { payment: pathPart(ADDRESS, "The payment's address.", PAYMENT_EXAMPLES.id) };
/** The errors of a write that no state of the dispute forbids. */
export const SESSION_ERRORS = ["proof_needed", "not_found", "sent_before", "in_progress"] as const;
export const CASE_ERRORS = [...SESSION_ERRORS, "dispute_changed"] as const;
/** Declares operations of the page of a payment's dispute. */
export const declareCase = buyerDeclarations({
  tag: "Dispute",
  from: "case",
  path: casePath,
  errors: CASE_ERRORS,
});

export const ASK_PROOF = declareCase({
  operationId: "askProof",
  summary: "Ask for a challenge",
  description: "Makes what a wallet is asked to sign, for the browser that asks. Its cookie is set anew each time.",
  body: CHALLENGE,
  success: shownAnswer(200, "The text or transaction to sign.", CASE_CHALLENGE),
  errors: ["proof_needed", "not_found", "dispute_changed", "chain_unavailable"],
});
export const OPEN_SESSION = declareCase({
  operationId: "openSession",
  summary: "Open a session by a proof",
  description: "Sets the cookie by which this browser reads and writes in the dispute for 30 days.",
  body: PROOF_BODY,
  success: shownAnswer(201, "The session is open.", CASE_SESSION),
  errors: ["not_found", "proof_refused", "chain_unavailable"],
});
export const LIST_SESSIONS = declareCase({
  operationId: "listSessions",
  summary: "List the open sessions",
  description: "The sessions of the payment, without their secrets.",
  success: shownAnswer(200, "The sessions.", CASE_SESSIONS),
  errors: ["proof_needed", "not_found"],
});
export const END_SESSION = declareCase({
  operationId: "endSession",
  path: { ...casePath, session: { schema: TEXT.schema, description: "Its id.", example: String(id.shown!.example) } },
  summary: "End a session",
  description: "Ends a session of the payment, this one or another.",
  body: NO_MEMBERS,
  success: shownAnswer(200, "It has ended.", ENDED_SESSION),
  errors: SESSION_ERRORS,
});
