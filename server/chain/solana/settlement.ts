import {
  closePaymentInstruction,
  findTokenAccountAddress,
  harvestInstruction,
  type PaymentRef,
  type ProgramInstruction,
  payOutInstruction,
  TOKEN_2022_PROGRAM_ID,
} from "@holdfast/escrow-client";
import type { Address, Blockhash } from "@solana/kit";
import type { DuePart } from "../port.ts";
import { compileDraft, feeOf } from "./draft.ts";

/** Compute units a simulation may use; one part takes 6,000 to 30,000. */
const UNITS_PER_PART_MAX = 200_000;
const UNITS_MAX = 1_400_000;
/** The most parts that a transaction pays out: those of one merchant fit into its bytes, and are simulated within its units. */
export const PAY_OUT_MAX = UNITS_MAX / UNITS_PER_PART_MAX;

const TRANSACTION_BYTES_MAX = 1_232;
/** A signature, the message's header and counts, the blockhash; program, operator and fee payer; limit and price of the units. */
const FRAME_BYTES = 1 + 64 + 6 + 32 + 4 * 32 + 1 + 8 + 12;
/** Program and counts; eight accounts and two bytes of data, or to close a record four and one. */
const PART_BYTES = 13;
/** The harvest of a vault in front of a part: two accounts that the part has too, and two bytes of data. */
const HARVEST_BYTES = 7;

/** Returns true if the parts' transaction fits into a packet. An account that several parts name counts once. */
export function fitsInOne(parts: readonly DuePart[]): boolean {
  const accounts = new Set<string>();
  const harvests = parts.filter(mayWithhold).length;
  for (const { payment, side } of parts) {
    const { address, asset, tokenProgram, rentPayer } = payment;
    for (const account of [address, `vault of ${address}`, rentPayer]) accounts.add(account);
    if (side === "record") continue;
    const owner = payment[side];
    for (const account of [owner, `${asset} of ${owner}`, asset, tokenProgram]) accounts.add(account);
  }
  const bytes = FRAME_BYTES + accounts.size * 32 + parts.length * PART_BYTES + harvests * HARVEST_BYTES;
  return parts.length <= PAY_OUT_MAX && bytes <= TRANSACTION_BYTES_MAX;
}

/** Returns true if the part's vault may hold withheld fees. */
export const mayWithhold = ({ payment, side }: DuePart): boolean =>
  side !== "record" && payment.tokenProgram === TOKEN_2022_PROGRAM_ID;

/** A part's instruction, and its vault. */
export interface DraftedPart {
  readonly part: DuePart;
  readonly instruction: ProgramInstruction;
  readonly vault: Address | null;
}

/**
 * Returns the instructions in order, each with its part. A vault with withheld fees is harvested first: they would keep it
 * open.
 */
export const withHarvests = (
  drafted: readonly DraftedPart[],
  isWithheld: (vault: Address) => boolean,
): Pick<DraftedPart, "part" | "instruction">[] =>
  drafted.flatMap((one) => {
    const { part, vault } = one;
    if (vault === null || !isWithheld(vault)) return [one];
    const mint = part.payment.asset as Address;
    const tokenProgram = part.payment.tokenProgram as Address;
    return [{ part, instruction: harvestInstruction({ mint, tokenProgram, accounts: [vault] }) }, one];
  });

export interface Settlement {
  readonly feePayer: Address;
  readonly instructions: readonly ProgramInstruction[];
  readonly blockhash: Blockhash;
  readonly lastValidBlockHeight: bigint;
  /** Units to ask for; null: the maximum that a simulation may need. */
  readonly units: number | null;
  /** Micro-lamports a unit, for a busy chain; 0 sends no price. */
  readonly unitPrice: bigint;
}

/**
 * Does not create a beneficiary's missing token account: the fee payer would not get its price back. No part names the
 * accounts of a mint's transfer hook, so a hook never runs at the fee payer's expense: the token program refuses the part.
 */
export const draftParts = (
  parts: readonly DuePart[],
  programId: string,
  findAccount: FindAccount = findTokenAccountAddress,
): Promise<DraftedPart[]> =>
  Promise.all(parts.map((part) => draftInstruction(part, programId as Address, findAccount)));

/** The index of the vault among the accounts of `pay_out`. */
const VAULT = 5;

async function draftInstruction(part: DuePart, programId: Address, findAccount: FindAccount): Promise<DraftedPart> {
  const { payment, side } = part;
  const ref = paymentRef(payment);
  if (side === "record")
    return { part, instruction: await closePaymentInstruction({ programId, payment: ref }), vault: null };
  const { mint, tokenProgram } = ref;
  const associated = await findAccount({ owner: ref[side], mint, tokenProgram });
  const instruction = await payOutInstruction({ programId, payment: ref, side, associated });
  return { part, instruction, vault: instruction.accounts[VAULT]!.address };
}

type FindAccount = typeof findTokenAccountAddress;
/** Merchants whose accounts are cached. */
const KEPT_MAX = 10_000;

/** Derives each owner's account once: merchants are paid again and again, and deriving is most of the cost of a part here. */
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

export const paymentRef = (payment: DuePart["payment"]): PaymentRef => ({
  address: payment.address as Address,
  operator: payment.operator as Address,
  sender: payment.sender as Address,
  recipient: payment.recipient as Address,
  mint: payment.asset as Address,
  tokenProgram: payment.tokenProgram as Address,
  arbiter: payment.arbiter as Address,
  rentPayer: payment.rentPayer as Address,
});

const unitsMax = ({ length }: Settlement["instructions"]): number => Math.min(length * UNITS_PER_PART_MAX, UNITS_MAX);

/** Compiles the unsigned transaction. */
export const compileSettlement = ({ feePayer, instructions, unitPrice, units, ...lifetime }: Settlement) =>
  compileDraft({
    feePayer,
    instructions,
    lifetime,
    units: units ?? unitsMax(instructions),
    unitPrice: unitPrice === 0n ? undefined : unitPrice,
    isBudgetLast: true,
  });

/** The cost of the transaction for the fee payer, its only signer: the base fee, and the price of the requested units. */
export const feeOfSettlement = ({ instructions, unitPrice, units }: Settlement): bigint =>
  feeOf(1n, units ?? unitsMax(instructions), unitPrice);

/** Asks for more than the simulation used: a bump may be found later, and an account may appear or vanish meanwhile. */
export const unitsToAskFor = (used: number): number => Math.ceil(used * 1.25) + 10_000;
