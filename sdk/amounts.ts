/** The largest amount that the chain can hold: 2^64 − 1. */
const AMOUNT_MAX = 18_446_744_073_709_551_615n;
const DECIMALS_MAX = 255;

function checkDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > DECIMALS_MAX)
    throw new TypeError("decimals must be a whole number from 0 to 255.");
}

/** Writes an amount of the API in the token's own unit: `toDecimal("24500000", 6)` is "24.5". */
export function toDecimal(amount: string, decimals: number): string {
  checkDecimals(decimals);
  if (!/^\d+$/.test(amount)) throw new TypeError("An amount is a string of digits.");
  const digits = amount.padStart(decimals + 1, "0");
  const [whole, fraction] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)];
  const kept = fraction.replace(/0+$/, "");
  const units = BigInt(whole).toString();
  return kept === "" ? units : `${units}.${kept}`;
}

/**
 * Reads an amount in the token's own unit: `fromDecimal("24.5", 6)` is "24500000". Throws if the token has no such part, or
 * the chain no such amount; nothing is ever rounded.
 */
export function fromDecimal(text: string, decimals: number): string {
  checkDecimals(decimals);
  const [, whole, fraction = ""] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) throw new TypeError('Expected digits, with at most one period: "24.5".');
  const kept = fraction.replace(/0+$/, "");
  if (kept.length > decimals) throw new RangeError(`The token has ${decimals} decimals.`);
  const amount = BigInt(whole + kept.padEnd(decimals, "0"));
  if (amount > AMOUNT_MAX) throw new RangeError(`The largest amount is ${AMOUNT_MAX}.`);
  return amount.toString();
}
