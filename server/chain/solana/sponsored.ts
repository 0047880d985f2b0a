import { instructionKind } from "@holdfast/escrow-client";
import { SPONSORED_ACTIONS } from "../acts.ts";
import { actionKind } from "./acts.ts";
import { COMPUTE_BUDGET, isGuard } from "./memo.ts";
import { isSame, type ReadInstruction, type ReadTransaction, readTransaction, type Wire } from "./wireTransaction.ts";

/**
 * A sponsor signs bytes that the server built, or those that a wallet made of them by a change on this list. Anything else
 * is refused, whatever it does: the sponsor's key is open to requests of strangers.
 */

const SET_LIMIT = { kind: 2, size: 5 } as const;
const SET_PRICE = { kind: 3, size: 9 } as const;
const SET_LOADED_SIZE = { kind: 4, size: 5 } as const;
/** A built transaction has three; wallets add one to four. */
const INSTRUCTIONS_MAX = 16;
/** The index of the rent payer in create_payment. */
const RENT_PAYER_INDEX = 3;

interface SponsoredTransaction {
  /** Fee payer and rent payer. */
  readonly sponsor: string;
  readonly sender: string;
  readonly wire: Wire;
  readonly instructions: readonly ReadInstruction[];
  /** It is null before version 1. */
  readonly config: ReadTransaction["config"];
}

/** Decodes a transaction of a sponsor and one sender; null if it is none. */
export function readSponsored(text: string): SponsoredTransaction | null {
  const read = readTransaction(text);
  if (read.kind === "invalid" || !read.isWhole || read.version === "legacy") return null;
  const { wire, instructions, config } = read;
  const [sponsor, sender, ...others] = read.signers;
  if (sponsor === undefined || sender === undefined || others.length > 0) return null;
  return { sponsor, sender, wire, instructions, config };
}

/**
 * Returns the reason why the sponsor must not sign a transaction, in words; null if its bytes allow it. `built`: the
 * transaction that the server built for its sender, in base64. The signed one may ask for less compute and priority, have
 * another blockhash, and contain assertions that do not name the sponsor.
 */
export function checkSponsored(transaction: string, built: string): string | null {
  const [own, given] = [readSponsored(built), readSponsored(transaction)];
  if (own === null || given === null) return "it is no transaction of a sponsor and one sender";
  if (given.sponsor !== own.sponsor) return "another account pays the fee";
  if (given.sender !== own.sender) return "another account signs it";
  if (given.instructions.length > INSTRUCTIONS_MAX) return "it has too many instructions";
  const [payment, ...further] = own.instructions.filter(isNoBudget);
  if (payment === undefined || further.length > 0 || !isForSponsor(payment, own)) return "it was built for no sponsor";
  const [limits, others] = [readLimits(given), given.instructions.filter(isNoBudget)];
  if (typeof limits === "string") return limits;
  const allowed = readLimits(own);
  if (typeof allowed === "string") return allowed;
  if (limits.units > allowed.units) return "it asks for more compute than was built";
  if (isDearer(limits, allowed)) return "it offers more for priority than was built";
  const payments = others.filter(({ program }) => program === payment.program);
  if (payments.length !== 1 || !isSameInstruction(payments[0]!, payment))
    return "its payment is not the one that was built";
  for (const { program, accounts, data } of others) {
    if (program === payment.program) continue;
    if (!isGuard(program, data[0])) return "it does more than to pay";
    if (accounts.some((account) => account === undefined || account === own.sponsor))
      return "it hands the sponsor's account to another program";
  }
  return null;
}

const isNoBudget = ({ program }: ReadInstruction): boolean => program !== COMPUTE_BUDGET;

/** Returns true if a payment names the sponsor once, as the payer of its rents, and a buyer's decision nowhere. */
function isForSponsor({ accounts, data }: ReadInstruction, { sponsor, sender }: SponsoredTransaction): boolean {
  const named = accounts.filter((account) => account === sponsor).length;
  if (sponsor === sender) return false;
  if (SPONSORED_ACTIONS.some((action) => action === actionKind(data))) return named === 0;
  return instructionKind(data) === "create_payment" && accounts[RENT_PAYER_INDEX] === sponsor && named === 1;
}

const isSameInstruction = (one: ReadInstruction, other: ReadInstruction): boolean =>
  one.program === other.program &&
  one.accounts.length === other.accounts.length &&
  one.accounts.every((account, index) => account !== undefined && account === other.accounts[index]) &&
  isSame(one.data, other.data);

interface Limits {
  readonly units: bigint;
  /** In micro-lamports a unit; of version 1 in lamports for the whole transaction. */
  readonly price: bigint;
  readonly isOfAll: boolean;
}

const isDearer = (given: Limits, { units, price }: Limits): boolean =>
  given.price > (given.isOfAll ? (units * price + 999_999n) / 1_000_000n : price);

/** Returns what a transaction asks of the network, or a sentence if it asks in another way. */
function readLimits({ instructions, config }: SponsoredTransaction): Limits | string {
  let units: bigint | null = null;
  let price: bigint | null = null;
  for (const { accounts, data } of instructions.filter((one) => !isNoBudget(one))) {
    const bytes = Buffer.from(data);
    const is = ({ kind, size }: typeof SET_LIMIT | typeof SET_PRICE | typeof SET_LOADED_SIZE) =>
      bytes[0] === kind && bytes.length === size && accounts.length === 0;
    if (is(SET_LIMIT) && units === null) units = BigInt(bytes.readUInt32LE(1));
    else if (is(SET_PRICE) && price === null) price = bytes.readBigUInt64LE(1);
    else if (!is(SET_LOADED_SIZE)) return "it asks the network for something unknown";
  }
  if (config !== null) {
    // Version 1 asks outside its instructions: those of the compute budget mean nothing in it.
    const { computeUnitLimit = 0, priorityFeeLamports = 0n } = config;
    return { units: BigInt(computeUnitLimit), price: priorityFeeLamports, isOfAll: true };
  }
  // Without a limit the network sets one for each instruction.
  return units === null ? "it has no compute limit" : { units, price: price ?? 0n, isOfAll: false };
}
