import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Environment } from "./terms.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const SECRET = /^sk_(test|live)_([a-z2-7]{32})([a-z2-7]{6})$/;

const base32 = (bytes: Uint8Array, length: number): string => {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0x1fff;
    bits += 8;
    while (bits >= 5) {
      text += ALPHABET[(value >>> (bits - 5)) & 31];
      bits -= 5;
    }
  }
  return text.slice(0, length);
};

/** 30 bits of CRC-32, which runs on every request: it catches mistyped keys, not forged ones. */
function checksum(body: string): string {
  const sum = crc32(body);
  let text = "";
  for (let shift = 27; shift > 0; shift -= 5) text += ALPHABET[(sum >>> shift) & 31];
  return text;
}

/** Makes a new API key in full (§5.9.1): 160 random bits and a checksum, so that a mistyped key needs no look-up. */
export function newSecretKey(environment: Environment): string {
  const body = `sk_${environment}_${base32(randomBytes(20), 32)}`;
  return body + checksum(body);
}

/** Returns the stored form of an API key, in hex; null if the text is not a key (wrong shape or checksum). */
export function hashSecretKey(secret: string): string | null {
  const match = SECRET.exec(secret);
  if (match === null) return null;
  const sum = match[3]!;
  if (checksum(secret.slice(0, -sum.length)) !== sum) return null;
  return hash("sha256", secret, "hex");
}
