import { Type } from "typebox";
import { isSignature } from "../../domain/addresses.ts";
import { INTENT_ID } from "../../domain/ids.ts";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import { checkedText, requestBody } from "../../edge/http/fields.ts";
import { choice, component, signature } from "../../edge/http/schemas.ts";
import { PAID_EXAMPLE } from "../intents/schema.ts";
import { PAYMENT_EXAMPLE } from "../payments/schema.ts";
import { OUTCOMES } from "./decide/decision.ts";

const NEW_CONFIRMATION = requestBody({
  component: "NewConfirmation",
  operation: "Confirm",
  fields: {
    signature: checkedText(
      signature("The signature of the buyer's transaction.", { format: "solana-signature" }),
      "the transaction's signature (base58 of 64 bytes)",
      isSignature,
    ),
  },
  example: { signature: PAYMENT_EXAMPLE.signature },
});

/** §4.5. */
export const confirmComponents: Components = {
  Confirmation: Type.Object(
    {
      object: Type.Literal("confirmation"),
      outcome: choice(OUTCOMES, {
        description:
          "`bound`: it paid the intent. `duplicate`: the intent was paid already, this payment is recorded as a further one. `already_recorded`: the sweep or an earlier call was first.",
      }),
      intent: component("PaymentIntent"),
      payment: component("Payment"),
    },
    { description: "The outcome of a confirmation. `payment` is the one that decided it." },
  ),
  [NEW_CONFIRMATION.component]: NEW_CONFIRMATION.schema,
};

export const CONFIRM_PAYMENT = {
  operationId: "confirmPayment",
  tag: "Payment intents",
  summary: "Confirm a payment",
  description:
    "For merchants with a checkout of their own: looks at the buyer's transaction on chain now and binds its payment at once, instead of waiting for the periodic sweep. Works in every status of the intent; repeats are safe.\n\nThe transaction must have succeeded and created a payment that carries the intent's `paymentId` and matches its recipient, amount, asset and protection period. `signature_unverified` is never kept under an `Idempotency-Key`: where `error.retryable` is true, send the same request again.",
  path: {
    id: {
      schema: Type.String({ pattern: INTENT_ID.source }),
      description: "The intent's id.",
      example: PAYMENT_EXAMPLE.intent,
    },
  },
  body: NEW_CONFIRMATION,
  success: {
    status: 200,
    description: "The payment is recorded.",
    schema: component("Confirmation"),
    example: { object: "confirmation", outcome: "bound", intent: PAID_EXAMPLE, payment: PAYMENT_EXAMPLE },
  },
  errors: ["not_found", "signature_unverified", "chain_unavailable"],
} as const satisfies Declaration;
