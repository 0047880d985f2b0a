import { toBase58 } from "./base58.ts";

/** The largest transaction a packet carries, in bytes. */
export const WIRE_BYTES_MAX = 1232;

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

export interface WireMessage {
  readonly version: "legacy" | 0;
  readonly signerCount: number;
  readonly readonlySignerCount: number;
  readonly readonlyOtherCount: number;
  /** The keys written in the message itself; keys from look-up tables follow them in the account order. */
  readonly staticKeys: readonly string[];
  readonly blockhash: string;
  readonly instructions: readonly WireInstruction[];
  readonly lookups: readonly WireLookup[];
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
  list<T>(one: () => T): T[] {
    const count = this.length();
    const items: T[] = [];
    for (let i = 0; i < count; i++) items.push(one());
    return items;
  }
  indexes = (): number[] => [...this.take(this.length())];
  key = (): string => toBase58(this.take(32));
}

function readMessage(reader: Reader): WireMessage {
  let version: "legacy" | 0 = "legacy";
  let signerCount = reader.byte();
  if (signerCount & 0x80) {
    if (signerCount !== 0x80) throw new WireError("unsupported transaction version");
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
  if (reader.at !== reader.bytes.length) throw new WireError("trailing bytes");
  const message = {
    version,
    signerCount,
    readonlySignerCount,
    readonlyOtherCount,
    staticKeys,
    blockhash,
    instructions,
  };
  checkIndexes({ ...message, lookups });
  return { ...message, lookups };
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
export const readWireMessage = (bytes: Uint8Array): WireMessage => readMessage(new Reader(bytes));

/** A signed transaction from its wire bytes; throws {@link WireError}. */
export function readWireTransaction(bytes: Uint8Array): WireTransaction {
  const reader = new Reader(bytes);
  const signatures = reader.list(() => toBase58(reader.take(64)));
  const start = reader.at;
  const message = readMessage(new Reader(bytes.subarray(start)));
  if (signatures.length !== message.signerCount) throw new WireError("signature count does not match the header");
  return { ...message, bytes, signatures, signature: signatures[0]! };
}
