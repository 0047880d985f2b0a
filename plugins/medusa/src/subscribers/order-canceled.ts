import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework";
import { cancelCheckout } from "../orders/attempts";

/** An order that a workflow canceled, without the admin API. */
export default async function orderCanceled({ event, container }: SubscriberArgs<{ id: string }>): Promise<void> {
  await cancelCheckout(container, event.data.id);
}

export const config: SubscriberConfig = { event: "order.canceled" };
