import { Type } from "typebox";
import { idKind } from "../../domain/ids.ts";
import { SIGNATURE, TEXT } from "../../domain/values.ts";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import { parameter } from "../../edge/http/parameters.ts";
import { answer, choice, component, member, nullable } from "../../edge/http/schemas.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { PAYMENT_EXAMPLES } from "../../features/payments/payment.ts";
import { confirmComponents, VERIFIED_EXAMPLE } from "../../features/recording/schema.ts";

/** §13.13. */
export const transactionComponents: Components = {
  Verification: confirmComponents.Verification!,
  Transaction: Type.Object(
    {
      object: Type.Literal("transaction"),
      id: member(SIGNATURE, "Its signature."),
      chain: choice(["landed", "failed", "not_confirmed", "not_found", "unavailable"], {
        description: "The state of the transaction on chain; `unavailable` if the chain could not be read.",
      }),
      intents: Type.Array(
        Type.Object({
          id: idKind("pi").schema,
          merchantReference: Type.String(),
          payments: Type.Array(
            Type.Object({
              address: Type.String({ description: "The payment's address on chain." }),
              isBound: Type.Boolean({ description: "True if it is recorded as a payment of the intent." }),
            }),
          ),
          verification: nullable(component("Verification"), {
            description: "The result of the rules; null if the chain could not be read.",
          }),
        }),
        { description: "The intents of this environment that it paid, or tried to pay." },
      ),
    },
    { description: "A transaction, and which rule of a binding says what of it." },
  ),
};

export const EXPLAIN_TRANSACTION = {
  operationId: "explainTransaction",
  tag: "Events",
  summary: "Explain a transaction",
  description: "Reads a transaction on chain now, and says for each intent it is about what confirm would answer.",
  path: {
    ...tenantPath,
    signature: { schema: Type.String(), description: "Its signature.", example: PAYMENT_EXAMPLES.signature! },
  },
  query: {
    intent: parameter(TEXT, "An intent that it should have paid; it is among the answer's then.", {
      example: PAYMENT_EXAMPLES.intentId,
    }),
  },
  success: answer(200, "Kind of the object.", "Transaction", {
    object: "transaction",
    id: PAYMENT_EXAMPLES.signature,
    chain: "landed",
    intents: [
      {
        id: PAYMENT_EXAMPLES.intentId,
        merchantReference: PAYMENT_EXAMPLES.merchantReference,
        payments: [{ address: PAYMENT_EXAMPLES.id, isBound: false }],
        verification: VERIFIED_EXAMPLE,
      },
    ],
  }),
  errors: ["not_found", "rate_limited"],
} as const satisfies Declaration;
