import {
  ASSOCIATED_TOKEN_PROGRAM_ID,
  instructionKind,
  OPERATOR_ACCOUNT_INDEX,
  PERIODS,
  SYSTEM_PROGRAM_ID,
  TOKEN_PROGRAM_IDS,
} from "@holdfast/escrow-client";
import {
  fixDecoderSize,
  getAddressDecoder,
  getBase16Decoder,
  getBase58Decoder,
  getI64Decoder,
  getStructDecoder,
  getU8Decoder,
  getU64Decoder,
} from "@solana/kit";
import type { SignedAction, SignedMemo, SoleActs } from "../acts.ts";
import type { SignedPayment, SignedTransaction, UnsignedTransaction } from "../builder.ts";
import { type Ours, readAct } from "./acts.ts";
import { COMPUTE_BUDGET, isGuard, MEMO, readText } from "./memo.ts";
import { dateOf } from "./shapes.ts";
import { areSigned, attempt, type ReadInstruction, type ReadTransaction, readTransaction } from "./wireTransaction.ts";

const base58 = getBase58Decoder();
const NO_HASH = "00".repeat(32);

/** The data of create_payment, its first byte included. */
const createDecoder = getStructDecoder([
  ["instruction", getU8Decoder()],
  ["paymentId", getU64Decoder()],
  ["amount", getU64Decoder()],
  ["period", getU8Decoder()],
  ["notAfter", getI64Decoder()],
  ["arbiter", getAddressDecoder()],
  ["termsHash", fixDecoderSize(getBase16Decoder(), 32)],
]);
const CREATE_SIZE = 90;
/** The index of each account in create_payment. */
const SENDER_INDEX = 2;
const RECIPIENT_INDEX = 4;
const MINT_INDEX = 5;
const TOKEN_PROGRAM_INDEX = 8;

/** Decodes a transaction that a wallet signed, and checks every signature; or says in words why it is none. */
export async function readSignedTransaction(
  text: string,
  ours: Ours,
): Promise<SignedTransaction | UnsignedTransaction> {
  const read = readTransaction(text);
  if (read.kind === "invalid") return read;
  const signers = Object.entries(read.wire.signatures);
  const [, first] = signers[0] ?? [];
  if (!first || signers.some(([, signature]) => signature === null))
    return { kind: "invalid", reason: "a signature is missing" };
  if (!(await areSigned(read.wire, signers))) return { kind: "invalid", reason: "a signature is wrong" };
  const made = read.instructions.map((one) => readCreation(one, ours));
  const payments = made.filter((one) => one !== null);
  const found = read.instructions.map((one) => readAct(one, ours) ?? readMemo(one, read.signers));
  const actions = found.filter((one) => one !== null).filter((one) => one.kind !== "memo");
  const isOnePayment = payments.length === 1 && doesNoMore(read, made);
  const sole = findSole(read, found);
  return { kind: "signed", signature: base58.decode(first), payments, isOnePayment, actions, sole };
}

/** Returns true if one wallet signs, and each further instruction is harmless or makes a token account at its cost. */
const doesNoMore = ({ isWhole, signers, instructions }: ReadTransaction, made: readonly (SignedPayment | null)[]) =>
  isWhole &&
  signers.length === 1 &&
  instructions.every((one, at) => made[at] !== null || isHarmless(one) || isAccountCreation(one));

/** The instruction makes an associated token account, or does nothing if there is one. */
const isAccountCreation = ({ program, data }: ReadInstruction): boolean =>
  program === ASSOCIATED_TOKEN_PROGRAM_ID && data.length === 1 && data[0] === 1;

const isHarmless = ({ program, accounts, data }: ReadInstruction): boolean =>
  (program === COMPUTE_BUDGET && accounts.length === 0) || isGuard(program, data[0]);

/** A transaction has one memo or ruling, prices, and the guards of a wallet. */
const SOLE_INSTRUCTIONS_MAX = 20;

