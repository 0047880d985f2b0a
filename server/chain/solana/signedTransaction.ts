import {
  type InstructionKind,
  instructionKind,
  OPERATOR_ACCOUNT_INDEX,
  PAYMENT_ACCOUNT_INDEX,
  PERIODS,
  TOKEN_PROGRAM_IDS,
} from "@holdfast/escrow-client";
import {
  type Address,
  fixDecoderSize,
  getAddressDecoder,
  getBase16Decoder,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getI64Decoder,
  getPublicKeyFromAddress,
  getStructDecoder,
  getTransactionDecoder,
  getU8Decoder,
  getU64Decoder,
  type ReadonlyUint8Array,
  type SignatureBytes,
  verifySignature,
} from "@solana/kit";
import type { SignedAction } from "../actions.ts";
import type { SignedPayment, SignedTransaction } from "../builder.ts";
import { dateOf } from "./shapes.ts";

/** The most bytes of a transaction in a network packet. */
const WIRE_BYTES_MAX = 1_232;
const WIRE_CHARACTERS_MAX = Math.ceil(WIRE_BYTES_MAX / 3) * 4;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const wireDecoder = getTransactionDecoder();
const messageDecoder = getCompiledTransactionMessageDecoder();
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

interface Ours {
  readonly programId: string;
  readonly operator: string;
}

/** A transaction on the wire: its signers in order with their signatures, and the bytes they signed. */
export interface Wire {
  readonly messageBytes: ReadonlyUint8Array;
  readonly signatures: Readonly<Record<string, SignatureBytes | null>>;
}

/** Decodes the transaction of a base64 text; null if it is none. */
export function decodeWire(text: string): Wire | null {
  if (text.length > WIRE_CHARACTERS_MAX || !BASE64.test(text)) return null;
  const bytes = Buffer.from(text, "base64");
  if (bytes.length === 0 || bytes.length > WIRE_BYTES_MAX) return null;
  return attempt(() => wireDecoder.decode(bytes));
}

/** Kit's decoders throw many kinds of errors for bytes that are no transaction; none of them is a fault of ours. */
export function attempt<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/**
 * Decodes a transaction that a wallet signed, and checks every signature. Null if it is no transaction, or a signature is
 * missing or wrong.
 */
export async function readSignedTransaction(text: string, ours: Ours): Promise<SignedTransaction | null> {
  const wire = decodeWire(text);
  const message = wire && attempt(() => messageDecoder.decode(wire.messageBytes));
  if (wire === null || message === null || !("instructions" in message)) return null;
  const signers = Object.entries(wire.signatures);
  const [, first] = signers[0] ?? [];
  if (first === null || first === undefined || !(await areSigned(wire, signers))) return null;
  const { staticAccounts } = message;
  const instructions = message.instructions.map((one) => ({
    ...one,
    program: staticAccounts[one.programAddressIndex],
  }));
  const found = <Read>(read: (...given: [typeof staticAccounts, CompiledInstruction, Ours]) => Read | null) =>
    instructions.map((one) => read(staticAccounts, one, ours)).filter((one) => one !== null);
  return { signature: base58.decode(first), payments: found(readCreation), actions: found(readAction) };
}

export async function areSigned(
  { messageBytes }: Wire,
  signers: readonly (readonly [address: string, signature: SignatureBytes | null])[],
): Promise<boolean> {
  for (const [address, signature] of signers) {
    if (signature === null) return false;
    const key = await getPublicKeyFromAddress(address as Address).catch(() => null);
    if (key === null || !(await verifySignature(key, signature, messageBytes))) return false;
  }
  return true;
}

interface CompiledInstruction {
  readonly program: Address | undefined;
  readonly accountIndices?: readonly number[];
  readonly data?: ReadonlyUint8Array;
}

/**
 * Returns the payment that an instruction makes under the operator; null for any other instruction, and if an account
 * comes from a look-up table.
 */
function readCreation(
  accounts: readonly Address[],
  { program, accountIndices = [], data = new Uint8Array() }: CompiledInstruction,
  ours: Ours,
): SignedPayment | null {
  if (program !== ours.programId || data.length !== CREATE_SIZE || instructionKind(data) !== "create_payment")
    return null;
  const at = (index: number) => accounts[accountIndices[index] ?? accounts.length];
  const [operator, sender, recipient, asset] = [OPERATOR_ACCOUNT_INDEX, SENDER_INDEX, RECIPIENT_INDEX, MINT_INDEX].map(
    at,
  );
  const { paymentId, amount, period, notAfter, termsHash } = createDecoder.decode(data);
  const protectionPeriod = PERIODS[period];
  if (operator !== ours.operator || !TOKEN_PROGRAM_IDS.some((one) => one === at(TOKEN_PROGRAM_INDEX))) return null;
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
    notAfter: until,
    termsHash: termsHash === NO_HASH ? null : termsHash,
  };
}

const ACTED: Partial<Record<InstructionKind, SignedAction["kind"]>> = {
  open_dispute: "dispute",
  release: "release",
  refund: "refund",
  resolve: "resolve",
  pay_out: "pay_out",
  close_payment: "close",
};
/** The data of a decision: its number and the total. */
const DECISION_SIZE = 9;

/** Returns the action of an instruction on a payment of the operator; null for any other instruction. */
function readAction(
  accounts: readonly Address[],
  { program, accountIndices = [], data = new Uint8Array() }: CompiledInstruction,
  ours: Ours,
): SignedAction | null {
  if (program !== ours.programId) return null;
  const kind = ACTED[instructionKind(data) ?? "create_payment"];
  const at = (index: number) => accounts[accountIndices[index] ?? accounts.length];
  const payment = at(PAYMENT_ACCOUNT_INDEX);
  if (kind === undefined || payment === undefined || at(OPERATOR_ACCOUNT_INDEX) !== ours.operator) return null;
  const total = data.length === DECISION_SIZE ? Buffer.from(data).readBigUInt64LE(1).toString() : null;
  return { kind, payment, total };
}

/** Returns the blockhash that a transaction names, and its signature, zeros if it has none; null if the text is none. */
export function nameOf(text: string): { readonly name: string; readonly signature: string } | null {
  const wire = decodeWire(text);
  const message = wire && attempt(() => messageDecoder.decode(wire.messageBytes));
  if (wire === null || message === null) return null;
  const [first] = Object.values(wire.signatures);
  return { name: message.lifetimeToken, signature: base58.decode(first ?? new Uint8Array(SIGNATURE_BYTES)) };
}
const SIGNATURE_BYTES = 64;

/** The caller has built the transaction, or decoded it before. */
export const blockhashOf = (text: string): string => nameOf(text)!.name;
