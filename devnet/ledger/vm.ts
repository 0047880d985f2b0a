import { SYSTEM_PROGRAM_ID } from "@holdfast/escrow-client";
import { Account, Clock, FailedTransactionMetadata, Rent, type TransactionMetadata } from "litesvm";
// The inner class takes bytes; the outer one would decode and encode every key and transaction once more.
import { LiteSvm } from "litesvm/dist/internal.js";
import { addressBytes, toBase58 } from "./base58.ts";
import { type Failure, showFailure } from "./failures.ts";
import type { WireTransaction } from "./wire.ts";

/** The state of an account. An account without lamports does not exist, and is null wherever an Image may be. */
export interface Image {
  readonly lamports: bigint;
  readonly owner: string;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

export interface Outcome {
  readonly failure: Failure | null;
  readonly meta: TransactionMetadata;
}

const CACHED_KEYS_MAX = 8192;

/** The virtual machine, by address: accounts in and out, transactions through. Knows nothing of slots' history. */
export class Vm {
  readonly #svm: LiteSvm;
  readonly #keys = new Map<string, Uint8Array>();

  private constructor(svm: LiteSvm) {
    this.#svm = svm;
    // litesvm's own history would refuse a dropped transaction for ever, and its blockhash check knows only the newest one.
    // The ledger does both instead.
    svm.setTransactionHistory(0n);
    svm.setBlockhashCheck(false);
  }

  static fresh(): Vm {
    const svm = new LiteSvm();
    svm.withNativeMints();
    return new Vm(svm);
  }

  static fromBytes = (bytes: Uint8Array): Vm => new Vm(LiteSvm.fromBytes(bytes));

  toBytes = (): Uint8Array => this.#svm.toBytes();

  #key(address: string): Uint8Array {
    const known = this.#keys.get(address);
    if (known) return known;
    const bytes = addressBytes(address);
    if (!bytes) throw new TypeError(`not an address: ${address}`);
    if (this.#keys.size >= CACHED_KEYS_MAX) this.#keys.clear();
    this.#keys.set(address, bytes);
    return bytes;
  }

  read(address: string): Image | null {
    const account = this.#svm.getAccount(this.#key(address));
    return account && showImage(account);
  }

  write(address: string, image: Image | null): void {
    const owner = this.#key(image?.owner ?? SYSTEM_PROGRAM_ID);
    const account = new Account(
      image?.lamports ?? 0n,
      image?.data ?? new Uint8Array(),
      owner,
      image?.executable ?? false,
      0n,
    );
    this.#svm.setAccount(this.#key(address), account);
  }

  lamports = (address: string): bigint => this.#svm.getBalance(this.#key(address)) ?? 0n;

  ownedBy(program: string): [string, Image][] {
    return this.#svm
      .getProgramAccounts(this.#key(program))
      .map((one) => [toBase58(one.address), showImage(one.account())]);
  }

  addProgram = (address: string, elf: Uint8Array): void => this.#svm.addProgram(this.#key(address), elf);

  rent = (space: number): bigint => this.#svm.minimumBalanceForRentExemption(BigInt(space));

  /** The price of a byte in lamports, once for all time. */
  setRentRate = (lamportsPerByte: number): void => this.#svm.setRent(new Rent(BigInt(lamportsPerByte), 1, 50));

  /** Time stands still in the machine until it is set. */
  setTime(slot: number, unixSeconds: number, slotsPerEpoch: number): void {
    const epoch = BigInt(Math.floor(slot / slotsPerEpoch));
    const time = BigInt(unixSeconds);
    this.#svm.setClock(new Clock(BigInt(slot), time, epoch, epoch + 1n, time));
  }

  /** Newest first: what lookup-table creation checks its recent slot against. */
  setSlotHashes = (hashes: readonly { slot: bigint; hash: string }[]): void => this.#svm.setSlotHashes([...hashes]);

  execute(wire: WireTransaction): Outcome {
    const done =
      wire.version === "legacy"
        ? this.#svm.sendLegacyTransaction(wire.bytes)
        : this.#svm.sendVersionedTransaction(wire.bytes);
    if (done instanceof FailedTransactionMetadata) return { failure: showFailure(done), meta: done.meta() };
    return { failure: null, meta: done };
  }

  /** Executes without keeping any change; also returns the accounts after the transaction. */
  simulate(
    wire: WireTransaction,
    checkSignatures: boolean,
  ): Outcome & { readonly after: ReadonlyMap<string, Image | null> } {
    if (!checkSignatures) this.#svm.setSigverify(false);
    try {
      const done =
        wire.version === "legacy"
          ? this.#svm.simulateLegacyTransaction(wire.bytes)
          : this.#svm.simulateVersionedTransaction(wire.bytes);
      if (done instanceof FailedTransactionMetadata)
        return { failure: showFailure(done), meta: done.meta(), after: new Map() };
      const after = done.postAccounts().map((one) => [toBase58(one.address), showImage(one.account())] as const);
      return { failure: null, meta: done.meta(), after: new Map(after) };
    } finally {
      this.#svm.setSigverify(true);
    }
  }
}

const showImage = (account: Account): Image => ({
  lamports: account.lamports(),
  owner: toBase58(account.owner()),
  data: account.data(),
  executable: account.executable(),
});

/** Returns true when two images are the same account state. */
export function sameImage(one: Image | null, other: Image | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.lamports === other.lamports &&
    one.owner === other.owner &&
    one.executable === other.executable &&
    Buffer.compare(one.data, other.data) === 0
  );
}

/** An image as the log writes it, with its address. */
export type StoredImage =
  | readonly [address: string, lamports: string, owner: string, data: string, executable: 0 | 1]
  | readonly [string];

export const storeImage = (address: string, image: Image | null): StoredImage =>
  image
    ? [
        address,
        String(image.lamports),
        image.owner,
        Buffer.from(image.data).toString("base64"),
        image.executable ? 1 : 0,
      ]
    : [address];

export function readStoredImage(stored: StoredImage): [string, Image | null] {
  if (stored.length === 1) return [stored[0], null];
  const [address, lamports, owner, data, executable] = stored;
  return [
    address,
    { lamports: BigInt(lamports), owner, data: Buffer.from(data, "base64"), executable: executable === 1 },
  ];
}
