import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import { MedusaError } from "@medusajs/framework/utils";
import { readIntentOf } from "../../../../../orders/attempts";

/** The state of an order for the page to which its buyer comes back. It reads; events decide. */
export async function GET(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  const id = String(request.params.id);
  const found = await readIntentOf(request.scope, id);
  if (found === null) throw new MedusaError(MedusaError.Types.NOT_FOUND, "There is no such order.");
  response.json({ order_id: id, ...found });
}
