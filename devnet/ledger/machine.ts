import { toBase58 } from "./base58.ts";
import { type Failure, landsAsFailed } from "./failures.ts";
import { findHoldings, type LoadedKeys, showMeta } from "./meta.ts";
import type { Slots } from "./slots.ts";
import { readTokenMint } from "./tokens.ts";
import { type Image, type Outcome, sameImage, type Vm } from "./vm.ts";
import type { WireTransaction } from "./wire.ts";

/** The transaction was not taken in: nothing changed, and no record of it is kept. */
export interface Refusal {
  readonly failure: Failure;
  readonly meta: Outcome["meta"] | null;
}

/** The effect of running a transaction: the accounts it changed, before and after, and its `meta` as it is shown. */
export interface Run {
  readonly keys: readonly string[];
  readonly failure: Failure | null;
  readonly logs: readonly string[];
  readonly shown: ReturnType<typeof showMeta>;
  readonly before: ReadonlyMap<string, Image | null>;
  readonly after: ReadonlyMap<string, Image | null>;
}

const LOOKUP_PROGRAM = "AddressLookupTab1e1111111111111111111111111";
const LOOKUP_HEAD_BYTES = 56;
const SLOT_HASHES_MAX = 150;
const DECIMALS_MAX = 10_000;

/** Runs transactions on the virtual machine and returns what each one changed. */
export class Machine {
  readonly #vm: Vm;
  readonly #slots: Slots;
  readonly #programs = new Set<string>();
  readonly #decimals = new Map<string, number>();

  constructor(vm: Vm, slots: Slots) {
    this.#vm = vm;
    this.#slots = slots;
  }

  /** With `refuseFailed` a transaction that fails is taken back, as preflight would have stopped it. */
  run(wire: WireTransaction, refuseFailed: boolean): Run | Refusal {
    const keys = this.resolve(wire);
    if ("failure" in keys) return keys;
    this.#prepareLookups(wire);
    const before = keys.all.map((key) => this.#peek(key));
    const { failure, meta } = this.#vm.execute(wire);
    if (failure !== null && !landsAsFailed(failure)) return { failure, meta };
    const after = keys.all.map((key) => this.#peek(key));
    const changed = keys.all.flatMap((key, at) => (sameImage(before[at]!, after[at]!) ? [] : [[key, at] as const]));
    if (failure !== null && refuseFailed) {
      for (const [key, at] of changed) this.#vm.write(key, before[at]!);
      return { failure, meta };
    }
    const images = (of: readonly (Image | null)[]) => new Map(changed.map(([key, at]) => [key, of[at]!]));
    const shown = showMeta({
      message: wire,
      keys,
      failure,
      meta,
      balances: { before: before.map(lamportsOf), after: after.map(lamportsOf) },
      holdings: { before: findHoldings(before, this.#decimalsOf), after: findHoldings(after, this.#decimalsOf) },
    });
    return { keys: keys.all, failure, logs: meta.logs(), shown, before: images(before), after: images(after) };
  }

  /** Also the lamports of its accounts as they are and as they would be. */
  simulate(wire: WireTransaction, checkSignatures: boolean, keys: readonly string[]) {
    this.#prepareLookups(wire);
    const before = keys.map((key) => this.#vm.lamports(key));
    const done = this.#vm.simulate(wire, checkSignatures);
    const after = keys.map((key, at) => (done.after.has(key) ? lamportsOf(done.after.get(key)!) : before[at]!));
    return { ...done, balances: { before, after } };
  }

  /** All accounts of a transaction, its look-up tables read. */
  resolve(wire: WireTransaction): LoadedKeys | Refusal {
    const writable: string[] = [];
    const readonly: string[] = [];
    for (const lookup of wire.lookups) {
      const table = this.#vm.read(lookup.accountKey);
      if (!table) return { failure: "AddressLookupTableNotFound", meta: null };
      if (table.owner !== LOOKUP_PROGRAM) return { failure: "InvalidAddressLookupTableOwner", meta: null };
      const pick = (index: number) => readKey(table.data, LOOKUP_HEAD_BYTES + index * 32);
      const found = [lookup.writableIndexes.map(pick), lookup.readonlyIndexes.map(pick)] as const;
      if (found.flat().includes("")) return { failure: "InvalidAddressLookupTableIndex", meta: null };
      writable.push(...found[0]);
      readonly.push(...found[1]);
    }
    return { all: [...wire.staticKeys, ...writable, ...readonly], writable, readonly };
  }

  /**
   * Writes recent slot hashes for an instruction that creates a look-up table. Only then, since 150 hashes cost more than
   * most transactions.
   */
  #prepareLookups(wire: WireTransaction): void {
    if (!wire.staticKeys.includes(LOOKUP_PROGRAM)) return;
    const from = this.#slots.tip - 1;
    const slots = Array.from({ length: Math.min(SLOT_HASHES_MAX, from) }, (_, back) => from - back);
    const blocks = slots.filter((slot) => !this.#slots.isSkipped(slot));
    this.#vm.setSlotHashes(blocks.map((slot) => ({ slot: BigInt(slot), hash: this.#slots.blockhash(slot) })));
  }

  /** An account's state, but programs only by their lamports: their bytes are large and never change here. */
  #peek(key: string): Image | null {
    if (this.#programs.has(key)) return { ...PROGRAM_IMAGE, lamports: this.#vm.lamports(key) };
    const image = this.#vm.read(key);
    if (!image?.executable) return image;
    this.#programs.add(key);
    return { ...PROGRAM_IMAGE, lamports: image.lamports };
  }

  #decimalsOf = (mint: string): number => {
    const known = this.#decimals.get(mint);
    if (known !== undefined) return known;
    const image = this.#vm.read(mint);
    const found = image && readTokenMint(image);
    if (found && this.#decimals.size < DECIMALS_MAX) this.#decimals.set(mint, found.decimals);
    return found?.decimals ?? 0;
  };
}

const PROGRAM_IMAGE = { owner: "", data: new Uint8Array(), executable: true };

/** The key at this offset of a look-up table; "" if the table ends before it. */
const readKey = (data: Uint8Array, at: number): string =>
  at + 32 <= data.length ? toBase58(data.subarray(at, at + 32)) : "";

const lamportsOf = (image: Image | null): bigint => image?.lamports ?? 0n;
