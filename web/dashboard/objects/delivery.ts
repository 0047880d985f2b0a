import type { Tone } from "@holdfast/ui/badge.tsx";
import type { WebhookDelivery } from "../api/schema.ts";

export const DELIVERY_STATUSES: Readonly<Record<WebhookDelivery["status"], readonly [Tone, string]>> = {
  pending: ["wait", "Pending"],
  succeeded: ["good", "Succeeded"],
  abandoned: ["bad", "Abandoned"],
};

/** Why an attempt failed, by its class; the delivery's page has it in a sentence. */
export const ERROR_CLASSES: Readonly<Record<NonNullable<WebhookDelivery["errorClass"]>, string>> = {
  redirect: "Redirect (3xx)",
  client_error: "Client error (4xx)",
  server_error: "Server error (5xx)",
  timeout: "No answer in time",
  dns: "DNS look-up failed",
  address: "Address not allowed",
  connection: "Connection failed",
  tls: "TLS failed",
  protocol: "Not HTTP",
  other: "No answer",
};
