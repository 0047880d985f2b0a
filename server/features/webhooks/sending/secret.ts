import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Sealing } from "../../../domain/sealing.ts";

/** The keys that encrypt signing secrets at rest: every version that may be in use, and the one that encrypts new secrets. */
export interface KeyRing {
  readonly current: number;
  readonly keys: ReadonlyMap<number, Buffer>;
}

/** A secret was encrypted with a key that this process does not have. */
export class MissingKeyError extends Error {
  override readonly name = "MissingKeyError";
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BYTES = 32;

/** Creates a signing secret of 256 random bits (§6.3.6). */
export const newSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;

const STANDARD_SECRET = /^whsec_([A-Za-z0-9+/]{43}=)$/;
/** The bytes of a secret in the standard form; null for the older form, whose whole text is the key. */
export function standardKeyOf(secret: string): Buffer | null {
  const match = STANDARD_SECRET.exec(secret);
  return match === null ? null : Buffer.from(match[1]!, "base64");
}

/** Encrypts a secret with AES-256-GCM, bound to its endpoint: `v<key version>.<nonce, tag, ciphertext>`. */
export function sealSecret(ring: KeyRing, endpointId: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(ring, ring.current), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(endpointId));
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return `v${ring.current}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")}`;
}

/**
 * Decrypts a secret that {@link sealSecret} encrypted. Throws {@link MissingKeyError}, or an error if the text was
 * altered or belongs to another endpoint.
 */
export function openSecret(ring: KeyRing, endpointId: string, sealed: string): string {
  const match = /^v([1-9]\d{0,8})\.([A-Za-z0-9_-]+)$/.exec(sealed);
  if (match === null) throw new Error(`The sealed secret of ${endpointId} has no known form.`);
  const bytes = Buffer.from(match[2]!, "base64url");
  const opener = createDecipheriv("aes-256-gcm", keyOf(ring, Number(match[1])), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  opener.setAAD(Buffer.from(endpointId));
  opener.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return opener.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + opener.final("utf8");
}

/** Encrypts further secrets of the deployment with the same keys. */
export const sealingOf = (ring: KeyRing): Sealing => ({
  seal: (boundTo, text) => sealSecret(ring, boundTo, text),
  open: (boundTo, sealed) => openSecret(ring, boundTo, sealed),
  prefix: `v${ring.current}.`,
});

function keyOf(ring: KeyRing, version: number): Buffer {
  const key = ring.keys.get(version);
  if (key === undefined) throw new MissingKeyError(`The key-encryption key of version ${version} is missing.`);
  return key;
}

/** Creates the first ring of a local run. */
export const newKeyRing = (): KeyRing => ({ current: 1, keys: new Map([[1, randomBytes(KEY_BYTES)]]) });

/**
 * Parses `{ "current": 2, "keys": { "1": "<base64 of 32 bytes>", "2": "…" } }`. Throws an error whose message contains
 * none of the keys.
 */
export function readKeyRing(text: string): KeyRing {
  const wrong = (what: string) => new Error(`The webhook keys are not usable: ${what}.`);
  let given: { current?: unknown; keys?: unknown } | null;
  try {
    given = JSON.parse(text) as typeof given;
  } catch {
    throw wrong("they are not valid JSON");
  }
  if (typeof given?.keys !== "object" || given.keys === null) throw wrong('"keys" must be an object');
  const keys = new Map<number, Buffer>();
  for (const [version, value] of Object.entries(given.keys)) {
    if (!/^[1-9]\d{0,8}$/.test(version)) throw wrong("a version must be a whole number from 1");
    const key = Buffer.from(String(value), "base64");
    if (key.length !== KEY_BYTES) throw wrong(`version ${version} must be the base64 of ${KEY_BYTES} bytes`);
    keys.set(Number(version), key);
  }
  if (typeof given.current !== "number" || !keys.has(given.current)) throw wrong('"current" must name one of "keys"');
  return { current: given.current, keys };
}

export const showKeyRing = ({ current, keys }: KeyRing) => ({
  current,
  keys: Object.fromEntries([...keys].map(([version, key]) => [String(version), key.toString("base64")])),
});
