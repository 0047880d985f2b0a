import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import { openCheckout } from "../../../../../orders/attempts";

/** Leads a buyer to the checkout of an order that exists. A link in an email may lead here, too. */
export async function GET(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  const checkout = await openCheckout(request.scope, String(request.params.id));
  if (checkout?.state === "open") return response.redirect(303, checkout.checkoutUrl);
  const text = checkout === null ? "There is no such order." : `This order is ${checkout.state}.`;
  response
    .status(checkout === null ? 404 : 409)
    .json({ type: checkout === null ? "not_found" : "conflict", message: text });
}
