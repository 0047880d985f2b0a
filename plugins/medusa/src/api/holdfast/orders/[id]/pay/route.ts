import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import { ContainerRegistrationKeys } from "@medusajs/framework/utils";
import { openCheckout } from "../../../../../orders/attempts";

/** Leads a buyer to the checkout of an order that exists. A link in an email may lead here, too. */
export async function GET(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  const id = String(request.params.id);
  const checkout = await openCheckout(request.scope, id).catch((error: Error) => error);
  if (checkout instanceof Error) {
    request.scope
      .resolve(ContainerRegistrationKeys.LOGGER)
      .error(`Holdfast: ${id} cannot be paid: ${checkout.message}`);
    const message = "This order cannot be paid at the moment. Try again later.";
    return void response.status(503).json({ type: "unavailable", message });
  }
  if (checkout?.state === "open") return response.redirect(303, checkout.checkoutUrl);
  const text = checkout === null ? "There is no such order." : `This order is ${checkout.state}.`;
  response
    .status(checkout === null ? 404 : 409)
    .json({ type: checkout === null ? "not_found" : "conflict", message: text });
}
