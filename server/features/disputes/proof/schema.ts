import { Type } from "typebox";
import { ADDRESS, oneOf, PART_UNITS, TEXT, TIME } from "../../../domain/values.ts";
import { buyerBody, loose, maybe, NO_MEMBERS, needed } from "../../../edge/buyer/body.ts";
import { buyerDeclarations } from "../../../edge/buyer/door.ts";
import { pathPart } from "../../../edge/http/parameters.ts";
import { answer, choice, nullable, timestamp } from "../../../edge/http/schemas.ts";
import { INSTRUCTION } from "../../paymentActions/schema.ts";
import { PAYMENT_EXAMPLES } from "../../payments/payment.ts";
import { PROOF_WAYS } from "./challenge.ts";

const AT = "2026-11-21T03:12:44.018Z";
const NONCE = "5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76";
const SESSION = "ses_01a1fc0d3a6e4b1c9d2e8f7a6b5c4d3e";

/** The answer of a request that has nothing to say but that it is done. */
export const doneAnswer = (name: string, object: string) => answer(200, "Done.", name, { object });
export const doneObject = (object: string) =>
  Type.Object({ object: Type.Literal(object) }, { description: "It is done." });

export const proofComponents = {
  CaseChallenge: Type.Object(
    {
      object: Type.Literal("case_challenge"),
      nonce: Type.String({ description: "Names the challenge in the proof." }),
      expiresAt: timestamp("The proof is taken until then."),
      text: Type.String({ description: "The text to sign (§16.3)." }),
      transaction: nullable(Type.String({ contentEncoding: "base64" }), {
        description: "The text as a memo, in a transaction that is never sent; null for a message.",
      }),
      instructions: nullable(Type.Array(INSTRUCTION), {
        description: "The same for a multisignature's tools; null for a message.",
      }),
    },
    { description: "What a wallet is asked to sign." },
  ),
  CaseSession: doneObject("case_session"),
  CaseSessions: Type.Object(
    {
      object: Type.Literal("case_sessions"),
      sessions: Type.Array(
        Type.Object({
          id: Type.String({ description: "Its id." }),
          way: choice(PROOF_WAYS, { description: "The way in which the wallet proved itself." }),
          createdAt: timestamp("The time of the proof."),
          expiresAt: timestamp("The time at which it ends."),
          userAgent: Type.String({ description: "The browser, as it names itself." }),
          isThis: Type.Boolean({ description: "True for the one of the request." }),
        }),
      ),
    },
    { description: "The open sessions of a payment, the newest first." },
  ),
  EndedSession: doneObject("ended_session"),
};

export const TOTAL_REFUSAL = "Enter an amount up to what you paid.";
export const UNTIL_REFUSAL = "An offer ends within the next 14 days.";
export const total = needed(PART_UNITS, "The amount that the buyer has in the end.", TOTAL_REFUSAL);
export const until = needed(TIME, "The offer can be accepted until then.", UNTIL_REFUSAL);
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
      "What the proof is for.",
      "There is no such act to sign.",
    ),
    way: needed(oneOf(PROOF_WAYS), "How the wallet proves itself.", "There is no such way to prove a wallet."),
    total: maybe(total),
    until: maybe(until),
    offer: loose(TEXT, "The offer to accept."),
  },
  { act: "open_session", way: "message" },
);
export type ChallengeBody = ReturnType<typeof CHALLENGE.parse>;
const PROOF_BODY = buyerBody("Proof", PROOF, PROOF_EXAMPLE);

export const casePath = { payment: pathPart(ADDRESS, "The payment's address.", PAYMENT_EXAMPLES.id) };
export const CASE_ERRORS = ["proof_needed", "not_found", "dispute_changed", "sent_before", "in_progress"] as const;
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
  success: answer(200, "What to sign.", "CaseChallenge", {
    ...{ object: "case_challenge", nonce: NONCE, expiresAt: AT, text: "Holdfast\nHost: pay.example.com" },
    ...{ transaction: null, instructions: null },
  }),
  errors: ["proof_needed", "not_found", "dispute_changed", "chain_unavailable"],
});
export const OPEN_SESSION = declareCase({
  operationId: "openSession",
  summary: "Open a session by a proof",
  description: "Sets the cookie by which this browser reads and writes in the dispute for 30 days.",
  body: PROOF_BODY,
  success: answer(201, "The session is open.", "CaseSession", { object: "case_session" }),
  errors: ["not_found", "proof_refused", "chain_unavailable"],
});
export const LIST_SESSIONS = declareCase({
  operationId: "listSessions",
  summary: "List the open sessions",
  description: "The sessions of the payment, without their secrets.",
  success: answer(200, "The sessions.", "CaseSessions", {
    object: "case_sessions",
    sessions: [{ id: SESSION, way: "message", createdAt: AT, expiresAt: AT, userAgent: "Firefox", isThis: true }],
  }),
  errors: ["proof_needed", "not_found"],
});
export const END_SESSION = declareCase({
  operationId: "endSession",
  path: { ...casePath, session: { schema: TEXT.schema, description: "Its id.", example: SESSION } },
  summary: "End a session",
  description: "Ends a session of the payment, this one or another.",
  body: NO_MEMBERS,
  success: doneAnswer("EndedSession", "ended_session"),
});
