import type { Tone } from "@holdfast/ui/badge.tsx";
import type { StaffEvent } from "../api/schema.ts";

/** What happened, in a sentence, and whether it is good news. A type that the API has and this list has not does not compile. */
export const EVENT_TEXTS: Readonly<Record<StaffEvent["type"], readonly [Tone, string]>> = {
  "payment_intent.created": ["neutral", "The intent was created."],
  "payment_intent.paid": ["good", "The intent was paid."],
  "payment_intent.paid_late": ["wait", "The intent was paid late."],
  "payment_intent.duplicate_payment": ["wait", "A further payment of a paid intent was found."],
  "payment_intent.payment_mismatch": ["bad", "A payment was found that is not on the intent's terms. It is not bound."],
  "payment_intent.expired": ["neutral", "The intent expired unpaid."],
  "payment_intent.canceled": ["neutral", "The intent was canceled."],
  "payment.protected": ["good", "The payment is protected: the buyer may dispute it."],
  "payment.disputed": ["bad", "The buyer disputed the payment."],
  "payment.released": ["good", "The payment is paid out, and funds went to the recipient."],
  "payment.refunded": ["wait", "The payment is paid out, and all funds went back to the buyer."],
  "payment.partially_refunded": ["wait", "A part went back to the buyer."],
  "payment.decided": ["info", "It is decided who gets what, and a part has yet to leave."],
  "payment.settleable": ["info", "The deadline passed: the payment can be settled."],
  "payment.reverted": ["bad", "The chain dropped the payment before it was final."],
  "webhook_endpoint.disabled": ["bad", "An endpoint was disabled after five deliveries in a row were abandoned."],
  "events.restored": ["wait", "The service was restored from a copy: the sequence has a gap."],
};

const TYPES = Object.keys(EVENT_TEXTS);
const GROUPS = [...new Set(TYPES.map((type) => `${type.split(".", 1)[0]}.*`))];

/** What a list of events can be filtered by. */
export const TYPE_OPTIONS: readonly (readonly [value: string, text: string])[] = [
  ["", "Any"],
  ...GROUPS.map((group) => [group, group] as const),
  ...TYPES.map((type) => [type, type] as const),
];
