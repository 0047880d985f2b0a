import { createHmac, randomBytes } from "node:crypto";

/** The members of an event that its delivery names in headers. */
export interface SignedEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: string | null;
  readonly apiVersion: string;
}

/** A secret in the form of the service's new ones. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** Secrets of the old form sign by the service's own scheme alone. */
const isNewForm = (secret: string): boolean => /^whsec_[A-Za-z0-9+/]{43}=$/.test(secret);

const hexOf = (secret: string, time: number, body: string): string =>
  createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
const base64Of = (secret: string, id: string, time: number, body: string): string =>
  createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
    .update(`${id}.${time}.${body}`)
    .digest("base64");

/** The headers of a delivery of this body, signed by both schemes with each of the secrets, as the service sends them. */
export function signedHeaders(
  event: SignedEvent,
  body: string,
  secrets: string | readonly string[],
  now = new Date(),
): Record<string, string> {
  const time = Math.floor(now.getTime() / 1000);
  const all = typeof secrets === "string" ? [secrets] : secrets;
  const own = all.map((secret) => `v1=${hexOf(secret, time, body)}`);
  const standard = all.filter(isNewForm).map((secret) => `v1,${base64Of(secret, event.id, time, body)}`);
  return {
    "Content-Type": "application/json",
    "User-Agent": "Service-Webhooks/1.0",
    "Service-Event-Id": event.id,
    "Service-Event-Type": event.type,
    ...(event.sequence === null ? {} : { "Service-Event-Sequence": event.sequence }),
    "Service-Api-Version": event.apiVersion,
    "Service-Signature": [`t=${time}`, ...own].join(","),
    ...(standard.length === 0
      ? {}
      : { "webhook-id": event.id, "webhook-timestamp": String(time), "webhook-signature": standard.join(" ") }),
  };
}
