import {
  closePaymentInstruction,
  findTokenAccountAddress,
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

/** Compute units a simulation may use; one part takes 6,000 to 30,000. */
const UNITS_PER_PART_MAX = 200_000;
const UNITS_MAX = 1_400_000;
/** Parts a transaction pays out at most: those of one merchant fit into its bytes, and are simulated within its units. */
export const PAY_OUT_MAX = UNITS_MAX / UNITS_PER_PART_MAX;

const TRANSACTION_BYTES_MAX = 1_232;
/** A signature, the message's header and counts, the blockhash; program, operator and fee payer; limit and price of the units. */
const FRAME_BYTES = 1 + 64 + 6 + 32 + 4 * 32 + 1 + 8 + 12;
/** Program and counts; eight accounts and two bytes of data, or to close a record four and one. */
const PART_BYTES = 13;

/** Whether the parts' transaction is as small as a transaction has to be: an account that several name is there once. */
export function fitsInOne(parts: readonly DuePart[]): boolean {
  const accounts = new Set<string>();
  for (const { payment, side } of parts) {
    const { address, asset, tokenProgram, rentPayer } = payment;
    for (const account of [address, `vault of ${address}`, rentPayer]) accounts.add(account);
    if (side === "record") continue;
    const owner = payment[side];
    for (const account of [owner, `${asset} of ${owner}`, asset, tokenProgram]) accounts.add(account);
  }
  const bytes = FRAME_BYTES + accounts.size * 32 + parts.length * PART_BYTES;
  return parts.length <= PAY_OUT_MAX && bytes <= TRANSACTION_BYTES_MAX;
}

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
export const draftInstructions = (
  parts: readonly DuePart[],
  programId: string,
  findAccount: FindAccount = findTokenAccountAddress,
): Promise<ProgramInstruction[]> =>
  Promise.all(parts.map((part) => draftInstruction(part, programId as Address, findAccount)));

async function draftInstruction(
  { payment, side }: DuePart,
  programId: Address,
  findAccount: FindAccount,
): Promise<ProgramInstruction> {
  const ref = paymentRef(payment);
  if (side === "record") return closePaymentInstruction({ programId, payment: ref });
  const { mint, tokenProgram } = ref;
  const associated = await findAccount({ owner: ref[side], mint, tokenProgram });
  return payOutInstruction({ programId, payment: ref, side, associated });
}

type FindAccount = typeof findTokenAccountAddress;
/** Merchants whose accounts are kept at hand. */
const KEPT_MAX = 10_000;

/** Derives the account of an owner once: a merchant is paid again and again, and deriving is most of what a part costs here. */
export function keepAccounts(): FindAccount {
  const kept = new Map<string, Address>();
  return async (holding) => {
    const name = `${holding.owner} ${holding.mint} ${holding.tokenProgram}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const found = await findTokenAccountAddress(holding);
    if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value!);
    kept.set(name, found);
    return found;
  };
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
