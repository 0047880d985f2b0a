import type { Address } from "@solana/kit";
import { findTokenAccountAddress, findVaultAddress } from "./addresses.ts";
import { ASSOCIATED_TOKEN_PROGRAM_ID, SYSTEM_PROGRAM_ID } from "./constants.ts";
import {
  dataOf,
  type InstructionKind,
  type PaymentRef,
  type ProgramInstruction,
  readonly,
  signer,
  writable,
  writableSigner,
} from "./instruction.ts";

export interface Payout {
  readonly programId: Address;
  readonly payment: PaymentRef;
  /** Pays for the beneficiary's token account where it is missing, and then gets the vault's rent; signs. */
  readonly payer: Address;
  /**
   * Any other token account the beneficiary owns, for when theirs is frozen or otherwise unusable.
   * The beneficiary must then sign too. Default: their associated token account.
   */
  readonly destination?: Address;
}

/** Gives a disputed payment's funds to one side; the operator's current arbiter signs. */
export function resolveInstruction(
  input: Payout & { readonly arbiter: Address; readonly to: "recipient" | "sender" },
): Promise<ProgramInstruction> {
  return payoutInstruction(input, input.to, input.arbiter, "resolve", Uint8Array.of(input.to === "sender" ? 1 : 0));
}

/** The sender lets the recipient have the funds, at any time. */
export function releaseInstruction(input: Payout): Promise<ProgramInstruction> {
  return payoutInstruction(input, "recipient", input.payment.sender, "release");
}

/** The recipient gives the funds back, at any time. */
export function refundInstruction(input: Payout): Promise<ProgramInstruction> {
  return payoutInstruction(input, "sender", input.payment.recipient, "refund");
}

/** Anyone sends an undisputed payment's funds to the recipient, from the deadline on. */
export function settleInstruction(input: Payout): Promise<ProgramInstruction> {
  return payoutInstruction(input, "recipient", null, "settle");
}

/** Anyone sends a disputed payment's funds back, from 90 days after the dispute. */
export function refundUnresolvedInstruction(input: Payout): Promise<ProgramInstruction> {
  return payoutInstruction(input, "sender", null, "refund_unresolved");
}

async function payoutInstruction(
  input: Payout,
  to: "recipient" | "sender",
  actor: Address | null,
  kind: InstructionKind,
  ...data: Uint8Array[]
): Promise<ProgramInstruction> {
  const { payment } = input;
  const beneficiary = payment[to];
  const destination = input.destination ?? (await findTokenAccountAddress({ ...payment, owner: beneficiary }));
  return {
    programAddress: input.programId,
    accounts: [
      readonly(payment.operator),
      writable(payment.address),
      writableSigner(input.payer),
      writable(payment.sender),
      input.destination === undefined ? readonly(beneficiary) : signer(beneficiary),
      writable(destination),
      writable(await findVaultAddress({ ...payment, payment: payment.address })),
      readonly(payment.mint),
      readonly(payment.tokenProgram),
      readonly(ASSOCIATED_TOKEN_PROGRAM_ID),
      readonly(SYSTEM_PROGRAM_ID),
      ...(actor === null ? [] : [signer(actor)]),
    ],
    data: dataOf(kind, ...data),
  };
}
