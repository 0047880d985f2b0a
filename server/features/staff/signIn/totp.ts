import { createHmac, randomBytes } from "node:crypto";

/** Codes of an authenticator app: RFC 6238 with SHA-1, 30 seconds and six digits, which every app supports. */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** Accepted steps before and after the current one: clocks differ, and people type slowly. */
const STEPS_AROUND = 1;
const SECRET_BYTES = 20;

export const newTotpSecret = (): string => base32(randomBytes(SECRET_BYTES));

export const stepAt = (at: Date): number => Math.floor(at.getTime() / 1_000 / STEP_SECONDS);

/** The code of a step (RFC 4226). */
export function totpCode(secret: Uint8Array, step: number, { digits = DIGITS, algorithm = "sha1" } = {}): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac(algorithm, secret).update(counter).digest();
  const number = mac.readUInt32BE(mac[mac.length - 1]! & 0xf) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** The steps around `now` that have this code, oldest first; usually none. */
export function stepsOfCode(secret: string, code: string, now: Date): number[] {
  const bytes = readBase32(secret);
  const present = stepAt(now);
  const steps = Array.from({ length: 2 * STEPS_AROUND + 1 }, (_, index) => present - STEPS_AROUND + index);
  return steps.filter((step) => totpCode(bytes, step) === code);
}

/** The content of the QR code for an app. */
export const totpUri = (issuer: string, email: string, secret: string): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(email)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

export function readBase32(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
