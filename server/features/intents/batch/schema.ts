import { Type } from "typebox";
import { FLAG, textKind } from "../../../domain/values.ts";
import { type Components, declarations } from "../../../edge/http/declaration.ts";
import { field, requestBody } from "../../../edge/http/fields.ts";
import { answer, component, nullable } from "../../../edge/http/schemas.ts";
import { tenantPath } from "../../../edge/staff/paths.ts";
import { INTENT_EXAMPLES, NEW_INTENT_FIELDS } from "../schema.ts";
import { ROWS_MAX } from "./batch.ts";

/** The most bytes of a file, with those of its request. */
const FILE_BYTES_MAX = 262_144;

const EXAMPLE = {
  object: "payment_batch",
  repeated: false,
  errors: [],
  payments: [
    {
      intent: INTENT_EXAMPLES.id,
      merchantReference: "Order 1043",
      amount: "48500000",
      price: null,
      asset: INTENT_EXAMPLES.asset,
      expiresAt: INTENT_EXAMPLES.expiresAt,
      checkoutUrl: INTENT_EXAMPLES.checkoutUrl,
    },
  ],
};

export const batchComponents: Components = {
  PaymentBatch: Type.Object(
    {
      object: Type.Literal("payment_batch"),
      repeated: Type.Boolean({ description: "True if the same rows were created before: these are their intents." }),
      errors: Type.Array(
        Type.Object({
          line: Type.Integer({ description: "The line of the file." }),
          message: Type.String({ description: "The fault, in words." }),
        }),
        { description: "If there are any, nothing was created." },
      ),
      payments: Type.Array(
        Type.Object({
          intent: Type.String({ description: "The intent's id." }),
          merchantReference: Type.String(),
          amount: Type.String({ description: "In the token's smallest unit." }),
          price: nullable(component("Price"), { description: "The price that it was made of; null without one." }),
          asset: Type.String({ description: "The token's mint." }),
          expiresAt: Type.String({ description: "After this time it cannot be paid any more." }),
          checkoutUrl: Type.String({ description: "The link for the buyer." }),
        }),
        {
          description: "One for each row, in its order. After a try: those that would be created, by no id that stays.",
        },
      ),
    },
    { description: "Payments that were created together." },
  ),
};

const { asset, protectionPeriod, recipient } = NEW_INTENT_FIELDS;
const declare = declarations({ tag: "Payment intents", path: tenantPath, errors: ["not_found"] });

/** §13.18.5. */
export const CREATE_BATCH = declare({
  operationId: "createPaymentBatch",
  changes: ["listPaymentIntents"],
  summary: "Create several payments",
  description: `Creates an intent for each row of a CSV file, ${ROWS_MAX} at most, or for none: each wrong row is named by its line. A file names at most 20 tokens and wallets. All intents are created in one transaction; a try creates none. The same rows within seven days lead to the same intents, also from two uploads at once.`,
  bodyBytesMax: FILE_BYTES_MAX,
  body: requestBody({
    component: "NewPaymentBatch",
    operation: "The operation",
    fields: {
      asset,
      protectionPeriod,
      recipient,
      csv: field(
        textKind({}, "the text of a CSV file", (text) => text),
        {
          description:
            "The file: columns amount, or price and currency, and reference; if wanted note, token, period, recipient. A price needs a token at par with its currency.",
        },
      ),
      try: field(FLAG),
    },
    example: {
      asset: INTENT_EXAMPLES.asset,
      protectionPeriod: "sevenDays",
      recipient: INTENT_EXAMPLES.recipient,
      csv: "amount,reference\n48.50,Order 1043\n",
      try: true,
    },
  }),
  success: answer(200, "The payments, or what is wrong.", "PaymentBatch", EXAMPLE),
  errors: ["forbidden", "not_found", "rate_limited"],
});
