import { instructionKind, type ProgramInstruction } from "@holdfast/escrow-client";
import { AccountRole, type Address, address, getBase58Encoder, type ReadonlyUint8Array } from "@solana/kit";
import type { LandedMemo } from "../port.ts";
import { attempt } from "./wireTransaction.ts";

/** The program that writes memos, and checks that each account that a memo names has signed. */
export const MEMO = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");
/** Its first version checks no signer: its memos prove nothing, but count as further memos. */
export const MEMO_PROGRAMS: ReadonlySet<string> = new Set([MEMO, "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"]);
export const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";
/**
 * Wallets guard a transaction by the assertions of this program: they stop it if it would do something other than it
 * showed. The instructions with lower numbers make and close accounts at a payer's expense, those with higher numbers call
 * other programs.
 */
const LIGHTHOUSE = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95";
const ASSERTIONS = { first: 2, last: 15 } as const;
/** Longer than each of ours, which fit into a transaction of version 0. */
const MEMO_BYTES_MAX = 1_100;
/** The data of a decision: its number and the total. */
const DECISION_SIZE = 9;

const base58 = getBase58Encoder();
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The instruction that writes a text, signed by an account. */
export const memoInstruction = (signer: Address, text: string): ProgramInstruction => ({
  programAddress: MEMO,
  accounts: [{ address: signer, role: AccountRole.READONLY_SIGNER }],
  data: Buffer.from(text, "utf8"),
});

export const readText = (data: ReadonlyUint8Array): string | null =>
  data.length > MEMO_BYTES_MAX ? null : attempt(() => utf8.decode(Uint8Array.from(data)));

/** Returns true for an instruction by which a wallet guards a transaction, by the first byte of its data. */
export const isGuard = (program: string | undefined, kind = 0): boolean =>
  program === LIGHTHOUSE && kind >= ASSERTIONS.first && kind <= ASSERTIONS.last;

/** The total that a decision names, in digits; null for other instructions. */
export const readTotal = (data: ReadonlyUint8Array): string | null =>
  data.length === DECISION_SIZE ? Buffer.from(data).readBigUInt64LE(1).toString() : null;

/** An instruction of a landed transaction. */
export interface RanInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  /** Base58. */
  readonly data: string;
  /** True if another instruction called it. */
  readonly isInner: boolean;
}

/** Base58 needs at most 1.37 characters for a byte. */
const CHARACTERS_MAX = Math.ceil(MEMO_BYTES_MAX * 1.4);

/** The bytes of an instruction's data; null if there are more than a memo or an instruction of ours has. */
export const readData = (data: string): ReadonlyUint8Array | null =>
  data.length > CHARACTERS_MAX ? null : attempt(() => base58.encode(data));

/** Finds the only memo of a transaction that succeeded; null if there is none, another one, or nobody signed it. */
export function findLandedMemo(
  ran: readonly RanInstruction[],
  outerSigners: ReadonlySet<string>,
  ours: { readonly programId: string },
): LandedMemo | null {
  const memos = ran.filter(({ program }) => MEMO_PROGRAMS.has(program));
  const [memo] = memos;
  if (memo === undefined || memos.length > 1 || memo.program !== MEMO) return null;
  const bytes = readData(memo.data);
  const text = bytes && readText(bytes);
  if (text === null || text === "") return null;
  const isOwn = !memo.isInner && ran.every((one) => one.isInner || one === memo || goesBeside(one, ours.programId));
  const signers = memo.accounts.filter((account) => isOwn || !outerSigners.has(account));
  return signers.length === 0 ? null : { text, signers };
}

function goesBeside({ program, data }: RanInstruction, programId: string): boolean {
  if (program === COMPUTE_BUDGET) return true;
  const bytes = readData(data);
  if (bytes === null) return false;
  return isGuard(program, bytes[0]) || (program === programId && instructionKind(bytes) === "open_dispute");
}
