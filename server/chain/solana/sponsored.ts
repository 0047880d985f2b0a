import { type InstructionKind, instructionKind } from "@holdfast/escrow-client";
import {
  type Address,
  type CompiledTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionEncoder,
  type ReadonlyUint8Array,
  type Transaction,
} from "@solana/kit";
import { attempt, decodeWire, type Wire } from "./signedTransaction.ts";

/**
 * A sponsor signs bytes that the server built, or those that a wallet made of them by a change on this list. Anything else
 * is refused, whatever it does: the sponsor's key is open to requests of strangers.
 */

const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";
/**
 * Wallets guard a transaction by the assertions of this program. They stop it if it would do something other than it
 * showed.
 */
const LIGHTHOUSE = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95";
/**
 * The program's instructions that only read. Those with lower numbers make and close accounts at a payer's expense, those
 * with higher numbers call other programs.
 */
const ASSERTIONS = { first: 2, last: 15 } as const;
const SET_LIMIT = { kind: 2, size: 5 } as const;
const SET_PRICE = { kind: 3, size: 9 } as const;
const SET_LOADED_SIZE = { kind: 4, size: 5 } as const;
/** A built transaction has three; wallets add one to four. */
const INSTRUCTIONS_MAX = 16;
/** The index of the rent payer in create_payment. */
const RENT_PAYER_INDEX = 3;

interface SponsoredMessage {
  /** Fee payer and rent payer. */
  readonly sponsor: Address;
  readonly sender: Address;
  readonly wire: Wire;
}

interface ReadInstruction {
  readonly program: string | undefined;
  readonly accounts: readonly (string | undefined)[];
  readonly data: ReadonlyUint8Array;
}

interface ReadMessage extends SponsoredMessage {
  readonly instructions: readonly ReadInstruction[];
}

const messageDecoder = getCompiledTransactionMessageDecoder();
const messageEncoder = getCompiledTransactionMessageEncoder();
const wireEncoder = getTransactionEncoder();

/** Decodes a transaction of a sponsor and one sender; null if it is none. */
export function readSponsored(text: string): ReadMessage | null {
  const wire = decodeWire(text);
  const message = wire && attempt(() => messageDecoder.decode(wire.messageBytes));
  if (wire === null || message === null || message.version !== 0 || !isWholeMessage(text, wire, message)) return null;
  // Accounts of a look-up table are not in the bytes, and the table may change between two reads.
  if ((message.addressTableLookups ?? []).length > 0 || message.header.numSignerAccounts !== 2) return null;
  const { staticAccounts } = message;
  const [sponsor, sender] = staticAccounts;
  if (sponsor === undefined || sender === undefined || new Set(staticAccounts).size !== staticAccounts.length)
    return null;
  const instructions = message.instructions.map(
    ({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => ({
      program: staticAccounts[programAddressIndex],
      accounts: accountIndices.map((index) => staticAccounts[index]),
      data,
    }),
  );
  return { sponsor, sender, wire, instructions };
}

/** Returns true if every byte was decoded: a decoder may skip bytes that a runtime does not. */
export function isWholeMessage(text: string, wire: Wire, message: CompiledTransactionMessage): boolean {
  const again = attempt(() => ({
    message: messageEncoder.encode(message),
    wire: wireEncoder.encode(wire as unknown as Transaction),
  }));
  if (again === null) return false;
  return (
    Buffer.compare(Buffer.from(again.message), Buffer.from(wire.messageBytes)) === 0 &&
    Buffer.from(again.wire).toString("base64") === text
  );
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
  if (limits.price > allowed.price) return "it offers more for priority than was built";
  const payments = others.filter(({ program }) => program === payment.program);
  if (payments.length !== 1 || !isSame(payments[0]!, payment)) return "its payment is not the one that was built";
  for (const { program, accounts, data } of others) {
    if (program === payment.program) continue;
    const kind = data[0] ?? 0;
    if (program !== LIGHTHOUSE || kind < ASSERTIONS.first || kind > ASSERTIONS.last) return "it does more than to pay";
    if (accounts.some((account) => account === undefined || account === own.sponsor))
      return "it hands the sponsor's account to another program";
  }
  return null;
}

const isNoBudget = ({ program }: ReadInstruction): boolean => program !== COMPUTE_BUDGET;

/** The decisions of a buyer, for which a sponsor pays the network's fee. */
const DECISIONS: readonly (InstructionKind | null)[] = ["open_dispute", "release"];

/** Returns true if a payment names the sponsor once, as the payer of its rents, and a buyer's decision nowhere. */
function isForSponsor({ accounts, data }: ReadInstruction, { sponsor, sender }: SponsoredMessage): boolean {
  const named = accounts.filter((account) => account === sponsor).length;
  const kind = instructionKind(data);
  if (sponsor === sender) return false;
  if (DECISIONS.includes(kind)) return named === 0;
  return kind === "create_payment" && accounts[RENT_PAYER_INDEX] === sponsor && named === 1;
}

const isSame = (one: ReadInstruction, other: ReadInstruction): boolean =>
  one.program === other.program &&
  one.accounts.length === other.accounts.length &&
  one.accounts.every((account, index) => account !== undefined && account === other.accounts[index]) &&
  Buffer.compare(Buffer.from(one.data), Buffer.from(other.data)) === 0;

/**
 * Returns the compute units that a transaction asks for, and their price in micro-lamports. Returns a sentence if it asks
 * in another way.
 */
function readLimits({ instructions }: ReadMessage): { readonly units: bigint; readonly price: bigint } | string {
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
  // Without a limit the network sets one for each instruction.
  return units === null ? "it has no compute limit" : { units, price: price ?? 0n };
}
