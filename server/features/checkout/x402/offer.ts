import { createHash, createHmac } from "node:crypto";
import { canonicalJson } from "@holdfast/receipt";
import type { TermsText } from "../../../chain/builder.ts";
import { isAddress } from "../../../domain/addresses.ts";
import { TERMS_NONCE } from "../../../domain/ids.ts";
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
const OFFER_HASH = /^[0-9a-f]{64}$/;
const BITS_63 = (1n << 63n) - 1n;

/**
 * The paymentId of a terms text: 63 bits of an HMAC-SHA256 of the text without its paymentId. The key is the SHA-256 of the
 * merchant's API key, which the merchant's server and this service know.
 */
function paymentIdOf(text: string, keyHash: Uint8Array): string {
  const mac = createHmac("sha256", keyHash).update(text.replace(PAYMENT_ID, '"paymentId":null')).digest();
  return String(mac.readBigUInt64BE(0) & BITS_63 || 1n);
}

/**
 * Reads a terms text that a merchant's server made with its key; null for any other text, and for one that this service would
 * not write. It is kept and shown like the service's own: a name in it would pass for one that was checked.
 */
export function readServerOffer(text: string, keyHash: Uint8Array): ServerOffer | null {
  const paymentId = PAYMENT_ID.exec(text)?.[1];
  if (paymentId === undefined || paymentIdOf(text, keyHash) !== paymentId) return null;
  let said: Readonly<Record<string, unknown>>;
  try {
    said = JSON.parse(text);
  } catch {
    return null;
  }
  const { recipient, amount, asset, protectionPeriod, expiresAt, operator, arbiter, nonce, offer } = said;
  const addresses = [recipient, asset, operator, arbiter];
  const period = PROTECTION_PERIODS.find((one) => one === protectionPeriod);
  const end = new Date(String(expiresAt));
  if (period === undefined || end.getTime() % 1_000 !== 0) return null;
  if (typeof amount !== "string" || !isAmount(amount)) return null;
  if (typeof nonce !== "string" || !TERMS_NONCE.test(nonce)) return null;
  if (offer !== null && (typeof offer !== "string" || !OFFER_HASH.test(offer))) return null;
  if (!addresses.every((one) => typeof one === "string" && isAddress(one))) return null;
  const [to, mint, operatorAddress, judge] = addresses as string[];
  const terms = { recipient: to!, asset: mint!, operator: operatorAddress!, arbiter: judge!, amount, paymentId };
  const own = canonicalJson({
    ...{ ...terms, v: 3, nonce, protectionPeriod: period, expiresAt: end.toISOString(), offer },
    ...{ business: { name: null, domain: null }, refundPolicyHash: null, price: null, quote: null },
  });
  if (own !== text) return null;
  return {
    ...terms,
    protectionPeriod: period,
    expiresAt: end,
    terms: { text, hash: createHash("sha256").update(text).digest("hex") },
  };
}
