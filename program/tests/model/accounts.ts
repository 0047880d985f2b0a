import { type Address, getAddressDecoder } from "@solana/kit";
import type { Chain, Token } from "../chain.ts";
import type { IssuerToken } from "../mints.ts";

export const pick = <Item>(items: readonly Item[], number: number): Item => items[number % items.length]!;

export const isIssuers = (token: Token): token is IssuerToken => "delegate" in token;

const BASE = 165;
const FEE_CONFIG = 1;
const FEE_AMOUNT = 2;
const CPI_GUARD = 11;
const addresses = getAddressDecoder();

/** The value of an extension of a mint or token account; null if it has none of that kind. */
function extension(data: Uint8Array, wanted: number): DataView | null {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = BASE + 1; at + 4 <= data.length; ) {
    const [kind, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    if (kind === wanted) return new DataView(data.buffer, data.byteOffset + at + 4, length);
    at += 4 + length;
  }
  return null;
}

/** Fees withheld in a token account, in the token's smallest unit. */
export function withheldIn(chain: Chain, account: Address): bigint {
  const data = chain.data(account);
  return data === null ? 0n : (extension(data, FEE_AMOUNT)?.getBigUint64(0, true) ?? 0n);
}

/** Basis points of each transfer at this epoch; null: the mint has no fee at all, not even one of nothing. */
export function feeOf(chain: Chain, mint: Address): bigint | null {
  const fee = extension(chain.data(mint)!, FEE_CONFIG);
  if (fee === null) return null;
  // Two authorities and what is withheld, then the older and the newer fee: epoch, maximum, basis points.
  const [older, newer] = [72, 90];
  const at = chain.svm.getClock().epoch >= fee.getBigUint64(newer, true) ? newer : older;
  return BigInt(fee.getUint16(at + 16, true));
}

export const isFrozen = (chain: Chain, at: Address): boolean => chain.data(at)?.[108] === 2;

export const ownerOf = (data: Uint8Array): Address => addresses.decode(data, 32);

export const isGuarded = (chain: Chain, at: Address): boolean => {
  const data = chain.data(at);
  return data !== null && extension(data, CPI_GUARD)?.getUint8(0) === 1;
};

export const wantsMemos = (chain: Chain, at: Address): boolean => {
  const data = chain.data(at);
  return data !== null && extension(data, 8)?.getUint8(0) === 1;
};

/** Ignores a refusal of a random act: its account may be missing, frozen or too poor. */
export function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Error) || !/refused:/.test(error.message)) throw error;
}
