import { getAddressDecoder, getBase58Encoder, isAddress } from "@solana/kit";

/** Base58 of 32 bytes; points off the curve are fine (vaults of multisig wallets). */
export const isWalletAddress = (text: string): boolean => isAddress(text);

const base58 = getBase58Encoder();

/** Base58 of exactly 64 bytes. */
export function isSignature(text: string): boolean {
  if (text.length < 64 || text.length > 88) return false;
  try {
    return base58.encode(text).length === 64;
  } catch {
    return false; // A character outside the alphabet: the only thing the decoder throws for.
  }
}

/** The address of 32 bytes. */
export const addressOf = (bytes: Uint8Array): string => getAddressDecoder().decode(bytes);
