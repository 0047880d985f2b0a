/**
 * The terms that the buyer was shown and pays for; a null member is unknown. They never hold metadata or the merchant's
 * reference.
 */
export type Terms = CommonTerms &
  (
    | (Nonce & {
        readonly v: 3;
        /** The price from which the amount was made, and the quote that made it. */
        readonly price: { readonly currency: string; readonly amount: string } | null;
        readonly quote: {
          readonly rate: string;
          readonly source: string;
          readonly at: string;
          readonly until: string;
          readonly spread: string;
        } | null;
        /** SHA-256 of a signed offer, in 64 hex digits. */
        readonly offer: string | null;
      })
    /** The forms of earlier texts. */
    | (Nonce & { readonly v: 2 })
    | { readonly v: 1; readonly intent: string | null }
  );

interface Nonce {
  /** 128 random bits in base64url: nobody can guess the text, and it leads to no intent. */
  readonly nonce: string;
}

interface CommonTerms {
  /** Digits. */
  readonly paymentId: string | null;
  readonly operator: string | null;
  readonly recipient: string | null;
  /** Digits, in the token's smallest unit. */
  readonly amount: string | null;
  /** The mint. */
  readonly asset: string | null;
  readonly protectionPeriod: string | null;
  /** RFC 3339, as the API shows it. */
  readonly expiresAt: string | null;
  readonly arbiter: string | null;
  readonly business: { readonly name: string | null; readonly domain: string | null };
  /** 64 hex digits. */
  readonly refundPolicyHash: string | null;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * Returns the terms text: JSON after RFC 8785 (no white space, names sorted by their UTF-16 units, strings as ECMAScript
 * writes them). It takes only the fields above, so that other members of an object are never hashed.
 */
export function termsText(terms: Terms): string {
  return canonicalJson({
    v: terms.v,
    ...(terms.v === 1 ? { intent: terms.intent } : { nonce: terms.nonce }),
    paymentId: terms.paymentId,
    operator: terms.operator,
    recipient: terms.recipient,
    amount: terms.amount,
    asset: terms.asset,
    protectionPeriod: terms.protectionPeriod,
    expiresAt: terms.expiresAt,
    arbiter: terms.arbiter,
    business: { name: terms.business.name, domain: terms.business.domain },
    refundPolicyHash: terms.refundPolicyHash,
    ...(terms.v === 3 ? { price: priceOf(terms.price), quote: quoteOf(terms.quote), offer: terms.offer } : {}),
  });
}

type Third = Terms & { readonly v: 3 };
const priceOf = (price: Third["price"]) => price && { currency: price.currency, amount: price.amount };
const quoteOf = (quote: Third["quote"]) =>
  quote && { rate: quote.rate, source: quote.source, at: quote.at, until: quote.until, spread: quote.spread };

/** SHA-256 of the terms text in UTF-8, as the 64 hex digits that `createPaymentInstruction` takes. */
export const hashTerms = (terms: Terms): Promise<string> => sha256Of(termsText(terms));

/** SHA-256 in hex digits, of bytes or of a text in UTF-8. */
export async function sha256Of(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** JSON after RFC 8785; refuses what it refuses: lone surrogates, numbers that are not finite, undefined. */
export function canonicalJson(value: Json): string {
  if (typeof value === "string") {
    // JSON.stringify would write a lone surrogate as an escape; two writers would then disagree on the bytes.
    if (!value.isWellFormed()) throw new TypeError("A string of the terms is not well-formed Unicode.");
    return JSON.stringify(value);
  }
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError("A number of the terms is not finite.");
  if (value === null || typeof value === "number" || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value !== "object") throw new TypeError("A value of the terms is not JSON.");
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const names = Object.keys(value).sort((one, other) => (one < other ? -1 : 1));
  return `{${names.map((name) => `${canonicalJson(name)}:${canonicalJson(value[name]!)}`).join(",")}}`;
}

const isList = (value: object): value is readonly Json[] => Array.isArray(value);
