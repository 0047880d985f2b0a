import { SYSTEM_PROGRAM_ID } from "@holdfast/escrow-client";
import { isTokenProgram, readTokenAccount, readTokenMint, TOKEN_PROGRAM, tokenAmount } from "../ledger/tokens.ts";
import type { Image } from "../ledger/vm.ts";

/**
 * An account's data as `jsonParsed` writes it, for wallets: token accounts and mints (extensions left out). Returns null for
 * other accounts, which are sent as bytes.
 */
export function showParsed(image: Image, readMint: (address: string) => Image | null) {
  if (image.owner === SYSTEM_PROGRAM_ID || !isTokenProgram(image.owner)) return null;
  const parsed = showMint(image) ?? showTokenAccount(image, readMint);
  const program = image.owner === TOKEN_PROGRAM ? "spl-token" : "spl-token-2022";
  return parsed && { program, parsed, space: image.data.length };
}

function showMint(image: Image) {
  const mint = readTokenMint(image);
  if (!mint) return null;
  const { decimals, supply, mintAuthority, freezeAuthority } = mint;
  return {
    type: "mint",
    info: { decimals, freezeAuthority, isInitialized: true, mintAuthority, supply: String(supply) },
  };
}

function showTokenAccount(image: Image, readMint: (address: string) => Image | null) {
  const account = readTokenAccount(image);
  const mint = account && readMint(account.mint);
  const decimals = mint && readTokenMint(mint)?.decimals;
  if (!account || decimals === undefined || decimals === null) return null;
  const { owner, state, isNative } = account;
  return {
    type: "account",
    info: { isNative, mint: account.mint, owner, state, tokenAmount: tokenAmount(account.amount, decimals) },
  };
}
