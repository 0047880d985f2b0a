import {
  closePaymentInstruction,
  type PaymentRef,
  type ProgramInstruction,
  payOutInstruction,
} from "@holdfast/escrow-client";
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import type { DuePart } from "../port.ts";

/** Parts a transaction pays out: five of payments that share nothing but the operator still fit into its 1,232 bytes. */
export const PAY_OUT_MAX = 4;
/** Compute units a simulation may use; one part takes 6,000 to 30,000. */
const UNITS_PER_PART_MAX = 200_000;

export interface Settlement {
  readonly feePayer: Address;
  /** Of `payOutInstruction`, in the order of the parts: the number of an instruction is the number of its part. */
  readonly instructions: readonly ProgramInstruction[];
  readonly blockhash: Blockhash;
  readonly lastValidBlockHeight: bigint;
  /** Units to ask for; while null, as many as a simulation may need. */
  readonly units: number | null;
  /** Micro-lamports a unit, for a busy chain; 0 sends no price. */
  readonly unitPrice: bigint;
}

/**
 * A beneficiary's missing token account is not made: nobody would give the fee payer its price back. No part names what a
 * mint's transfer hook asks for, so a hook never runs at the fee payer's expense: the token program refuses the part.
 */
export const draftInstructions = (parts: readonly DuePart[], programId: string): Promise<ProgramInstruction[]> =>
  Promise.all(parts.map((part) => draftInstruction(part, programId as Address)));

function draftInstruction({ payment, side }: DuePart, programId: Address): Promise<ProgramInstruction> {
  const ref = paymentRef(payment);
  return side === "record"
    ? closePaymentInstruction({ programId, payment: ref })
    : payOutInstruction({ programId, payment: ref, side });
}

const paymentRef = (payment: DuePart["payment"]): PaymentRef => ({
  address: payment.address as Address,
  operator: payment.operator as Address,
  sender: payment.sender as Address,
  recipient: payment.recipient as Address,
  mint: payment.asset as Address,
  tokenProgram: payment.tokenProgram as Address,
  arbiter: payment.arbiter as Address,
  rentPayer: payment.rentPayer as Address,
});

/** The unsigned transaction. The compute budget's instructions come last, so that an instruction's index is its part's. */
export function compileSettlement(draft: Settlement) {
  const { instructions, feePayer, unitPrice, units, ...lifetime } = draft;
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => appendTransactionMessageInstructions(instructions, timed),
    (full) => setTransactionMessageComputeUnitLimit(units ?? instructions.length * UNITS_PER_PART_MAX, full),
  );
  return compileTransaction(unitPrice === 0n ? message : setTransactionMessageComputeUnitPrice(unitPrice, message));
}

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICRO = 1_000_000n;

/** What the fee payer, its only signer, pays for the transaction: the base fee, and the price of the units it asks for. */
export function feeOf({ instructions, unitPrice, units }: Settlement): bigint {
  const asked = BigInt(units ?? instructions.length * UNITS_PER_PART_MAX);
  return LAMPORTS_PER_SIGNATURE + (unitPrice * asked + MICRO - 1n) / MICRO;
}

/** More than the simulation used: a bump may be found later, and an account may appear or vanish meanwhile. */
export const unitsToAskFor = (used: number): number => Math.ceil(used * 1.25) + 10_000;
