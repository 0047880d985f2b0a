import type { ProgramInstruction } from "@holdfast/escrow-client";
import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import type { LatestBlockhash } from "./latestBlockhash.ts";
import type { NodeSession } from "./pool.ts";
import type { FetchRent } from "./rents.ts";
import type { SolanaSettings } from "./settings.ts";

/** Transactions for the wallets of people, who sign them later and elsewhere. */

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICRO = 1_000_000n;
/** Compute units a trial run may use; a payment that makes all its accounts takes about 100,000. */
export const TRIAL_UNITS = 400_000;
/** Asks for more than the trial used: wallets add guard instructions around ours, and a bump may be found later. */
export const unitsToAskFor = (used: number): number => Math.min(Math.ceil(used * 1.25) + 40_000, 1_400_000);

export const feeOf = (signatures: bigint, units: number, unitPrice: bigint): bigint =>
  LAMPORTS_PER_SIGNATURE * signatures + (BigInt(units) * unitPrice + MICRO - 1n) / MICRO;

/** The needs of a build besides its command. */
export interface BuildDeps {
  readonly settings: Pick<SolanaSettings, "programId" | "operator">;
  readonly fetchRent: FetchRent;
  readonly fetchUnitPrice: (session: NodeSession, payment: string) => Promise<bigint>;
}

interface Draft {
  readonly feePayer: Address;
  readonly instructions: readonly ProgramInstruction[];
  readonly lifetime: LatestBlockhash;
  readonly units: number;
  readonly unitPrice: bigint;
}

/** Compiles the unsigned transaction, in base64. */
export function compile({ feePayer, instructions, lifetime, units, unitPrice }: Draft): string {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => setTransactionMessageComputeUnitLimit(units, timed),
    (limited) => setTransactionMessageComputeUnitPrice(unitPrice, limited),
    (priced) => appendTransactionMessageInstructions(instructions, priced),
  );
  return getBase64EncodedWireTransaction(compileTransaction(message));
}
