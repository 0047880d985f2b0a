import type { NavigateOptions } from "@tanstack/react-router";
import type { Inspection } from "./api/schema.ts";

/** The page of an object; a key has none of its own, so its requests are listed. */
export function placeOf(
  path: { readonly business: string; readonly environment: "test" | "live" },
  kind: Inspection["kind"],
  id: string,
): NavigateOptions {
  switch (kind) {
    case "payment_intent":
      return { to: "/$business/$environment/intents/$intent", params: { ...path, intent: id } };
    case "payment":
      return { to: "/$business/$environment/payments/$payment", params: { ...path, payment: id } };
    case "event":
      return { to: "/$business/$environment/events/$event", params: { ...path, event: id } };
    case "webhook_endpoint":
      return { to: "/$business/$environment/webhooks/$endpoint", params: { ...path, endpoint: id } };
    case "webhook_delivery":
      return { to: "/$business/$environment/deliveries/$delivery", params: { ...path, delivery: id } };
    case "request":
      return { to: "/$business/$environment/requests/$request", params: { ...path, request: id } };
    case "transaction":
      return { to: "/$business/$environment/transactions/$signature", params: { ...path, signature: id } };
    case "sender":
      return { to: "/$business/$environment/payments", params: path, search: { sender: id } };
    case "api_key":
      return { to: "/$business/$environment/requests", params: path, search: { key: id } };
  }
}
