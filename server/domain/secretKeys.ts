import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { CELLS_MAX } from "./ids.ts";
import type { Environment } from "./terms.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const SECRET = /^(sk_(?:test|live)_[a-z2-7]{32})([a-z2-7]{6})$/;

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
const checksum = (body: string): number => crc32(body) >>> 2;

/** What a cell's number adds to the checksums of its keys. Any two differ in several digits, so no mistyped digit leads elsewhere. */
const MARKS = Array.from({ length: CELLS_MAX }, (_, cell) => (cell === 0 ? 0 : checksum(`cell ${cell}`)));
const cellOfMark = new Map(MARKS.map((mark, cell) => [mark, cell]));

/** Makes a new API key in full (§5.9.1): 160 random bits and a checksum, which also names the cell. */
export function newSecretKey(environment: Environment, cell = 0): string {
  const body = `sk_${environment}_${base32(randomBytes(20), 32)}`;
  const sum = checksum(body) ^ MARKS[cell]!;
  return body + [25, 20, 15, 10, 5, 0].map((shift) => ALPHABET[(sum >>> shift) & 31]).join("");
}

/** Returns the cell of a key; null if the text is not a key (wrong shape or checksum), so that it needs no look-up. */
export function cellOfKey(secret: string): number | null {
  const [, body, digits] = SECRET.exec(secret) ?? [];
  if (body === undefined) return null;
  let sum = 0;
  for (const digit of digits!) sum = sum * 32 + ALPHABET.indexOf(digit);
  return cellOfMark.get(sum ^ checksum(body)) ?? null;
}

/** Returns the stored form of an API key, in hex; null if the text is not a key. */
export const hashSecretKey = (secret: string): string | null =>
  cellOfKey(secret) === null ? null : hash("sha256", secret, "hex");
