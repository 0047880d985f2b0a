import type { BigNumberInput } from "@medusajs/framework/types";
import { defaultCurrencies, MathBN } from "@medusajs/framework/utils";

const DECIMALS_UNKNOWN = 2;

const decimalsOf = (currency: string): number =>
  defaultCurrencies[currency.toUpperCase()]?.decimal_digits ?? DECIMALS_UNKNOWN;

/** An amount of the shop in the decimals of its currency, such as "24.50". Medusa keeps more of them. */
export const moneyText = (amount: BigNumberInput, currency: string): string =>
  MathBN.convert(amount).toFixed(decimalsOf(currency));

/** The same in the currency's smallest unit. */
export const minorOf = (amount: BigNumberInput, currency: string): bigint =>
  BigInt(moneyText(amount, currency).replace(".", ""));

/** A number of smallest units as an amount of the shop. */
export function majorOf(minor: bigint, currency: string): number {
  return MathBN.div(minor.toString(), 10 ** decimalsOf(currency)).toNumber();
}

/** The part of an order's total that went back, from the token's amounts: rounded down, and the whole for the whole. */
export const refundedShare = (refundTotal: string, amount: string, total: bigint): bigint =>
  refundTotal === amount ? total : (total * BigInt(refundTotal)) / BigInt(amount);

/** The smallest refund in tokens of which the share is at least this much. */
export const tokensOf = (share: bigint, amount: string, total: bigint): bigint =>
  (share * BigInt(amount) + total - 1n) / total;
