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
export const settleMax = 4;
/** What a simulation may use; one settlement takes 25,000 to 31,000, with a new token account. */
const unitsPerSettlementMax = 200_000;

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

/** The program makes a missing recipient's account itself, and then hands the payer the vault's rent for it. */
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

/** The transaction, unsigned. The instructions of the compute budget stand last, so that they shift no number. */
export function compileSettlement(draft: Settlement) {
  const { instructions, feePayer, unitPrice, units, ...lifetime } = draft;
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => appendTransactionMessageInstructions(instructions, timed),
    (full) => setTransactionMessageComputeUnitLimit(units ?? instructions.length * unitsPerSettlementMax, full),
  );
  return compileTransaction(unitPrice === 0n ? message : setTransactionMessageComputeUnitPrice(unitPrice, message));
}

/** Room above what the simulation used: a bump found later, an account that came or went. */
export const unitsToAskFor = (used: number): number => Math.ceil(used * 1.25) + 10_000;
