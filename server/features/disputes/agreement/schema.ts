import { Type } from "typebox";
import { isAddress } from "../../../domain/addresses.ts";
import { ADDRESS_PATTERN, base58 } from "../../../domain/columns.ts";
import { PART_AMOUNT } from "../../../domain/money.ts";
import { type Components, declarations } from "../../../edge/http/declaration.ts";
import { checkedText, requestBody } from "../../../edge/http/fields.ts";
import { answer, choice, nullable, timestamp } from "../../../edge/http/schemas.ts";
import { tenantPath } from "../../../edge/staff/paths.ts";
import { PAYMENT_EXAMPLES } from "../../payments/payment.ts";

const transaction = (description: string) => Type.String({ contentEncoding: "base64", description });
const lamports = Type.String({ pattern: PART_AMOUNT.source });
const address = (description: string) =>
  Type.String({ pattern: ADDRESS_PATTERN, description: base58(description, 32) });

const NEW_AGREEMENT = requestBody({
  component: "NewAgreementTransaction",
  operation: "Build",
  fields: {
    account: checkedText(
      address("The wallet that is to sign: the payment's recipient."),
      "the address of a wallet (base58 of 32 bytes)",
      isAddress,
    ),
  },
  example: { account: PAYMENT_EXAMPLES.recipient },
});
const SIGNED_AGREEMENT = requestBody({
  component: "SignedAgreement",
  operation: "Submit",
  fields: {
    transaction: checkedText(
      transaction("The transaction with the recipient's signature, in base64."),
      "a signed transaction in base64",
      (text) => text !== "",
    ),
  },
  example: { transaction: "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" },
});

export const agreementComponents: Components = {
  AgreementTransaction: Type.Object(
    {
      object: Type.Literal("agreement_transaction"),
      transaction: transaction(
        "A transaction in base64, for both sides to sign: version 0, or what the side that signed first made of it.",
      ),
      total: Type.String({ pattern: PART_AMOUNT.source, description: "The amount that the buyer has in the end." }),
      isHalfSigned: Type.Boolean({ description: "True if the buyer has signed it: it is sent once you have, too." }),
      networkLamports: nullable(lamports, {
        description: "The network's fee, which the first signer pays; null if that is the buyer.",
      }),
      instructions: nullable(
        Type.Array(
          Type.Object({
            programId: address("The program."),
            accounts: Type.Array(
              Type.Object({ address: address("The account."), signer: Type.Boolean(), writable: Type.Boolean() }),
            ),
            data: transaction("Base64."),
          }),
        ),
        { description: "The same instructions in a plain form; null for a transaction that the buyer has signed." },
      ),
    },
    { description: "An agreement as one transaction, which both sides sign." },
  ),
  AgreementSignatures: Type.Object(
    {
      object: Type.Literal("agreement_signatures"),
      signedBy: nullable(choice(["buyer", "merchant"]), {
        description: "The side that has signed; null if none has, or its time has ended.",
      }),
      secondsLeft: nullable(Type.Integer({ minimum: 0 }), {
        description: "The time in which the other side can sign.",
      }),
    },
    { description: "The signatures of an agreement in one transaction." },
  ),
  SubmittedAgreement: Type.Object(
    {
      object: Type.Literal("submitted_agreement"),
      signature: nullable(Type.String(), { description: "The transaction's signature; null until both have signed." }),
      until: nullable(timestamp("The buyer can sign it before this time."), {
        description: "The buyer can sign it before this time; null once both have signed.",
      }),
    },
    { description: "An agreement that waits for the buyer's signature, or is on its way." },
  ),
};

const declare = declarations({
  tag: "Disputes",
  path: {
    ...tenantPath,
    dispute: {
      schema: Type.String(),
      description: "The dispute's id.",
      example: "dp_test_5szw01a1fc2b90fe6aa1dfb6bc9487e1991e",
    },
  },
  errors: ["forbidden", "not_found", "action_refused", "rate_limited", "chain_unavailable"],
});

export const GET_AGREEMENT = declare({
  operationId: "getAgreement",
  summary: "Get the signatures of an agreement",
  description: "The transaction of an agreement that one side has signed, while the other side can sign it.",
  success: answer(200, "The signatures.", "AgreementSignatures", {
    object: "agreement_signatures",
    signedBy: "buyer",
    secondsLeft: 58,
  }),
});

export const BUILD_AGREEMENT = declare({
  operationId: "buildAgreement",
  summary: "Build an agreement",
  description:
    "Builds the transaction by which both sides bring their agreement to the chain: the refund of its total, the release of the rest, and both payouts. If the buyer has signed one, that one is returned.",
  changes: [],
  body: NEW_AGREEMENT,
  success: answer(200, "The transaction to sign.", "AgreementTransaction", {
    object: "agreement_transaction",
    transaction: "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    total: "3000000",
    isHalfSigned: true,
    networkLamports: null,
    instructions: null,
  }),
});

export const SUBMIT_AGREEMENT = declare({
  operationId: "submitAgreement",
  summary: "Hand in a signed agreement",
  description:
    "Keeps the transaction that the recipient's wallet signed for the buyer, until its blockhash ends; or sends it, if the buyer has signed it, too.",
  body: SIGNED_AGREEMENT,
  success: answer(200, "Kept, or on its way.", "SubmittedAgreement", {
    object: "submitted_agreement",
    signature: PAYMENT_EXAMPLES.signature,
    until: null,
  }),
});
