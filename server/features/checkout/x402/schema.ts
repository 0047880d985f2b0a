import { Type } from "typebox";
import { invalid } from "../../../domain/errors.ts";
import { idKind } from "../../../domain/ids.ts";
import { whole } from "../../../domain/values.ts";
import { buyerDeclarations } from "../../../edge/buyer/door.ts";
import { type Components, declarations } from "../../../edge/http/declaration.ts";
import { type Field, field, requestBody } from "../../../edge/http/fields.ts";
import { describedElsewhere } from "../../../edge/http/objects.ts";
import { pathPart } from "../../../edge/http/parameters.ts";
import { answer } from "../../../edge/http/schemas.ts";
import { PAYMENT_EXAMPLE } from "../../payments/schema.ts";

const NETWORK = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const object = (description: string): Field<Readonly<Record<string, unknown>>> => ({
  schema: Type.Object({}, { additionalProperties: true, description }),
  expected: "a JSON object",
  parse: ({ text }, name) => {
    if (!text.startsWith("{")) throw invalid(name, "Expected a JSON object.");
    return JSON.parse(text);
  },
});

const X402_REQUEST = requestBody({
  component: "X402Request",
  operation: "The operation",
  fields: {
    x402Version: { ...field(whole(2, 2, "2")), schema: Type.Literal(2) },
    paymentPayload: object("The payer's payment: `accepted`, the offer, and `payload` with its `transaction`."),
    paymentRequirements: object("The terms that the server asks for."),
  },
  example: {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: {}, payload: { transaction: "AQAB…" } },
    paymentRequirements: { scheme: "protected", network: NETWORK },
  },
});

const optionalText = (description: string) => Type.Optional(Type.String({ description }));

/** §4.23. */
export const x402Components: Components = {
  X402Supported: Type.Object(
    {
      kinds: Type.Array(
        Type.Object({
          x402Version: Type.Literal(2),
          scheme: Type.Literal("protected"),
          network: Type.String({ description: "CAIP-2." }),
          extra: Type.Object({ program: Type.String(), operator: Type.String(), arbiter: Type.String() }),
        }),
      ),
      extensions: Type.Array(Type.String()),
      signers: Type.Object({}, { description: "Empty: the payer signs alone." }),
    },
    { description: "The kinds of payment that are settled here." },
  ),
  X402Verification: Type.Object(
    {
      isValid: Type.Boolean(),
      invalidReason: optionalText("The first rule that it breaks."),
      payer: optionalText("The payer's wallet."),
    },
    { description: "The verdict on a payment: if it would be settled now." },
  ),
  X402Settlement: Type.Object(
    {
      success: Type.Boolean(),
      errorReason: optionalText("Why it is not settled; `settlement_pending`: send the same request again."),
      transaction: Type.String({ description: "The transaction's signature; empty if nothing was sent." }),
      network: Type.String(),
      payer: optionalText("The payer's wallet."),
      amount: optionalText("Digits, in the token's smallest unit."),
      extra: Type.Optional(
        Type.Object({
          intent: Type.String(),
          payment: Type.String(),
          late: Type.Boolean(),
          protectionDeadline: Type.String({ format: "date-time" }),
          receiptUrl: Type.String(),
        }),
      ),
    },
    { description: "The settled payment. It is final, and bound to the intent that was made for it." },
  ),
  [X402_REQUEST.component]: X402_REQUEST.schema,
};

const { id: payment, intent, sender, signature, amount, protectionDeadline, receiptUrl } = PAYMENT_EXAMPLE;
const declare = declarations({ tag: "x402", errors: [] });

export const GET_X402_SUPPORTED = declare({
  operationId: "getX402Supported",
  summary: "List the kinds of payment",
  description:
    "The first request of a server that sells by x402: network, program, operator and arbiter of its payments.",
  success: answer(200, "The kinds.", "X402Supported", {
    kinds: [
      {
        x402Version: 2,
        scheme: "protected",
        network: NETWORK,
        extra: {
          program: "CJq7vnAyPBqjiGZfbLWuZR8DnK4pfARW4pXtKRw72Y3c",
          operator: "5FHwkrdxntdK24hgQU8qgBjn35Y1zwhz1GZwCkP2UJnM",
          arbiter: PAYMENT_EXAMPLE.arbiter,
        },
      },
    ],
    extensions: [],
    signers: {},
  }),
});
export const VERIFY_X402 = declare({
  operationId: "verifyX402Payment",
  summary: "Check a payment",
  description: "Compares a payment with the offer and the terms asked for, and tries it on a node. Changes nothing.",
  changesNothing: true,
  body: X402_REQUEST,
  success: answer(200, "The result.", "X402Verification", { isValid: true, payer: sender }),
  errors: ["chain_unavailable"],
});
export const SETTLE_X402 = declare({
  operationId: "settleX402Payment",
  summary: "Settle a payment",
  description:
    "Makes the intent of an offer once its payment can land, sends the payment, and answers once it is final and bound. The same payment again gets the same answer, while it is `protected` and nothing of it goes back.",
  body: X402_REQUEST,
  success: answer(200, "The result.", "X402Settlement", {
    success: true,
    payer: sender,
    transaction: signature,
    network: NETWORK,
    amount,
    extra: { intent, payment, late: false, protectionDeadline, receiptUrl },
  }),
  errors: ["forbidden", "chain_unavailable"],
});

/** §12.20: the same for an agent that has the link of an intent, without a key. */
export const PAY_BY_X402 = buyerDeclarations({
  tag: "Paying",
  from: "link",
  path: { id: pathPart(idKind("pi"), "The intent's id, which is secret.", String(intent)) },
  errors: [
    "not_found",
    "paid",
    "expired",
    "canceled",
    "checkout_held",
    "not_accepted",
    "no_seat",
    "payment_pending",
    "chain_unavailable",
  ],
})({
  operationId: "payByX402",
  summary: "Pay by x402",
  description:
    "Without the header `PAYMENT-SIGNATURE`, 402 with the offer in `PAYMENT-REQUIRED`; with it, the settled payment, also in `PAYMENT-RESPONSE`, or 402 with the reason. Status and headers are those of x402, and not listed here.",
  success: describedElsewhere("The settled payment, as x402 has it.", {
    success: true,
    transaction: signature,
    network: NETWORK,
  }),
});
