import { Type } from "typebox";
import { ADDRESS, PART_UNITS, TEXT } from "../../../domain/values.ts";
import { buyerBody, loose } from "../../../edge/buyer/body.ts";
import { buyerDeclarations } from "../../../edge/buyer/door.ts";
import { answer, environment, member, nullable, timestamp } from "../../../edge/http/schemas.ts";
import { PAYMENT_EXAMPLES } from "../../payments/payment.ts";

const page = `/pay/p/${PAYMENT_EXAMPLES.id}`;

export const findComponents = {
  FoundPayments: Type.Object(
    {
      object: Type.Literal("found_payments"),
      page: nullable(Type.String(), { description: "The path of the one page that was meant; null if it was none." }),
      payments: Type.Array(
        Type.Object({
          payment: member(ADDRESS, "Its address."),
          page: Type.String({ description: "The path of its page." }),
          environment: environment(),
          amount: member(PART_UNITS, "The amount in smallest units."),
          asset: nullable(ADDRESS.schema, { description: "The token; null if it is not known." }),
          amountInWords: Type.String({ description: "The amount as pages show it." }),
          createdAt: nullable(timestamp("Its time."), { description: "Its time; null if it is not known." }),
          state: Type.String({ description: "The state of its receipt." }),
        }),
        { description: "The payments, at most 50." },
      ),
      hasMore: Type.Boolean({ description: "True if there are more." }),
    },
    { description: "The payments that a text names." },
  ),
};

export const FIND_PAYMENTS = buyerDeclarations({
  tag: "Payments",
  from: "page",
  path: {},
  errors: ["chain_unavailable"],
})({
  operationId: "findPayments",
  summary: "Find payments",
  description:
    "Finds payments by a pasted text (an id, an address, a signature, a link), or those of a wallet. A transaction that is not recorded yet is looked up on chain.",
  body: buyerBody(
    "Search",
    { account: loose(TEXT, "The wallet, in place of a query."), query: loose(TEXT, "The text.") },
    { query: PAYMENT_EXAMPLES.signature },
  ),
  success: answer(200, "The payments.", "FoundPayments", {
    object: "found_payments",
    page,
    payments: [],
    hasMore: false,
  }),
});
