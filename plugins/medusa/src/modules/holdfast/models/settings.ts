import { model } from "@medusajs/framework/utils";

/** The only row holds the choices of the shop's staff, and the position up to which the events are read. */
export const HoldfastSettings = model.define("holdfast_settings", {
  id: model.text().primaryKey(),
  recipient: model.text().nullable(),
  protection_period: model.text(),
  /** By the currency's code in small letters: the token's mint, and whether the service is given a price or an amount. */
  tokens: model.json(),
  cursor: model.text(),
});
