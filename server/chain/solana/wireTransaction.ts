import {
  type Address,
  type CompiledTransactionMessage,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getPublicKeyFromAddress,
  getTransactionDecoder,
  getTransactionEncoder,
  type ReadonlyUint8Array,
  type SignatureBytes,
  type Transaction,
  verifySignature,
} from "@solana/kit";

/** The most bytes of a transaction before version 1, and of version 1. */
const BYTES_MAX = { before: 1_232, version1: 4_096 } as const;
const CHARACTERS_MAX = Math.ceil(BYTES_MAX.version1 / 3) * 4;

/** Version 1 begins with this byte. Then come three counts of signers, a mask, a blockhash, and the last two counts. */
const VERSION_1 = 0x81;
const HEAD_BYTES = 42;
const [MASK_AT, INSTRUCTIONS_AT, ACCOUNTS_AT] = [4, 40, 41];
/** The bits of the mask that mean something; the first two are one value, the priority fee. */
const MASK_BITS = 0b11111;
const FEE_BITS = 0b11;
const SIGNATURES_MAX = 12;
const ACCOUNTS_MAX = 64;
const INSTRUCTIONS_MAX = 64;

const wireDecoder = getTransactionDecoder();
const wireEncoder = getTransactionEncoder();
const messageDecoder = getCompiledTransactionMessageDecoder();
const messageEncoder = getCompiledTransactionMessageEncoder();

/** A transaction on the wire: its signers in order with their signatures, and the bytes they signed. */
export interface Wire {
  readonly messageBytes: ReadonlyUint8Array;
  readonly signatures: Readonly<Record<string, SignatureBytes | null>>;
}

export interface ReadInstruction {
  readonly program: string | undefined;
  /** Undefined: the account is in a look-up table. */
  readonly accounts: readonly (string | undefined)[];
  readonly data: ReadonlyUint8Array;
}

/** A transaction of version 1 asks this of the network, outside its instructions. */
interface Config {
  readonly computeUnitLimit?: number;
  /** For the whole transaction. */
  readonly priorityFeeLamports?: bigint;
}

/** A transaction of any version of which every byte was read. */
export interface ReadTransaction {
  readonly kind: "read";
  readonly wire: Wire;
  readonly version: "legacy" | 0 | 1;
  readonly blockhash: string;
  readonly signers: readonly string[];
  readonly instructions: readonly ReadInstruction[];
  /** True if every account is in its bytes, once: a look-up table may change between two reads. */
  readonly isWhole: boolean;
  /** It is null before version 1. */
  readonly config: Config | null;
}

/** The text is no transaction. The reason has at most 38 characters: a wallet shows it after some words. */
interface UnreadTransaction {
  readonly kind: "invalid";
  readonly reason: string;
}
const invalid = (reason: string): UnreadTransaction => ({ kind: "invalid", reason });

/** Reads a transaction in base64. A runtime takes no byte that means nothing, and nor does this. */
export function readTransaction(text: string): ReadTransaction | UnreadTransaction {
  if (text.length > CHARACTERS_MAX) return invalid(`it has more than ${BYTES_MAX.version1} bytes`);
  const bytes = Buffer.from(text, "base64");
  if (bytes.length === 0 || bytes.toString("base64") !== text) return invalid("it is not base64");
  const isVersion1 = bytes[0] === VERSION_1;
  const bytesMax = isVersion1 ? BYTES_MAX.version1 : BYTES_MAX.before;
  if (bytes.length > bytesMax) return invalid(`it has more than ${bytesMax} bytes`);
  const fault = isVersion1 ? faultOfHead(bytes) : null;
  if (fault !== null) return invalid(fault);
  const wire: Wire | null = attempt(() => wireDecoder.decode(bytes));
  const message = wire && attempt(() => messageDecoder.decode(wire.messageBytes));
  if (wire === null || message === null) return invalid(isVersion1 ? "it is cut off" : "its bytes are no transaction");
  if (!isAllRead(bytes, wire, message)) return invalid("it has bytes that mean nothing");
  const { staticAccounts, header, version } = message;
  const hasLookups = "addressTableLookups" in message && (message.addressTableLookups ?? []).length > 0;
  const isTwice = new Set(staticAccounts).size !== staticAccounts.length;
  if (isVersion1 && isTwice) return invalid("it names an account twice");
  const config = message.version === 1 ? attempt(() => decompileTransactionMessage(message).config ?? {}) : null;
  if (isVersion1 && config === null) return invalid("it names a program that is not there");
  return {
    kind: "read",
    wire,
    version,
    blockhash: message.lifetimeToken,
    signers: staticAccounts.slice(0, header.numSignerAccounts),
    instructions: readInstructions(message),
    isWhole: !hasLookups && !isTwice,
    config,
  };
}

/** Kit's decoders throw many kinds of errors for bytes that are no transaction; none of them is a fault of ours. */
export function attempt<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Returns the limit of version 1 that the first bytes break; null if they break none. */
function faultOfHead(bytes: Buffer): string | null {
  if (bytes.length < HEAD_BYTES) return "it is cut off";
  const [signatures, instructions, accounts] = [bytes[1]!, bytes[INSTRUCTIONS_AT]!, bytes[ACCOUNTS_AT]!];
  if (signatures === 0) return "nobody signs it";
  if (signatures > SIGNATURES_MAX) return `it has more than ${SIGNATURES_MAX} signatures`;
  if (accounts > ACCOUNTS_MAX) return `it names more than ${ACCOUNTS_MAX} accounts`;
  if (accounts < signatures) return "it has more signatures than accounts";
  if (instructions > INSTRUCTIONS_MAX) return `it has more than ${INSTRUCTIONS_MAX} instructions`;
  const mask = bytes.readUInt32LE(MASK_AT);
  if (mask > MASK_BITS) return "it asks for something unknown";
  return (mask & FEE_BITS) === 0 || (mask & FEE_BITS) === FEE_BITS ? null : "its priority fee is half there";
}

/** Returns true if the bytes are those of the message that was read: a decoder may skip bytes that a runtime does not. */
function isAllRead(bytes: Buffer, wire: Wire, message: CompiledTransactionMessage): boolean {
  const again = attempt(() => ({
    message: messageEncoder.encode(message),
    wire: wireEncoder.encode(wire as unknown as Transaction),
  }));
  return again !== null && isSame(again.message, wire.messageBytes) && isSame(again.wire, bytes);
}

export const isSame = (one: ReadonlyUint8Array, other: ReadonlyUint8Array): boolean =>
  Buffer.compare(Buffer.from(one), Buffer.from(other)) === 0;

/** In version 1 the accounts and data of all instructions come after the heads of all. */
function readInstructions(message: CompiledTransactionMessage): readonly ReadInstruction[] {
  const { staticAccounts } = message;
  const instructions =
    message.version === 1
      ? message.instructionHeaders.map(({ programAccountIndex }, at) => ({
          programAddressIndex: programAccountIndex,
          accountIndices: message.instructionPayloads[at]!.instructionAccountIndices,
          data: message.instructionPayloads[at]!.instructionData,
        }))
      : message.instructions;
  return instructions.map(({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => ({
    program: staticAccounts[programAddressIndex],
    accounts: accountIndices.map((index) => staticAccounts[index]),
    data,
  }));
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
