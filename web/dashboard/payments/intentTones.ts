import type { Tone } from "@holdfast/ui/badge.tsx";
import type { ListedPaymentIntent } from "../api/schema.ts";

/** An intent waits for its buyer: nobody of the business has to do anything. */
export const INTENT_TONES: Readonly<Record<ListedPaymentIntent["status"], Tone>> = {
  requires_payment: "info",
  paid: "good",
  expired: "neutral",
  canceled: "neutral",
};
