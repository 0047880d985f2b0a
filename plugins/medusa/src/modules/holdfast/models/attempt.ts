import { model } from "@medusajs/framework/utils";

/** An attempt to pay an order. It is saved before its intent is made, and its number is in the Idempotency-Key. Its intent is empty if the service refused it. */
export const HoldfastAttempt = model
  .define("holdfast_attempt", {
    id: model.id({ prefix: "hfat" }).primaryKey(),
    order_id: model.text(),
    number: model.number(),
    intent: model.text().nullable(),
  })
  .indexes([{ on: ["order_id", "number"], unique: true }]);
