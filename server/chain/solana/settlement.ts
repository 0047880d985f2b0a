import { type ProgramInstruction, settleInstruction } from "@holdfast/escrow-client";
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
import type { ChainPayment } from "../port.ts";

/** Payments a transaction settles: four that share nothing but the operator still fit into its 1,232 bytes. */
export const SETTLE_MAX = 4;
/** Compute units a simulation may use; one settlement takes 25,000 to 31,000, with a new token account. */
const UNITS_PER_SETTLEMENT_MAX = 200_000;

export interface Settlement {
  readonly feePayer: Address;
  /** Of `settleInstruction`, in the payments' order: the number of an instruction is the number of its payment. */
  readonly instructions: readonly ProgramInstruction[];
  readonly blockhash: Blockhash;
  readonly lastValidBlockHeight: bigint;
  /** Units to ask for; while null, as many as a simulation may need. */
  readonly units: number | null;
  /** Micro-lamports a unit, for a busy chain; 0 sends no price. */
  readonly unitPrice: bigint;
}

/** The program itself creates a recipient's missing token account, and gives the payer the vault's rent in return. */
export function draftInstructions(payments: readonly ChainPayment[], programId: string, feePayer: Address) {
  return Promise.all(
    payments.map((payment) =>
      settleInstruction({
        programId: programId as Address,
        payer: feePayer,
        payment: {
          address: payment.address as Address,
          operator: payment.operator as Address,
          sender: payment.sender as Address,
          recipient: payment.recipient as Address,
          mint: payment.asset as Address,
          tokenProgram: payment.tokenProgram as Address,
        },
      }),
    ),
  );
}

/** The unsigned transaction. The compute budget's instructions come last, so that an instruction's index is its payment's. */
export function compileSettlement(draft: Settlement) {
  const { instructions, feePayer, unitPrice, units, ...lifetime } = draft;
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => appendTransactionMessageInstructions(instructions, timed),
    (full) => setTransactionMessageComputeUnitLimit(units ?? instructions.length * UNITS_PER_SETTLEMENT_MAX, full),
  );
  return compileTransaction(unitPrice === 0n ? message : setTransactionMessageComputeUnitPrice(unitPrice, message));
}

/** More than the simulation used: a bump may be found later, and an account may appear or vanish meanwhile. */
export const unitsToAskFor = (used: number): number => Math.ceil(used * 1.25) + 10_000;
