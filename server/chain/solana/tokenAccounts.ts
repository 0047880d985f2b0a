import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import type { TokenAccountHold } from "../port.ts";
import type { RawAccount } from "./account.ts";

/** The layout both token programs share. */
export const TOKEN_ACCOUNT_SIZE = 165;
const AMOUNT_OFFSET = 64;
const EXTENSIONS_OFFSET = 166;

/** Returns the balance of an associated token account; 0 if there is none. */
export const balanceOf = (account: RawAccount | null): bigint =>
  account === null || account.data.length < TOKEN_ACCOUNT_SIZE
    ? 0n
    : Buffer.from(account.data).readBigUInt64LE(AMOUNT_OFFSET);

/** Type and length of an extension. */
const HEADER_SIZE = 4;
/** Every associated account of Token-2022 has the extension of an immutable owner. */
const IMMUTABLE_OWNER_SIZE = HEADER_SIZE;
/** Extensions of a mint that add an extension to each of its accounts, with the size of the latter's value. */
const ANSWERED: Readonly<Record<number, number>> = {
  1: 8, // transfer fee: what is withheld
  9: 0, // not transferable
  14: 1, // transfer hook
  26: 0, // pausable
};

const [WITHHELD, MEMO_TRANSFER] = [2, 8];
const STATE_OFFSET = 108;
const FROZEN = 2;
/** Enough for the extensions of a token account that matter here. */
export const TOKEN_ACCOUNT_BYTES_MAX = 600;

/**
 * Returns the transfer fees withheld in a token account of Token-2022. The account cannot be closed before it was
 * harvested.
 */
export function withheldIn(account: RawAccount | null): bigint {
  const value = extensionOf(account, WITHHELD);
  return value === null || value.byteLength < 8 ? 0n : value.getBigUint64(0, true);
}

/** Returns what keeps a token account from being paid by an escrow; null if nothing does, or if there is none. */
export function holdOn(account: RawAccount | null): TokenAccountHold | null {
  if (account === null || account.data.length < TOKEN_ACCOUNT_SIZE) return null;
  if (account.data[STATE_OFFSET] === FROZEN) return "account_frozen";
  const memo = extensionOf(account, MEMO_TRANSFER);
  return memo !== null && memo.byteLength > 0 && memo.getUint8(0) === 1 ? "memo_required" : null;
}

/** The value of an extension of a token account; null without it. */
function extensionOf(account: RawAccount | null, wanted: number): DataView | null {
  if (account === null || account.owner !== TOKEN_2022_PROGRAM_ID) return null;
  const { data } = account;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = EXTENSIONS_OFFSET; at + HEADER_SIZE <= data.length; ) {
    const [type, size] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    const value = at + HEADER_SIZE;
    if (type === 0) return null;
    if (type === wanted && value + size <= data.length) return new DataView(data.buffer, data.byteOffset + value, size);
    at = value + size;
  }
  return null;
}

/** Returns the size of a new associated token account of this mint, which sets its rent. */
export function associatedAccountSize({ owner, data }: RawAccount): number {
  if (owner === TOKEN_PROGRAM_ID) return TOKEN_ACCOUNT_SIZE;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let size = EXTENSIONS_OFFSET + IMMUTABLE_OWNER_SIZE;
  for (let at = EXTENSIONS_OFFSET; at + HEADER_SIZE <= data.length; ) {
    const type = view.getUint16(at, true);
    if (type === 0) break;
    const answered = ANSWERED[type];
    if (answered !== undefined) size += HEADER_SIZE + answered;
    at += HEADER_SIZE + view.getUint16(at + 2, true);
  }
  return size;
}
