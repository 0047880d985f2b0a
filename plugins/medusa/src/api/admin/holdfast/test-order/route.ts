import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import { placeTestOrder } from "../../../../orders/testOrder";

/** Places an order to try the settings with. */
export async function POST(request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> {
  response.json({ order_id: await placeTestOrder(request.scope) });
}
