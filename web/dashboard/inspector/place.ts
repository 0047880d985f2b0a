import type { NavigateOptions } from "@tanstack/react-router";
import type { Inspection } from "../api/schema.ts";

/** The page of the object that was found. */
export function placeOf(
  path: { business: string; environment: "test" | "live" },
  { kind, id }: Inspection,
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
    case "api_key":
      return { to: "/$business/$environment/requests", params: path, search: { key: id } };
  }
}

const SECRET = /(?:sk_(?:test|live)_|whsec_)\S/;
/** True for a key or a signing secret: it must not be sent. */
export const isSecret = (text: string): boolean => SECRET.test(text);

/** The environment that an id names; null if it names none. */
export const environmentIn = (text: string): "test" | "live" | null =>
  (/\b(?:pi|evt)_(test|live)_[0-9a-f]{32}\b/.exec(text)?.[1] as "test" | "live" | undefined) ?? null;
