import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import { MedusaError } from "@medusajs/framework/utils";
import { findOrder } from "../../../../../orders/order";
import { readProgress } from "../../../../../orders/progress";
import { paymentPage } from "../../../../../providers/holdfast/provider";

/** An order's progress, with the addresses at which its staff act. */
export async function GET(request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> {
  const order = await findOrder(request.scope, String(request.params.id));
  if (order === null) throw new MedusaError(MedusaError.Types.NOT_FOUND, "Holdfast is not to be paid for this order.");
  const shown = await readProgress(request.scope, order);
  const pages: Record<string, string> = {};
  for (const payment of [shown?.payment, ...(shown?.owed ?? []).map((one) => one.payment)])
    if (payment) pages[payment] = await paymentPage(payment);
  response.json({ progress: shown, pages, pay_path: `/holdfast/orders/${order.id}/pay` });
}
