import { toBase58 } from "./base58.ts";

/** The most bytes of a transaction before version 1, and of version 1. */
const PACKET_BYTES_MAX = 1232;
const VERSION_1_BYTES_MAX = 4096;
/** The flag of a version, and its number. */
const VERSION_0 = 0x80;
const VERSION_1 = 0x81;
/** The most of a transaction of version 1. */
const SIGNATURES_MAX = 12;
const KEYS_MAX = 64;
const INSTRUCTIONS_MAX = 64;

interface WireInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

interface WireLookup {
  readonly accountKey: string;
  readonly writableIndexes: readonly number[];
  readonly readonlyIndexes: readonly number[];
}

/** A transaction of version 1 asks this of the network; null: it does not say. */
interface WireConfig {
  /** In lamports, for the whole transaction. */
  readonly priorityFee: bigint | null;
  readonly computeUnitLimit: number | null;
  readonly loadedAccountsDataSizeLimit: number | null;
  readonly heapSize: number | null;
}

export interface WireMessage {
  readonly version: "legacy" | 0 | 1;
  readonly signerCount: number;
  readonly readonlySignerCount: number;
  readonly readonlyOtherCount: number;
  /** The keys written in the message itself; keys from look-up tables follow them in the account order. */
  readonly staticKeys: readonly string[];
  readonly blockhash: string;
  readonly instructions: readonly WireInstruction[];
  readonly lookups: readonly WireLookup[];
  /** Only version 1 has it. */
  readonly config: WireConfig | null;
}

export interface WireTransaction extends WireMessage {
  readonly bytes: Uint8Array;
  readonly signatures: readonly string[];
  /** The first signature: the transaction's name. */
  readonly signature: string;
}

/** The bytes are no transaction; the message says where they stop being one. */
export class WireError extends Error {
  override readonly name = "WireError";
}

class Reader {
  at = 0;
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
  byte(): number {
    const value = this.bytes[this.at];
    if (value === undefined) throw new WireError("io error: unexpected end of file");
    this.at++;
    return value;
  }
  take(length: number): Uint8Array {
    if (this.at + length > this.bytes.length) throw new WireError("io error: unexpected end of file");
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
  /** A little-endian number. */
  uint(length: number): bigint {
    return this.take(length).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n);
  }
  /** compact-u16: seven bits a byte, at most three bytes. */
  length(): number {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const next = this.byte();
      value |= (next & 0x7f) << shift;
      if ((next & 0x80) === 0) return value;
    }
    throw new WireError("invalid length");
  }
  list<T>(one: () => T, count = this.length()): T[] {
    const items: T[] = [];
    for (let i = 0; i < count; i++) items.push(one());
    return items;
  }
  indexes = (): number[] => [...this.take(this.length())];
  key = (): string => toBase58(this.take(32));
  end(): void {
    if (this.at !== this.bytes.length) throw new WireError("trailing bytes");
  }
}

function readMessage(reader: Reader): WireMessage {
  if (reader.bytes[reader.at] === VERSION_1) return readVersion1(reader);
  let version: "legacy" | 0 = "legacy";
  let signerCount = reader.byte();
  if (signerCount & 0x80) {
    if (signerCount !== VERSION_0) throw new WireError("unsupported transaction version");
    version = 0;
    signerCount = reader.byte();
  }
  const readonlySignerCount = reader.byte();
  const readonlyOtherCount = reader.byte();
  const staticKeys = reader.list(reader.key);
  const blockhash = reader.key();
  const instructions = reader.list(() => ({
    programIdIndex: reader.byte(),
    accounts: reader.indexes(),
    data: reader.take(reader.length()),
  }));
  const lookups =
    version === "legacy"
      ? []
      : reader.list(() => ({
          accountKey: reader.key(),
          writableIndexes: reader.indexes(),
          readonlyIndexes: reader.indexes(),
        }));
  const message = {
    ...{ version, signerCount, readonlySignerCount, readonlyOtherCount, staticKeys, blockhash, instructions },
    ...{ lookups, config: null },
  };
  checkIndexes(message);
  return message;
}

