import { TOKENS } from "../../domain/values.ts";
import { declarations } from "../../edge/http/declaration.ts";
import { field, replaceable, requestBody } from "../../edge/http/fields.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { detailsAnswer, INTENT_EXAMPLE, INTENT_EXAMPLES, NEW_INTENT_FIELDS } from "./schema.ts";

const { recipient, asset, protectionPeriod, merchantReference, description, price } = NEW_INTENT_FIELDS;

/** A number of whole tokens, as people write it. */
const wholeTokens = field(TOKENS, { description: "A number of whole tokens." });

const declare = declarations({ tag: "Payment intents", path: tenantPath, errors: ["not_found"] });

/** §13.18. */
export const CREATE_STAFF_INTENT = declare({
  operationId: "createPaymentIntent",
  summary: "Create a payment",
  description:
    "For owners, admins and developers. Creates an intent as the merchant API does (§4.1), which lives for seven days. The amount is a number of whole tokens, or made of a price in a currency (§4.21), whose quote may end sooner.",
  body: requestBody({
    component: "NewStaffPaymentIntent",
    operation: "Create",
    fields: {
      amount: replaceable(wholeTokens, "price"),
      price,
      asset,
      merchantReference,
      description,
      protectionPeriod,
      recipient,
    },
    example: {
      amount: "48.50",
      asset: INTENT_EXAMPLES.asset,
      merchantReference: "Order 1043",
      description: "Two bags of Yirgacheffe, whole beans",
      protectionPeriod: "sevenDays",
      recipient: INTENT_EXAMPLES.recipient,
    },
  }),
  success: detailsAnswer(201, "Created.", INTENT_EXAMPLE),
  errors: ["forbidden", "not_found", "rate_limited", "reference_in_use"],
});
