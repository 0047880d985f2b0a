import { createHmac, type KeyObject } from "node:crypto";

/** A rolled secret and its successor are both valid for a while (§6.3.4). */
const SECRETS_MAX = 2;

/**
 * The Service-Signature header (§6.3): one `v1` for each valid secret, the newest first. The HMAC key is the UTF-8 bytes of
 * the whole secret as shown, `whsec_` included (§6.3.2).
 */
export function signBody(body: string, secrets: readonly (string | KeyObject)[], unixSeconds: number): string {
  if (secrets.length < 1 || secrets.length > SECRETS_MAX)
    throw new Error(`A delivery is signed with one or two secrets, not ${secrets.length}.`);
  const signed = secrets.map((secret) =>
    createHmac("sha256", secret).update(`${unixSeconds}.`).update(body).digest("hex"),
  );
  return [`t=${unixSeconds}`, ...signed.map((hex) => `v1=${hex}`)].join(",");
}
