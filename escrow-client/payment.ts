import {
  type AccountMeta,
  type Address,
  fixEncoderSize,
  getAddressEncoder,
  getBase16Encoder,
  getI64Encoder,
  getU64Encoder,
} from "@solana/kit";
import { findPaymentAddress, findTokenAccountAddress, findVaultAddress } from "./addresses.ts";
import { ASSOCIATED_TOKEN_PROGRAM_ID, PERIODS, type Period, SYSTEM_PROGRAM_ID } from "./constants.ts";
import {
  dataOf,
  type PaymentRef,
  type ProgramInstruction,
  readonly,
  signer,
  unsignedAccounts,
  writable,
  writableSigner,
} from "./instruction.ts";

const u64Bytes = getU64Encoder();
const i64Bytes = getI64Encoder();
const addressBytes = getAddressEncoder();
const hashBytes = fixEncoderSize(getBase16Encoder(), 32);
const NO_HASH = "00".repeat(32);

export interface NewPayment {
  readonly programId: Address;
  readonly operator: Address;
  readonly sender: Address;
  readonly recipient: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** u64. */
  readonly paymentId: bigint;
  /** u64, in the token's smallest unit. */
  readonly amount: bigint;
  readonly period: Period;
  /** The last second (chain time) at which the payment may be made; default none. */
  readonly notAfter?: bigint;
  /** The operator's arbiter as shown to the buyer; the program refuses if the operator has another by then. */
  readonly arbiter: Address;
  /** `hashTerms` of the terms the buyer was shown; default none. */
  readonly termsHash?: string | null;
  /** Pays for the payment account and the vault, and gets both rents back; default the sender. */
  readonly payer?: Address;
  /** The token account that pays; default the sender's associated token account. */
  readonly source?: Address;
  /** The accounts of the mint's transfer hook, at most 16; default none. Never pass them if another account pays the rent. */
  readonly hookAccounts?: readonly AccountMeta[];
}

/** Moves the amount from the sender into a new payment's vault. */
export async function createPaymentInstruction(input: NewPayment): Promise<ProgramInstruction> {
  const payment = await findPaymentAddress(input);
  const vault = await findVaultAddress({ ...input, payment });
  const source = input.source ?? (await findTokenAccountAddress({ ...input, owner: input.sender }));
  return {
    programAddress: input.programId,
    accounts: [
      readonly(input.operator),
      writable(payment),
      signer(input.sender),
      writableSigner(input.payer ?? input.sender),
      readonly(input.recipient),
      readonly(input.mint),
      writable(source),
      writable(vault),
      readonly(input.tokenProgram),
      readonly(ASSOCIATED_TOKEN_PROGRAM_ID),
      readonly(SYSTEM_PROGRAM_ID),
      ...unsignedAccounts(input.hookAccounts),
    ],
    data: dataOf(
      "create_payment",
      u64Bytes.encode(input.paymentId),
      u64Bytes.encode(input.amount),
      Uint8Array.of(PERIODS.indexOf(input.period)),
      i64Bytes.encode(input.notAfter ?? 0n),
      addressBytes.encode(input.arbiter),
      hashBytes.encode(input.termsHash ?? NO_HASH),
    ),
  };
}

/**
 * Returns the payment's instruction and, before it, if asked for, the one that creates the recipient's missing token
 * account. A payout creates no account: a recipient without one is not settled until somebody creates it.
 */
export async function createPaymentInstructions(
  input: NewPayment & { readonly createRecipientAccount?: boolean },
): Promise<ProgramInstruction[]> {
  const create = await createPaymentInstruction(input);
  if (!input.createRecipientAccount) return [create];
  const payer = input.payer ?? input.sender;
  return [await createTokenAccountInstruction({ ...input, payer, owner: input.recipient }), create];
}

/** The associated token program's idempotent create: does nothing if the account exists. */
export async function createTokenAccountInstruction(input: {
  payer: Address;
  owner: Address;
  mint: Address;
  tokenProgram: Address;
}): Promise<ProgramInstruction> {
  return {
    programAddress: ASSOCIATED_TOKEN_PROGRAM_ID,
    accounts: [
      writableSigner(input.payer),
      writable(await findTokenAccountAddress(input)),
      readonly(input.owner),
      readonly(input.mint),
      readonly(SYSTEM_PROGRAM_ID),
      readonly(input.tokenProgram),
    ],
    data: Uint8Array.of(1),
  };
}

/** The sender disputes, before the deadline. */
export function openDisputeInstruction(input: {
  programId: Address;
  payment: Pick<PaymentRef, "address" | "operator" | "sender">;
}): ProgramInstruction {
  const { payment } = input;
  return {
    programAddress: input.programId,
    accounts: [readonly(payment.operator), writable(payment.address), signer(payment.sender)],
    data: dataOf("open_dispute"),
  };
}

/**
 * Returns the record's rent to its payer, from 90 days after the last part; a tombstone stays. Anyone may send it if nobody
 * loses by it. With `signed` the rent payer signs, and the record is closed even if they lose by it.
 */
export async function closePaymentInstruction(input: {
  programId: Address;
  payment: Pick<PaymentRef, "address" | "operator" | "mint" | "tokenProgram" | "rentPayer">;
  signed?: boolean;
}): Promise<ProgramInstruction> {
  const { payment } = input;
  return {
    programAddress: input.programId,
    accounts: [
      readonly(payment.operator),
      writable(payment.address),
      input.signed ? writableSigner(payment.rentPayer) : writable(payment.rentPayer),
      readonly(await findVaultAddress({ ...payment, payment: payment.address })),
    ],
    data: dataOf("close_payment"),
  };
}
