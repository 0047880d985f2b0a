import { idColumn } from "../../domain/ids.ts";
import { type FieldsOf, nullable, smallint, table, text, time, word } from "../../lib/columns.ts";

/** Fulfillments of one intent. */
export const FULFILLMENTS_MAX = 20;

/** Facts about a delivery that the merchant recorded. They are never changed. */
export const FULFILLMENTS = table("fulfillments", {
  businessId: word(),
  id: idColumn("ff", { example: "ff_01a1fc0b3f5d6aa1dfb6bc9487e1991e" }),
  intentId: word({ as: "intent", says: "Id of its intent.", example: "pi_test_01a1fc0a61ca6aa1dc5681f996bdf948" }),
  number: smallint(),
  carrier: nullable(text({ says: "The carrier's name; null if none was given.", example: "DHL" })),
  trackingNumber: nullable(
    text({ says: "The carrier's number; null if none was given.", example: "00340434161094042557" }),
  ),
  link: nullable(
    text({
      says: "An https link for following the delivery; null if none was given.",
      example: "https://tracking.example/00340434161094042557",
    }),
  ),
  sentAt: nullable(
    time({ says: "The time of dispatch, by your word; null if none was given.", example: "2026-11-21T09:00:00.000Z" }),
  ),
  deliveredAt: nullable(time({ says: "The time of delivery, by your word; null if none was given." })),
  recordedAt: time({ says: "The time at which it was recorded here.", example: "2026-11-21T09:05:11.204Z" }),
  /** The id of a user or of a key. */
  recordedBy: word(),
});
export type Fulfillment = FieldsOf<typeof FULFILLMENTS.columns>;