function readVersion1(reader: Reader): WireMessage {
  reader.byte();
  const [signerCount, readonlySignerCount, readonlyOtherCount] = [reader.byte(), reader.byte(), reader.byte()];
  const mask = Number(reader.uint(4));
  const blockhash = reader.key();
  const [instructionCount, keyCount] = [reader.byte(), reader.byte()];
  if (signerCount > SIGNATURES_MAX || keyCount > KEYS_MAX || instructionCount > INSTRUCTIONS_MAX)
    throw new WireError("too many signatures, addresses or instructions");
  const staticKeys = reader.list(reader.key, keyCount);
  const config = readConfig(reader, mask);
  const headers = reader.list(() => [reader.byte(), reader.byte(), Number(reader.uint(2))] as const, instructionCount);
  const instructions = headers.map(([programIdIndex, accounts, length]) => {
    return { programIdIndex, accounts: [...reader.take(accounts)], data: reader.take(length) };
  });
  const message: WireMessage = {
    ...{ signerCount, readonlySignerCount, readonlyOtherCount, staticKeys, blockhash, instructions },
    ...{ version: 1, lookups: [], config },
  };
  checkIndexes(message);
  if (new Set(staticKeys).size !== staticKeys.length) throw new WireError("an address is there twice");
  return message;
}

/** Two bits are the one priority fee; a bit that means nothing is no transaction. */
function readConfig(reader: Reader, mask: number): WireConfig {
  if (mask > 0b11111 || ((mask & 1) !== 0) !== ((mask & 2) !== 0))
    throw new WireError("invalid transaction config mask");
  const u32 = (bit: number) => (mask & bit ? Number(reader.uint(4)) : null);
  const priorityFee = mask & 1 ? reader.uint(8) : null;
  const [computeUnitLimit, loadedAccountsDataSizeLimit, heapSize] = [u32(4), u32(8), u32(16)];
  return { priorityFee, computeUnitLimit, loadedAccountsDataSizeLimit, heapSize };
}

function checkIndexes(message: WireMessage): void {
  const looked = message.lookups.reduce((sum, one) => sum + one.writableIndexes.length + one.readonlyIndexes.length, 0);
  const total = message.staticKeys.length + looked;
  if (message.signerCount === 0 || message.signerCount > message.staticKeys.length)
    throw new WireError("index out of bounds");
  if (message.readonlySignerCount >= message.signerCount) throw new WireError("index out of bounds");
  if (message.signerCount + message.readonlyOtherCount > message.staticKeys.length)
    throw new WireError("index out of bounds");
  for (const { programIdIndex, accounts } of message.instructions) {
    if (programIdIndex === 0 || programIdIndex >= message.staticKeys.length) throw new WireError("index out of bounds");
    if (accounts.some((index) => index >= total)) throw new WireError("index out of bounds");
  }
}

/** A message alone, as getFeeForMessage is given it. */
export function readWireMessage(bytes: Uint8Array): WireMessage {
  const reader = new Reader(bytes);
  const message = readMessage(reader);
  reader.end();
  return message;
}

/** A signed transaction from its wire bytes, in version 1 the message first; throws {@link WireError}. */
export function readWireTransaction(bytes: Uint8Array): WireTransaction {
  const reader = new Reader(bytes);
  const readSignature = () => toBase58(reader.take(64));
  const isMessageFirst = bytes[0] === VERSION_1;
  const before = isMessageFirst ? [] : reader.list(readSignature);
  const message = readMessage(reader);
  const signatures = isMessageFirst ? reader.list(readSignature, message.signerCount) : before;
  reader.end();
  if (signatures.length !== message.signerCount) throw new WireError("signature count does not match the header");
  return { ...message, bytes, signatures, signature: signatures[0]! };
}

/** The most bytes that a transaction which begins like this may have. */
export const wireBytesMax = ([first]: Uint8Array): number =>
  first === VERSION_1 ? VERSION_1_BYTES_MAX : PACKET_BYTES_MAX;
