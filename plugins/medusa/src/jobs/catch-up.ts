import type { MedusaContainer } from "@medusajs/framework/types";
import { catchUp } from "../orders/events";

export default async function catchUpJob(container: MedusaContainer): Promise<void> {
  await catchUp(container);
}

export const config = {
  name: "holdfast-catch-up",
  schedule: { interval: 10_000, concurrency: "forbid" },
};
