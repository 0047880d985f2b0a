import { createHmac, randomBytes } from "node:crypto";
import type { AnyEvent } from "@holdfast/sdk";

/** A secret in the form of the service's new ones. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** The headers of a delivery of this body, signed by both schemes, as the service sends them. */
export function signedHeaders(event: AnyEvent, body: string, secret: string, now = new Date()): Record<string, string> {
  const time = Math.floor(now.getTime() / 1000);
  const own = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const standard = createHmac("sha256", key).update(`${event.id}.${time}.${body}`).digest("base64");
  return {
    "Content-Type": "application/json",
    "User-Agent": "Service-Webhooks/1.0",
    "Service-Event-Id": event.id,
    "Service-Event-Type": event.type,
    "Service-Event-Sequence": event.sequence,
    "Service-Api-Version": event.apiVersion,
    "Service-Signature": `t=${time},v1=${own}`,
    "webhook-id": event.id,
    "webhook-timestamp": String(time),
    "webhook-signature": `v1,${standard}`,
  };
}
