import { model } from "@medusajs/framework/utils";

/** One row: what the shop's staff choose, and the position up to which the events are read. */
export const HoldfastSettings = model.define("holdfast_settings", {
  id: model.text().primaryKey(),
  recipient: model.text().nullable(),
  protection_period: model.text(),
  /** By the currency's code in small letters: the token's mint, and whether the service is given a price or an amount. */
  tokens: model.json(),
  cursor: model.text(),
});
