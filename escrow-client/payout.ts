import type { AccountMeta, Address } from "@solana/kit";
import type { PaymentAccount } from "./accounts.ts";
import { findTokenAccountAddress, findVaultAddress } from "./addresses.ts";
import { ARBITRATION_SECONDS, NATIVE_MINTS } from "./constants.ts";
import {
  dataOf,
  type PaymentRef,
  type ProgramInstruction,
  readonly,
  signer,
  unsignedAccounts,
  writable,
} from "./instruction.ts";
import { createTokenAccountInstruction } from "./payment.ts";

/** The index is the number the program takes. */
export const SIDES = ["recipient", "sender"] as const;
export type Side = (typeof SIDES)[number];

export interface Payout {
  readonly programId: Address;
  readonly payment: PaymentRef;
  readonly side: Side;
  /**
   * Any other token account the beneficiary owns, for when theirs is frozen or otherwise unusable.
   * The beneficiary must then sign. Default: their associated token account, which must exist.
   */
  readonly destination?: Address;
  /** The beneficiary's associated token account, if the caller knows it. Default: it is derived. */
  readonly associated?: Address;
  /** The accounts of the mint's transfer hook, at most 16; default none. */
  readonly hookAccounts?: readonly AccountMeta[];
}

/**
 * Sends one side the amount that is due to it; anyone may send this. From the deadline it settles; 90 days after a dispute
 * it refunds.
 */
export async function payOutInstruction(input: Payout): Promise<ProgramInstruction> {
  const { payment, side } = input;
  const beneficiary = payment[side];
  const destination =
    input.destination ?? input.associated ?? (await findTokenAccountAddress({ ...payment, owner: beneficiary }));
  return {
    programAddress: input.programId,
    accounts: [
      readonly(payment.operator),
      writable(payment.address),
      writable(payment.rentPayer),
      input.destination === undefined ? readonly(beneficiary) : signer(beneficiary),
      writable(destination),
      writable(await findVaultAddress({ ...payment, payment: payment.address })),
      readonly(payment.mint),
      readonly(payment.tokenProgram),
      ...unsignedAccounts(input.hookAccounts),
    ],
    data: dataOf("pay_out", Uint8Array.of(SIDES.indexOf(side))),
  };
}

/** The payout with the instructions that it may need around it; if one fails, all of them do. */
export async function payOutInstructions(
  input: Payout & {
    /**
     * Pays for the beneficiary's associated token account if it is missing, and never gets that rent back. Default: the
     * account must exist.
     */
    readonly accountPayer?: Address;
    /**
     * Moves fees withheld in the vault to the mint, so that the vault can close. Only Token-2022 mints with a fee have such
     * fees.
     */
    readonly harvest?: boolean;
  },
): Promise<ProgramInstruction[]> {
  const { payment, accountPayer } = input;
  const payOut = await payOutInstruction(input);
  const [destination, vault] = [payOut.accounts[4]!.address, payOut.accounts[5]!.address];
  const owner = payment[input.side];
  return [
    ...(accountPayer === undefined
      ? []
      : [await createTokenAccountInstruction({ ...payment, payer: accountPayer, owner })]),
    ...(input.harvest ? [harvestInstruction({ ...payment, accounts: [vault] })] : []),
    payOut,
    // Counts lamports that came in, in case a rent change had made the vault's balance fall short.
    ...(NATIVE_MINTS.includes(payment.mint) ? [syncNativeInstruction({ ...payment, account: destination })] : []),
  ];
}

/** Token-2022: moves fees withheld in these accounts to the mint; anyone may send it. */
export function harvestInstruction(input: {
  mint: Address;
  tokenProgram: Address;
  accounts: readonly Address[];
}): ProgramInstruction {
  return {
    programAddress: input.tokenProgram,
    accounts: [writable(input.mint), ...input.accounts.map(writable)],
    data: Uint8Array.of(26, 4),
  };
}

/** Sets a native token account's balance to what its lamports are worth today; anyone may send it. */
export function syncNativeInstruction(input: { tokenProgram: Address; account: Address }): ProgramInstruction {
  return {
    programAddress: input.tokenProgram,
    accounts: [writable(input.account)],
    data: Uint8Array.of(17),
  };
}

/** The amount that `pay_out` would send to each side at this time, by the record alone; 0 if it would refuse. */
export function findDue(
  payment: Pick<
    PaymentAccount,
    "status" | "outcome" | "amount" | "refundTotal" | "amountRefunded" | "amountReleased" | "deadline" | "disputedAt"
  >,
  now: bigint,
): Readonly<Record<Side, bigint>> {
  const { amount, refundTotal, amountRefunded, amountReleased, disputedAt } = payment;
  if (payment.outcome !== null) {
    return { sender: refundTotal - amountRefunded, recipient: amount - refundTotal - amountReleased };
  }
  if (disputedAt !== null) {
    const lapsed = now >= disputedAt + BigInt(ARBITRATION_SECONDS);
    return { sender: (lapsed ? amount : refundTotal) - amountRefunded, recipient: 0n };
  }
  return { sender: refundTotal - amountRefunded, recipient: now >= payment.deadline ? amount - refundTotal : 0n };
}
