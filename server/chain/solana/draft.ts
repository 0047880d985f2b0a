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

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICRO = 1_000_000n;
/** Compute units a trial run of a person's act may use; a payment that makes all its accounts takes about 100,000. */
export const TRIAL_UNITS = 400_000;
/** Asks for more than the trial used: wallets add guard instructions around ours, and a bump may be found later. */
export const unitsToAskFor = (used: number): number => Math.min(Math.ceil(used * 1.25) + 40_000, 1_400_000);

export const feeOf = (signatures: bigint, units: number, unitPrice: bigint): bigint =>
  LAMPORTS_PER_SIGNATURE * signatures + (BigInt(units) * unitPrice + MICRO - 1n) / MICRO;

/** The needs of a build besides its command. */
export interface BuildDeps {
  readonly settings: Pick<SolanaSettings, "programId" | "operator">;
  readonly fetchRent: FetchRent;
  /** The price of a unit for a transaction that changes this payment. */
  readonly fetchUnitPrice: (session: NodeSession, payment: string) => Promise<bigint>;
}

/** The instructions of an act, and the lamports they take from the wallet that pays, without the network's fee. */
export interface Plan {
  readonly instructions: readonly ProgramInstruction[];
  /** Lamports that do not come back. */
  readonly spent: bigint;
  /** Lamports that come back at the end of the same transaction, and must be there until then. */
  readonly lent: bigint;
}

interface Draft {
  readonly feePayer: Address;
  readonly instructions: readonly ProgramInstruction[];
  readonly lifetime: LatestBlockhash;
  /** Units to ask for. Undefined: the network's own limit. */
  readonly units: number | undefined;
  /** Micro-lamports a unit. Undefined: nothing is offered. */
  readonly unitPrice: bigint | undefined;
  /** True: the compute budget's instructions come last, so that an instruction keeps its index. Default: first, as wallets do. */
  readonly isBudgetLast?: boolean;
}

/** Compiles the unsigned transaction. */
export function compileDraft({ feePayer, instructions, lifetime, units, unitPrice, isBudgetLast = false }: Draft) {
  const [before, after] = isBudgetLast ? [instructions, []] : [[], instructions];
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => appendTransactionMessageInstructions(before, timed),
    (begun) => setTransactionMessageComputeUnitLimit(units, begun),
    (limited) => setTransactionMessageComputeUnitPrice(unitPrice, limited),
    (priced) => appendTransactionMessageInstructions(after, priced),
  );
  return compileTransaction(message);
}

/** Compiles the unsigned transaction, in base64. */
export const compile = (draft: Draft): string => getBase64EncodedWireTransaction(compileDraft(draft));
