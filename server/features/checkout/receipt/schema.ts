import { ADDRESS, column, environmentWord, PART_UNITS, TEXT } from "../../../domain/values.ts";
import { buyerBody, loose } from "../../../edge/buyer/body.ts";
import { buyerDeclarations } from "../../../edge/buyer/door.ts";
import { parts, shownAnswer, shownObject } from "../../../edge/http/objects.ts";
import { flag, nullable, text, time, word } from "../../../lib/columns.ts";
import { PAYMENT_EXAMPLES } from "../../payments/payment.ts";
import type { ReceiptState } from "./receipt.ts";

const { id, amount, asset } = PAYMENT_EXAMPLES;
const page = `/pay/p/${id}`;

export const FOUND_PAYMENTS = shownObject(
  "found_payments",
  {
    page: nullable(text({ says: "The path of the one page that was meant; null if it was none.", example: page })),
    payments: parts(
      {
        payment: column(ADDRESS, { says: "Its address.", example: id }),
        page: text({ says: "The path of its page.", example: page }),
        environment: environmentWord,
        amount: column(PART_UNITS, { says: "The amount in smallest units.", example: amount }),
        asset: nullable(column(ADDRESS, { says: "The token; null if it is not known.", example: asset })),
        amountInWords: text({ says: "The amount as pages show it.", example: "24.50 USDC" }),
        createdAt: nullable(time({ says: "Its time; null if it is not known." })),
        state: word<ReceiptState>({ says: "The state of its receipt.", example: "protected" }),
      },
      "The payments, at most 50.",
    ),
    hasMore: flag({ says: "True if there are more.", example: false }),
  },
  "The payments that a text names.",
);

export const FIND_PAYMENTS = buyerDeclarations({
  ...{ tag: "Payments", from: "page", path: {}, errors: ["chain_unavailable"] },
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
  success: shownAnswer(200, "The payments.", FOUND_PAYMENTS),
});
