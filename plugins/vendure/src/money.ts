const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;

/**
 * An amount of the shop in the decimals of its currency, such as "24.50". The shop has `precision` decimals in every
 * currency, two unless its configuration says more.
 */
export function moneyText(amount: number, currency: string, precision: number): string {
  const decimals = decimalsOf(currency);
  const unit = 10n ** BigInt(Math.max(precision - decimals, 0));
  const minor = ((BigInt(amount) + unit / 2n) / unit) * 10n ** BigInt(Math.max(decimals - precision, 0));
  const digits = minor.toString().padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The part of an order's total that went back, from the token's amounts: rounded down, and the whole for the whole. */
export const refundedShare = (refundTotal: string, amount: string, total: number): number =>
  refundTotal === amount ? total : Number((BigInt(total) * BigInt(refundTotal)) / BigInt(amount));

/** The smallest refund in tokens of which the share is at least this much. */
export const tokensOf = (share: number, amount: string, total: number): bigint =>
  (BigInt(share) * BigInt(amount) + BigInt(total) - 1n) / BigInt(total);
