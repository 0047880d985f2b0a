import type { Components } from "../../edge/http/declaration.ts";
import { shownObject } from "../../edge/http/objects.ts";
import { listOf } from "../../edge/http/schemas.ts";
import { SHOWN_ENTRY } from "./fragments.ts";

export const PAYMENT_VALUE = shownObject(
  "payment_value",
  SHOWN_ENTRY,
  "A movement of a payment's funds, with its value in the business's reporting currency on that day.",
);
export const ratesComponents: Components = {
  PaymentValue: PAYMENT_VALUE.schema,
  PaymentValueList: listOf("PaymentValue", "Values"),
};
