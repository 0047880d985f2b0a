import { Type } from "typebox";
import { idKind } from "../../../domain/ids.ts";
import { ADDRESS, FLAG, PART_UNITS, SHA256, TRANSACTION, textKind } from "../../../domain/values.ts";
import { type Components, declarations } from "../../../edge/http/declaration.ts";
import { field, optional, requestBody } from "../../../edge/http/fields.ts";
import { answer, lastValidBlockHeight, member, nullable } from "../../../edge/http/schemas.ts";
import { LIFE_EXAMPLE } from "../../paymentActions/schema.ts";
import { PAYMENT_EXAMPLES } from "../../payments/payment.ts";
import { REASONS_CHARACTERS_MAX } from "../ruling.ts";
import { parsePlainText } from "../statement.ts";

/** Four bytes for each character at most, and still far below the limit of a request. */
const REASONS_BYTES_MAX = 24_000;
const EXAMPLE_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

const NEW_DECISION = requestBody({
  component: "NewDecision",
  operation: "The decision",
  fields: {
    total: optional(
      field(PART_UNITS, { description: "The amount that the buyer has in the end. Left out with `asAgreed`." }),
    ),
    reasons: optional(
      field(
        textKind(
          { minLength: 1, maxLength: REASONS_CHARACTERS_MAX },
          `plain text of at most ${REASONS_CHARACTERS_MAX} characters and ${REASONS_BYTES_MAX} bytes, without control characters`,
          (text) => parsePlainText(text, REASONS_CHARACTERS_MAX, REASONS_BYTES_MAX),
        ),
        { description: "The reasons, shown to both sides. Left out with `asAgreed`." },
      ),
    ),
    asAgreed: optional(field(FLAG)),
    noInterest: field(FLAG),
    early: optional(field(FLAG)),
  },
  example: { total: "6000000", reasons: "The parcel came three weeks late.", noInterest: true },
});
const SIGNED_DECISION = requestBody({
  component: "SignedDecision",
  operation: "Submit",
  fields: {
    transaction: field(TRANSACTION, { description: "The transaction with the arbiter's signature, in base64." }),
  },
  example: { transaction: "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" },
});

const offerId = (description: string) => nullable(idKind("of").schema, { description });

/** What the desk alone shows. */
export const deskDecisionComponents: Components = {
  FrozenDecision: Type.Object(
    {
      object: Type.Literal("frozen_decision"),
      id: member(idKind("dd"), "Its id."),
      total: member(PART_UNITS, "The amount that the buyer has in the end."),
      agreement: offerId("The accepted offer that it carries out, in place of reasons."),
      record: Type.String({ description: "The record, in canonical JSON (RFC 8785). It is never changed." }),
      sha256: member(SHA256, "SHA-256 of the record in hex digits: the ruling's memo."),
      arbiter: member(ADDRESS, "The wallet that has to sign."),
      transaction: nullable(member(TRANSACTION, "Unsigned."), {
        description:
          "A transaction of version 0 for the arbiter's wallet to sign; null while the chain cannot be read.",
      }),
      networkLamports: nullable(PART_UNITS.schema, {
        description: "The network's fee, which the wallet pays.",
      }),
      plain: nullable(
        Type.Array(
          Type.Object({
            programId: member(ADDRESS, "The program."),
            accounts: Type.Array(
              Type.Object({
                address: member(ADDRESS, "The account."),
                signer: Type.Boolean(),
                writable: Type.Boolean(),
              }),
            ),
            data: member(TRANSACTION, "The data."),
          }),
        ),
        { description: "The same instructions in the form that a multisignature's tools take." },
      ),
      lastValidBlockHeight: nullable(lastValidBlockHeight(), {
        description: "The last height of the chain's blocks at which the transaction can land; null without one.",
      }),
    },
    { description: "A decision that is frozen, and not signed yet." },
  ),
  SubmittedDecision: Type.Object(
    {
      object: Type.Literal("submitted_decision"),
      signature: Type.String({ description: "The transaction's signature." }),
    },
    { description: "A ruling that is on its way. The dispute shows it once the chain does." },
  ),
};

const FROZEN = {
  object: "frozen_decision",
  id: "dd_test_5szw01a1fc2d04b26aa1dfb6bc9487e1991e",
  total: "6000000",
  agreement: null,
  record: `{"arbiter":"${PAYMENT_EXAMPLES.arbiter}"}`,
  sha256: EXAMPLE_HASH,
  arbiter: PAYMENT_EXAMPLES.arbiter,
  transaction: "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  networkLamports: "5000",
  plain: [],
  lastValidBlockHeight: 431_207_113,
};
const SUBMITTED = { object: "submitted_decision", signature: PAYMENT_EXAMPLES.signature };

const path = {
  dispute: {
    schema: Type.String(),
    description: "The dispute's id.",
    example: "dp_test_5szw01a1fc2b90fe6aa1dfb6bc9487e1991e",
  },
} as const;
const decisionPath = {
  ...path,
  decision: { schema: Type.String(), description: "The id of the frozen decision.", example: FROZEN.id },
} as const;
const declare = declarations({
  tag: "Desk",
  path,
  errors: [
    "forbidden",
    "proof_required",
    "not_found",
    "dispute_changed",
    "action_refused",
    "expired",
    "rate_limited",
    "chain_unavailable",
  ],
});

export const FREEZE_DECISION = declare({
  operationId: "freezeDecision",
  summary: "Freeze a decision",
  description:
    "Freezes the record of a decision, and builds the ruling whose memo is its hash. Only the arbiter who holds the dispute can do it. Either `total` and `reasons`, or `asAgreed` for the total that both sides agreed on. `noInterest` states that the arbiter has no interest in the dispute; the record of it is kept. While a side that was asked has not answered and still can, `early` states that the arbiter decides before; without it the answer is `question_open`.",
  body: NEW_DECISION,
  success: answer(201, "The frozen decision, with the transaction to sign.", "FrozenDecision", FROZEN),
});
export const BUILD_DECISION = declare({
  operationId: "buildDecision",
  summary: "Build a ruling again",
  description: "Builds the ruling of a frozen decision with a new blockhash.",
  path: decisionPath,
  changes: [],
  success: answer(200, "The frozen decision, with the transaction to sign.", "FrozenDecision", FROZEN),
});
export const SUBMIT_DECISION = declare({
  operationId: "submitDecision",
  summary: "Hand in a signed ruling",
  description: "Sends the ruling that the arbiter's wallet signed, until it lands or no longer can.",
  path: decisionPath,
  body: SIGNED_DECISION,
  success: answer(200, "On its way.", "SubmittedDecision", SUBMITTED),
});
export const FETCH_DECISION_LIFE = declare({
  operationId: "fetchDecisionLife",
  summary: "Ask if a ruling can still land",
  description: "Judges a transaction of a ruling, signed or not, by the heights of the chain's final blocks.",
  path: decisionPath,
  changes: [],
  body: SIGNED_DECISION,
  success: answer(200, "The state of the transaction.", "TransactionLife", LIFE_EXAMPLE),
});
