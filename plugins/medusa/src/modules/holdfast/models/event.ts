import { model } from "@medusajs/framework/utils";

/** An event of the service, stored before it is answered. Its id is that of the service, so a repeat is no second row. */
export const HoldfastEvent = model.define("holdfast_event", {
  id: model.text().primaryKey(),
  order_id: model.text().index(),
  body: model.json(),
  handled_at: model.dateTime().nullable(),
});
