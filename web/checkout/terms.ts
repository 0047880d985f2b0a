import { UnexpectedBytesError } from "@holdfast/decoder";
import type { PageTerms } from "./data.ts";

/**
 * Returns the SHA-256, in hex, of a terms text that has exactly the values on the page (§4.13.2); throws for any other
 * text. Only its nonce is not on the page.
 */
export async function hashTerms(
  text: string,
  arbiter: string,
  shown: PageTerms,
  decimals: number | null,
): Promise<string> {
  if (!isPriced(shown, decimals)) throw new UnexpectedBytesError("the amount is not that of the price and its rate");
  const { price, quote } = shown;
  const { operator, recipient, mint, amount, paymentId, protectionPeriod, business, refundPolicyHash } = shown;
  const expected = {
    v: 3,
    nonce: readNonce(text),
    paymentId,
    operator,
    recipient,
    amount,
    asset: mint,
    protectionPeriod,
    expiresAt: new Date(shown.expiresAt * 1_000).toISOString(),
    arbiter,
    business,
    refundPolicyHash,
    price,
    quote,
    offer: null,
  };
  if (text !== canonicalJson(expected))
    throw new UnexpectedBytesError("the terms are others, or the shop has changed them: load this page again");
  // Browsers have it only for sites with https.
  if (crypto.subtle === undefined) throw new UnexpectedBytesError("without https the terms cannot be checked");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** True if the amount is price times rate, rounded up to the token's unit, or there is no price. */
export function isPriced({ amount, price, quote }: PageTerms, decimals: number | null): boolean {
  if (price === null || quote === null) return price === quote;
  if (decimals === null) return false;
  const [[whole, part = ""], [rate, rest = ""]] = [price.amount.split("."), quote.rate.split(".")] as [
    [string, string?],
    [string, string?],
  ];
  const digits = BigInt(whole + part) * BigInt(rate + rest);
  const places = part.length + rest.length - decimals;
  const unit = 10n ** BigInt(Math.abs(places));
  return BigInt(amount) === (places > 0 ? (digits + unit - 1n) / unit : digits * unit);
}

const readNonce = (text: string): string => /"nonce":"([\w-]{22})"/.exec(text)?.[1] ?? "";

/** Writes an object of texts, small integers and objects in the form of RFC 8785. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    one !== null && typeof one === "object"
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
