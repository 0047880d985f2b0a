import {
  type AccountMeta,
  AccountRole,
  type Address,
  downgradeRoleToNonSigner,
  type Instruction,
  type ReadonlyUint8Array,
} from "@solana/kit";
import { HOOK_ACCOUNTS_MAX } from "./constants.ts";

/** The index is the instruction's first byte. */
export const INSTRUCTION_KINDS = [
  "create_operator",
  "propose",
  "accept",
  "create_payment",
  "open_dispute",
  "resolve",
  "release",
  "refund",
  "pay_out",
  "close_payment",
] as const;
export type InstructionKind = (typeof INSTRUCTION_KINDS)[number];

/** The places at which every payment instruction (`create_payment` and later) names the operator and the payment. */
export const OPERATOR_ACCOUNT_INDEX = 0;
export const PAYMENT_ACCOUNT_INDEX = 1;

/** The instruction of the program that this data asks for; null if it is none. */
export function instructionKind(data: ReadonlyUint8Array): InstructionKind | null {
  return data.length === 0 ? null : (INSTRUCTION_KINDS[data[0]!] ?? null);
}

/** Returns true when an instruction names the operator at account 0 and a payment at account 1. */
export function namesPayment(kind: InstructionKind): boolean {
  return INSTRUCTION_KINDS.indexOf(kind) >= INSTRUCTION_KINDS.indexOf("create_payment");
}

/** A complete instruction: kit's `Instruction` with its three fields present. */
export interface ProgramInstruction extends Instruction {
  readonly accounts: readonly AccountMeta[];
  readonly data: ReadonlyUint8Array;
}

export const readonly = (address: Address): AccountMeta => ({ address, role: AccountRole.READONLY });
export const writable = (address: Address): AccountMeta => ({ address, role: AccountRole.WRITABLE });
export const signer = (address: Address): AccountMeta => ({ address, role: AccountRole.READONLY_SIGNER });
export const writableSigner = (address: Address): AccountMeta => ({ address, role: AccountRole.WRITABLE_SIGNER });

/**
 * Returns a transfer hook's accounts without signatures. The program would drop accounts beyond its limit in silence, so
 * this refuses them.
 */
export function unsignedAccounts(accounts: readonly AccountMeta[] = []): AccountMeta[] {
  if (accounts.length > HOOK_ACCOUNTS_MAX) throw new RangeError(`A hook has at most ${HOOK_ACCOUNTS_MAX} accounts.`);
  return accounts.map((meta) => ({ ...meta, role: downgradeRoleToNonSigner(meta.role) }));
}

/** The instruction's number, then its arguments. */
export function dataOf(kind: InstructionKind, ...parts: readonly ReadonlyUint8Array[]): Uint8Array {
  return Uint8Array.from([INSTRUCTION_KINDS.indexOf(kind), ...parts.flatMap((part) => [...part])]);
}

/** An existing payment as the builders need it: its address and the fields of its decoded account. */
export interface PaymentRef {
  readonly address: Address;
  readonly operator: Address;
  readonly sender: Address;
  readonly recipient: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly arbiter: Address;
  readonly rentPayer: Address;
}