/** Returns all that a transaction of one signer does, by what each of its instructions was found to do. */
function findSole(
  { isWhole, signers, instructions }: ReadTransaction,
  found: readonly (SignedAction | SignedMemo | null)[],
): SoleActs | null {
  const [signer] = signers;
  if (!isWhole || signer === undefined || signers.length > 1 || instructions.length > SOLE_INSTRUCTIONS_MAX)
    return null;
  const acts = found.filter((_, at) => !isHarmless(instructions[at]!));
  return acts.includes(null) ? null : { signer, acts: acts.filter((one) => one !== null) };
}

/** Returns the memo of an instruction, which the only signer signs; null for any other instruction. */
function readMemo({ program, accounts, data }: ReadInstruction, signers: readonly string[]): SignedMemo | null {
  const text = program === MEMO && accounts.length === 1 && accounts[0] === signers[0] ? readText(data) : null;
  return text === null ? null : { kind: "memo", text };
}

/**
 * Returns the payment that an instruction makes under the operator; null for any other instruction, and if an account
 * comes from a look-up table.
 */
function readCreation({ program, accounts, data }: ReadInstruction, ours: Ours): SignedPayment | null {
  if (program !== ours.programId || data.length !== CREATE_SIZE || instructionKind(data) !== "create_payment")
    return null;
  const [operator, sender, recipient, asset] = [OPERATOR_ACCOUNT_INDEX, SENDER_INDEX, RECIPIENT_INDEX, MINT_INDEX].map(
    (index) => accounts[index],
  );
  const { paymentId, amount, period, notAfter, arbiter, termsHash } = createDecoder.decode(data);
  const protectionPeriod = PERIODS[period];
  if (operator !== ours.operator || !TOKEN_PROGRAM_IDS.some((one) => one === accounts[TOKEN_PROGRAM_INDEX]))
    return null;
  if (sender === undefined || recipient === undefined || asset === undefined || protectionPeriod === undefined)
    return null;
  const until = attempt(() => (notAfter === 0n ? null : dateOf(notAfter, "not_after")));
  return {
    recipient,
    amount: amount.toString(),
    asset,
    protectionPeriod,
    paymentId: paymentId.toString(),
    sender,
    arbiter,
    notAfter: until,
    termsHash: termsHash === NO_HASH ? null : termsHash,
  };
}

/** A transaction's life is judged by these. `name` is null for one that uses a durable nonce: it has no end. */
export interface Named {
  readonly name: string | null;
  readonly signature: string;
}

/**
 * Returns the blockhash that a transaction names, and its signature, zeros if it has none; null if the text is none. A
 * wallet that sends may have changed what it signed: then only its signature is known of what it sent.
 */
export async function nameOf(text: string): Promise<Named | null> {
  const read = readTransaction(text);
  if (read.kind === "invalid") return null;
  const [address, first] = Object.entries(read.wire.signatures)[0] ?? [];
  const signature = base58.decode(first ?? new Uint8Array(SIGNATURE_BYTES));
  if (isByNonce(read.instructions[0])) return { name: null, signature };
  const isOfTheseBytes = address === undefined || !first || (await areSigned(read.wire, [[address, first]]));
  return { name: isOfTheseBytes ? read.blockhash : signature, signature };
}

/** The instruction is AdvanceNonceAccount of the system program. The network reads its first four bytes alone. */
const isByNonce = (one: ReadInstruction | undefined): boolean =>
  one?.program === SYSTEM_PROGRAM_ID && Buffer.from(one.data).toString("hex").startsWith("04000000");
const SIGNATURE_BYTES = 64;

/** The caller has built the transaction, or decoded it before. */
export function blockhashOf(text: string): string {
  const read = readTransaction(text);
  if (read.kind === "invalid") throw new Error(`This is no transaction: ${read.reason}.`);
  return read.blockhash;
}
