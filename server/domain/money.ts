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
