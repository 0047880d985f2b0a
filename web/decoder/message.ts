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

/** A version 0 transaction without lookup tables: every account it names is in its bytes. */
export interface ReadTransaction {
  /** The required signers; the first pays the network's fee. */
  readonly signers: readonly string[];
  readonly writable: ReadonlySet<string>;
  readonly instructions: readonly ReadInstruction[];
}

/** A transaction is one packet. */
const BYTES_MAX = 1_232;

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

/** Decodes a transaction's bytes. Throws {@link UnexpectedBytesError} for anything but one whole version 0 transaction. */
export function readTransaction(bytes: Uint8Array): ReadTransaction {
  if (bytes.length > BYTES_MAX) throw new UnexpectedBytesError("it is too long");
  const cursor = new Cursor(bytes);
  const signatures = cursor.length();
  cursor.take(64 * signatures);
  if (cursor.byte() !== 0x80) throw new UnexpectedBytesError("it is of another version");
  const required = cursor.byte();
  const [readonlySigners, readonlyOthers] = [cursor.byte(), cursor.byte()];
  const accounts = Array.from({ length: cursor.length() }, () => toBase58(cursor.take(32)));
  cursor.take(32);
  const accountAt = (index: number): string => {
    const account = accounts[index];
    if (account === undefined) throw new UnexpectedBytesError("it names an account that is not there");
    return account;
  };
  const instructions = Array.from({ length: cursor.length() }, () => {
    const program = accountAt(cursor.byte());
    const named = [...cursor.take(cursor.length())].map(accountAt);
    return { program, accounts: named, data: cursor.take(cursor.length()) };
  });
  if (cursor.length() !== 0) throw new UnexpectedBytesError("it names accounts outside itself");
  if (!cursor.isAtEnd) throw new UnexpectedBytesError("it goes on after its end");
  if (required === 0 || required !== signatures || required > accounts.length)
    throw new UnexpectedBytesError("its signatures do not add up");
  const isWritable = (at: number) =>
    at < required ? at < required - readonlySigners : at < accounts.length - readonlyOthers;
  const writable = new Set(accounts.filter((_, at) => isWritable(at)));
  return { signers: accounts.slice(0, required), writable, instructions };
}
