import { getAddressDecoder, getBase58Encoder, isAddress as isBase58Of32Bytes, isOffCurveAddress } from "@solana/kit";
import { Lru } from "../lib/lru.ts";

/** Addresses found valid: decoding takes some 40 µs, and merchants are paid to the same few wallets again and again. */
const known = new Lru<string, true>(10_000);

/** Base58 of 32 bytes; a wallet, a mint, a program. Points off the curve are fine (vaults of multisig wallets). */
export function isAddress(text: string): boolean {
  if (known.get(text)) return true;
  if (!isBase58Of32Bytes(text)) return false;
  known.set(text, true);
  return true;
}

/**
 * Returns true if a single private key signs for the address. Vaults of multisignatures, and other accounts of programs,
 * lie off the curve.
 */
export const isPlainKey = (address: string): boolean => isBase58Of32Bytes(address) && !isOffCurveAddress(address);

/** The address of a Solana key file's 64 bytes, whose second half is the public key. */
export const addressOfKey = (key: Uint8Array): string => getAddressDecoder().decode(key, 32);

const base58 = getBase58Encoder();

/** The 32 bytes of an address. */
export const bytesOfAddress = (address: string): Uint8Array => Uint8Array.from(base58.encode(address));

/** Base58 of exactly 64 bytes. */
export function isSignature(text: string): boolean {
  if (text.length < 64 || text.length > 88) return false;
  try {
    return base58.encode(text).length === 64;
  } catch {
    return false; // The decoder throws only for a character outside the alphabet.
  }
}

/** "14o8…okqP": long enough to compare, and short enough to read. */
export const shortAddress = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`;
