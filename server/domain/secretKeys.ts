import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Tenant } from "./callers.ts";
import { BASE32, base32, tagOf } from "./ids.ts";

const SECRET = /^sk_(?:test|live)_[0-9a-hjkmnp-tv-z]{4}_[0-9a-hjkmnp-tv-z]{38}$/;
const RANDOM_LENGTH = 32;
const SUM_LENGTH = 6;

/** 30 bits of CRC-32, which runs on every request: it catches mistyped keys, not forged ones. */
const checksum = (body: string): string => base32(crc32(body) >>> 2, SUM_LENGTH);

/**
 * Makes a new API key in full (§5.9.1): the business's tag, 160 random bits and a checksum, so that a mistyped key needs no
 * look-up.
 */
export function newSecretKey({ businessId, environment }: Tenant): string {
  const random = Array.from(randomBytes(RANDOM_LENGTH), (byte) => BASE32[byte & 31]).join("");
  const body = `sk_${environment}_${tagOf(businessId)}_${random}`;
  return body + checksum(body);
}

/** Returns the stored form of an API key, in hex; null if the text is not a key (wrong shape or checksum). */
export function hashSecretKey(secret: string): string | null {
  if (!SECRET.test(secret) || checksum(secret.slice(0, -SUM_LENGTH)) !== secret.slice(-SUM_LENGTH)) return null;
  return hash("sha256", secret, "hex");
}
