import { ADDRESS } from "../../domain/values.ts";
import { buyerDeclarations } from "../../edge/buyer/door.ts";
import { describedElsewhere } from "../../edge/http/objects.ts";
import { pathPart } from "../../edge/http/parameters.ts";
import { PAYMENT_EXAMPLES } from "../payments/payment.ts";

const declare = buyerDeclarations({ tag: "Payments", from: "link", path: {}, errors: [] });

export const GET_RECEIPT = declare({
  operationId: "getReceipt",
  path: { address: pathPart(ADDRESS, "The payment's address.", PAYMENT_EXAMPLES.id) },
  summary: "Get a receipt",
  description: "The signed receipt of a payment. With its `key` in the query it has the order, too.",
  success: describedElsewhere("The signed receipt (§15.2).", { object: "receipt", v: 1 }),
  errors: ["not_found", "chain_unavailable"],
});
export const GET_DEPLOYMENT = declare({
  operationId: "getDeployment",
  from: "open",
  summary: "Get the keys of receipts",
  description: "The keys by which receipts are verified, the newest first.",
  success: describedElsewhere("The keys (§15.6).", { object: "deployment", v: 1 }),
});
