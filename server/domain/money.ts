/** The spelling of an amount; {@link isAmount} also checks that it is at most 2^64−1. */
export const AMOUNT = /^[1-9][0-9]{0,19}$/;
/** The spelling of a part of an amount: an amount, or zero. */
export const PART_AMOUNT = /^(?:0|[1-9][0-9]{0,19})$/;
const U64_MAX = 18_446_744_073_709_551_615n;

/** Digits without sign, point or leading zero, 1 … 2^64−1 (what a token account can hold). */
export const isAmount = (text: string): boolean => AMOUNT.test(text) && BigInt(text) <= U64_MAX;

/** Formats an amount for people: "12.5" for 12500000 with 6 decimals. */
export function formatUnits(amount: string, decimals: number): string {
  if (decimals === 0) return amount;
  const padded = amount.padStart(decimals + 1, "0");
  const fraction = padded.slice(-decimals).replace(/0+$/, "");
  const whole = padded.slice(0, -decimals);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** A number of whole tokens, as people write it: `digits` without the point, of which `places` stand behind it. */
export interface TokenAmount {
  readonly digits: bigint;
  readonly places: number;
}

/** As many digits as an amount may have, on either side of the point. */
export const TOKEN_AMOUNT = /^([0-9]{1,20})(?:\.([0-9]{1,20}))?$/;

/** Parses a number of whole tokens, such as "48.50"; null for any other text. */
export function parseTokenAmount(text: string): TokenAmount | null {
  const [, whole, fraction = ""] = TOKEN_AMOUNT.exec(text) ?? [];
  if (whole === undefined) return null;
  const places = fraction.replace(/0+$/, "");
  return { digits: BigInt(whole + places), places: places.length };
}

/** The same in the smallest units of a token with these decimals; null for a fraction of one. */
export const unitsOf = ({ digits, places }: TokenAmount, decimals: number): string | null =>
  places > decimals ? null : String(digits * 10n ** BigInt(decimals - places));

/** Returns true if an amount in smallest units is at least `min` and at most `max` whole tokens; null: no bound. */
export function isBetween(amount: string, decimals: number, min: TokenAmount | null, max: TokenAmount | null): boolean {
  const differenceTo = ({ digits, places }: TokenAmount): bigint =>
    BigInt(amount) * 10n ** BigInt(places) - digits * 10n ** BigInt(decimals);
  return (min === null || differenceTo(min) >= 0n) && (max === null || differenceTo(max) <= 0n);
}
