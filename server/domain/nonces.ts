import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const HEAD_BYTES = 8;
const MAC_BYTES = 16;
const NONCE = /^[0-9a-f]{48}$/;

/**
 * Makes a nonce that says until when it holds, in whole seconds, and by a secret of the deployment what it is for. So
 * strangers can ask for challenges, and nothing is kept of one before it was answered.
 */
export function newNonce(secret: Buffer, facts: readonly string[], expiresAt: Date): string {
  const head = randomBytes(HEAD_BYTES);
  head.writeUInt32BE(Math.floor(expiresAt.getTime() / 1_000));
  return Buffer.concat([head, macOf(secret, facts, head)]).toString("hex");
}

/** Reads the end of a nonce; null if the deployment made none such for these facts. */
export function readNonce(secret: Buffer, facts: readonly string[], nonce: unknown): Date | null {
  if (typeof nonce !== "string" || !NONCE.test(nonce)) return null;
  const bytes = Buffer.from(nonce, "hex");
  const [head, mac] = [bytes.subarray(0, HEAD_BYTES), bytes.subarray(HEAD_BYTES)];
  return timingSafeEqual(mac, macOf(secret, facts, head)) ? new Date(head.readUInt32BE() * 1_000) : null;
}

const macOf = (secret: Buffer, facts: readonly string[], head: Buffer): Buffer =>
  createHmac("sha256", secret)
    .update(JSON.stringify([...facts, head.toString("hex")]))
    .digest()
    .subarray(0, MAC_BYTES);
