import { toBase58 } from "./base58.ts";

/** This page may not ask a wallet to sign the bytes; the message says why, in a few words. */
export class UnexpectedBytesError extends Error {
  override readonly name = "UnexpectedBytesError";
}

export interface ReadInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

/** A transaction of version 0 or 1, without lookup tables: every account it names is in its bytes. */
export interface ReadTransaction {
  /** The required signers; the first pays the network's fee. */
  readonly signers: readonly string[];
  readonly writable: ReadonlySet<string>;
  readonly instructions: readonly ReadInstruction[];
  /** The lamports that a transaction of version 1 offers for its priority; null: its instructions say. */
  readonly priorityLamports: bigint | null;
}

const VERSION_0 = 0x80;
/** Only version 1 begins with its number: before it, the signatures come first. */
const VERSION_1 = 0x81;
const BYTES_MAX = { version0: 1_232, version1: 4_096 };
/** The most of a transaction of version 1. */
const [SIGNATURES_MAX, ACCOUNTS_MAX, INSTRUCTIONS_MAX] = [12, 64, 64];

class Cursor {
  readonly #bytes: Uint8Array;
  #at = 0;
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }
  take(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) throw new UnexpectedBytesError("it is cut off");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
  byte(): number {
    return this.take(1)[0]!;
  }
  /** Reads a little-endian number. */
  uint(length: number): bigint {
    return this.take(length).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n);
  }
  addresses(count: number): string[] {
    return Array.from({ length: count }, () => toBase58(this.take(32)));
  }
  /** Reads seven bits a byte, lowest first; one spelling per number, as the runtime requires. */
  length(): number {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) {
        if (byte === 0 && shift > 0) break;
        return value;
      }
    }
    throw new UnexpectedBytesError("a length is misspelled");
  }
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }
}

/** The parts of a transaction in the order of its bytes. Accounts are named by their index. */
interface Parts {
  readonly signatures: number;
  readonly header: readonly [required: number, readonlySigners: number, readonlyOthers: number];
  readonly accounts: readonly string[];
  readonly instructions: readonly { readonly program: number; readonly named: Uint8Array; readonly data: Uint8Array }[];
  readonly priorityLamports: bigint | null;
}

/** Decodes a transaction's bytes. Throws {@link UnexpectedBytesError} for anything but one whole transaction. */
export function readTransaction(bytes: Uint8Array): ReadTransaction {
  const isVersion1 = bytes[0] === VERSION_1;
  if (bytes.length > BYTES_MAX[isVersion1 ? "version1" : "version0"]) throw new UnexpectedBytesError("it is too long");
  const cursor = new Cursor(bytes);
  const { signatures, header, accounts, instructions, priorityLamports } = isVersion1
    ? readVersion1(cursor)
    : readVersion0(cursor);
  if (!cursor.isAtEnd) throw new UnexpectedBytesError("it goes on after its end");
  const [required, readonlySigners, readonlyOthers] = header;
  if (required === 0 || required !== signatures || required > accounts.length)
    throw new UnexpectedBytesError("its signatures do not add up");
  const accountAt = (index: number): string => {
    const account = accounts[index];
    if (account === undefined) throw new UnexpectedBytesError("it names an account that is not there");
    return account;
  };
  const isWritable = (at: number) =>
    at < required ? at < required - readonlySigners : at < accounts.length - readonlyOthers;
  return {
    signers: accounts.slice(0, required),
    writable: new Set(accounts.filter((_, at) => isWritable(at))),
    instructions: instructions.map(({ program, named, data }) => {
      return { program: accountAt(program), accounts: [...named].map(accountAt), data };
    }),
    priorityLamports,
  };
}

function readVersion0(cursor: Cursor): Parts {
  const signatures = cursor.length();
  cursor.take(64 * signatures);
  if (cursor.byte() !== VERSION_0) throw new UnexpectedBytesError("it is of another version");
  const header = [cursor.byte(), cursor.byte(), cursor.byte()] as const;
  const accounts = cursor.addresses(cursor.length());
  cursor.take(32);
  const instructions = Array.from({ length: cursor.length() }, () => {
    return { program: cursor.byte(), named: cursor.take(cursor.length()), data: cursor.take(cursor.length()) };
  });
  if (cursor.length() !== 0) throw new UnexpectedBytesError("it names accounts outside itself");
  return { signatures, header, accounts, instructions, priorityLamports: null };
}

/** The heads of all instructions come before their accounts and data, and the signatures last. */
function readVersion1(cursor: Cursor): Parts {
  cursor.byte();
  const header = [cursor.byte(), cursor.byte(), cursor.byte()] as const;
  const mask = Number(cursor.uint(4));
  cursor.take(32);
  const [instructionCount, accountCount] = [cursor.byte(), cursor.byte()];
  if (header[0] > SIGNATURES_MAX || accountCount > ACCOUNTS_MAX || instructionCount > INSTRUCTIONS_MAX)
    throw new UnexpectedBytesError("it has too many parts");
  const accounts = cursor.addresses(accountCount);
  if (new Set(accounts).size !== accountCount) throw new UnexpectedBytesError("it names an account twice");
  const priorityLamports = readConfig(cursor, mask);
  const heads = Array.from({ length: instructionCount }, () => {
    return { program: cursor.byte(), count: cursor.byte(), length: Number(cursor.uint(2)) };
  });
  const instructions = heads.map(({ program, count, length }) => {
    return { program, named: cursor.take(count), data: cursor.take(length) };
  });
  cursor.take(64 * header[0]);
  return { signatures: header[0], header, accounts, instructions, priorityLamports };
}

/** Two bits of the mask are the priority fee. The next three are limits, which cost nothing. */
function readConfig(cursor: Cursor, mask: number): bigint {
  const fee = mask & 0b11;
  if (mask > 0b11111 || (fee !== 0 && fee !== 0b11))
    throw new UnexpectedBytesError("it asks the network for something unknown");
  const priorityLamports = fee === 0 ? 0n : cursor.uint(8);
  for (const bit of [0b100, 0b1000, 0b10000]) if (mask & bit) cursor.take(4);
  return priorityLamports;
}
