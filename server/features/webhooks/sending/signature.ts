import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { standardKeyOf } from "./secret.ts";

/** A signing secret as the keys of its two schemes. */
export interface SigningKeys {
  /** The whole secret as shown (§6.3.2). */
  readonly whole: KeyObject;
  /** The bytes of a secret in the standard form (§6.8); null if it has another form. */
  readonly standard: KeyObject | null;
}

export function signingKeys(secret: string): SigningKeys {
  const standard = standardKeyOf(secret);
  return {
    whole: createSecretKey(secret, "utf8"),
    standard: standard === null ? null : createSecretKey(standard),
  };
}

/** A rolled secret and its successor are both valid during the grace (§6.3.4). */
const SECRETS_MAX = 2;

/**
 * The Service-Signature header (§6.3): one `v1` for each valid secret, newest first. The HMAC key is the UTF-8 bytes
 * of the whole secret as shown, `whsec_` included (§6.3.2).
 */
export function signBody(body: string, secrets: readonly (string | KeyObject)[], unixSeconds: number): string {
  if (secrets.length < 1 || secrets.length > SECRETS_MAX)
    throw new Error(`A delivery is signed with one or two secrets, not ${secrets.length}.`);
  const signed = secrets.map((secret) =>
    createHmac("sha256", secret).update(`${unixSeconds}.`).update(body).digest("hex"),
  );
  return [`t=${unixSeconds}`, ...signed.map((hex) => `v1=${hex}`)].join(",");
}

/**
 * The headers of Standard Webhooks (§6.8), with a signature for each secret in the standard form; none if no secret
 * has it. Their id and time are those of the other headers.
 */
export function standardHeaders(
  eventId: string,
  body: string,
  secrets: readonly SigningKeys[],
  unixSeconds: number,
): Readonly<Record<string, string>> {
  const signatures = secrets
    .map(({ standard }) => standard)
    .filter((key) => key !== null)
    .map((key) => `v1,${createHmac("sha256", key).update(`${eventId}.${unixSeconds}.`).update(body).digest("base64")}`);
  if (signatures.length === 0) return {};
  return {
    "webhook-id": eventId,
    "webhook-timestamp": String(unixSeconds),
    "webhook-signature": signatures.join(" "),
  };
}
