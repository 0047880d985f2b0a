import { createHash, createHmac } from "node:crypto";
import type { TermsText } from "../../../chain/builder.ts";
import { isAddress } from "../../../domain/addresses.ts";
import { isAmount } from "../../../domain/money.ts";
import { PROTECTION_PERIODS, type Terms } from "../../../domain/terms.ts";

/** An offer that a merchant's server made by itself, as its terms text says it. */
export interface ServerOffer extends Terms {
  readonly paymentId: string;
  readonly expiresAt: Date;
  readonly operator: string;
  readonly arbiter: string;
  readonly terms: TermsText;
}

const PAYMENT_ID = /"paymentId":"([1-9]\d{0,18})"/;
const BITS_63 = (1n << 63n) - 1n;

/**
 * The paymentId of a terms text: 63 bits of an HMAC-SHA256 of the text without its paymentId. The key is the SHA-256 of the
 * merchant's API key, which the merchant's server and this service know.
 */
function paymentIdOf(text: string, keyHash: Uint8Array): string {
  const mac = createHmac("sha256", keyHash).update(text.replace(PAYMENT_ID, '"paymentId":null')).digest();
  return String(mac.readBigUInt64BE(0) & BITS_63 || 1n);
}

/** Reads a terms text that a merchant's server made with its key; null for any other text. */
export function readServerOffer(text: string, keyHash: Uint8Array): ServerOffer | null {
  const paymentId = PAYMENT_ID.exec(text)?.[1];
  if (paymentId === undefined || paymentIdOf(text, keyHash) !== paymentId) return null;
  // The MAC holds: this is what the merchant's server wrote, which may still be wrong.
  let said: Readonly<Record<string, unknown>>;
  try {
    said = JSON.parse(text);
  } catch {
    return null;
  }
  const { recipient, amount, asset, protectionPeriod, expiresAt, operator, arbiter, v } = said;
  const addresses = [recipient, asset, operator, arbiter];
  const period = PROTECTION_PERIODS.find((one) => one === protectionPeriod);
  const end = new Date(String(expiresAt));
  if (v !== 3 || said.paymentId !== paymentId || period === undefined || end.getTime() % 1_000 !== 0) return null;
  if (typeof amount !== "string" || !isAmount(amount)) return null;
  if (!addresses.every((one) => typeof one === "string" && isAddress(one))) return null;
  const [to, mint, operatorAddress, judge] = addresses as string[];
  return {
    ...{ recipient: to!, asset: mint!, operator: operatorAddress!, arbiter: judge!, amount, paymentId },
    protectionPeriod: period,
    expiresAt: end,
    terms: { text, hash: createHash("sha256").update(text).digest("hex") },
  };
}
