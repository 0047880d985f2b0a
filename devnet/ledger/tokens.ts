import { toBase58 } from "./base58.ts";
import type { Image } from "./vm.ts";

export const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
export const TOKEN_2022_PROGRAM = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
const ACCOUNT_BYTES = 165;
const MINT_BYTES = 82;

export const isTokenProgram = (owner: string): boolean => owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM;

export interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
  readonly state: "initialized" | "frozen";
  readonly isNative: boolean;
}

/** The byte that the token programs put behind the first 165: 1 a mint, 2 an account. */
const kindByte = (data: Uint8Array): number | undefined =>
  data.length > ACCOUNT_BYTES ? data[ACCOUNT_BYTES] : undefined;

/** The token account in this image; null if it holds none. */
export function readTokenAccount({ owner, data }: Image): TokenAccount | null {
  if (!isTokenProgram(owner) || data.length < ACCOUNT_BYTES || data[108] === 0) return null;
  if (data.length > ACCOUNT_BYTES && kindByte(data) !== 2) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return {
    mint: toBase58(data.subarray(0, 32)),
    owner: toBase58(data.subarray(32, 64)),
    amount: view.getBigUint64(64, true),
    state: data[108] === 2 ? "frozen" : "initialized",
    isNative: view.getUint32(109, true) === 1,
  };
}

export interface TokenMint {
  readonly decimals: number;
  readonly supply: bigint;
  readonly mintAuthority: string | null;
  readonly freezeAuthority: string | null;
}

/** The mint in this image; null if it is not a mint. */
export function readTokenMint({ owner, data }: Image): TokenMint | null {
  if (!isTokenProgram(owner) || data.length < MINT_BYTES || data[45] !== 1) return null;
  if (data.length !== MINT_BYTES && kindByte(data) !== 1) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const optional = (at: number) => (view.getUint32(at, true) === 1 ? toBase58(data.subarray(at + 4, at + 36)) : null);
  return {
    decimals: data[44]!,
    supply: view.getBigUint64(36, true),
    mintAuthority: optional(0),
    freezeAuthority: optional(46),
  };
}

/** An amount as the RPC shows it, in units and in decimals. */
export function tokenAmount(amount: bigint, decimals: number) {
  const digits = String(amount).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const part = decimals > 0 ? digits.slice(-decimals).replace(/0+$/, "") : "";
  const text = part ? `${whole}.${part}` : whole;
  return { amount: String(amount), decimals, uiAmount: Number(text), uiAmountString: text };
}

/** A plain mint's 82 bytes with one key as mint and freeze authority. */
export function mintData(authority: Uint8Array, decimals: number, supply: bigint): Uint8Array {
  const data = new Uint8Array(MINT_BYTES);
  const view = new DataView(data.buffer);
  view.setUint32(0, 1, true);
  data.set(authority, 4);
  view.setBigUint64(36, supply, true);
  data[44] = decimals;
  data[45] = 1;
  view.setUint32(46, 1, true);
  data.set(authority, 50);
  return data;
}
