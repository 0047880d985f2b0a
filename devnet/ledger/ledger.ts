import { join } from "node:path";
import { toBase58 } from "./base58.ts";
import { describeFailure, type Failure, landsAsFailed } from "./failures.ts";
import type { Entry, History } from "./history.ts";
import { Journal, type Step } from "./journal.ts";
import { Log } from "./log.ts";
import { findHoldings, type LoadedKeys, memoOf, showMeta } from "./meta.ts";
import { recall, type TransactionHead } from "./recall.ts";
import { SLOTS_PER_EPOCH, type SlotSettings, Slots } from "./slots.ts";
import { writeSnapshot } from "./snapshot.ts";
import { readTokenMint } from "./tokens.ts";
import { type Image, type Outcome, type StoredImage, sameImage, storeImage, type Vm } from "./vm.ts";
import { readWireTransaction, type WireTransaction } from "./wire.ts";

export interface LedgerSettings extends SlotSettings {
  readonly dir: string;
  /** Asked only when the folder holds no chain yet. */
  readonly genesis: (rent: (space: number) => bigint) => {
    readonly hash: string;
    readonly accounts: readonly StoredImage[];
  };
  readonly programs: readonly { readonly address: string; readonly elf: Uint8Array }[];
  /** Real time in ms. */
  readonly now: () => number;
}

/** Not taken in: nothing changed, nothing is remembered. */
export interface Refusal {
  readonly failure: Failure;
  readonly meta: Outcome["meta"] | null;
}

export interface LedgerListener {
  landed?(step: Step): void;
  /** A new slot began; what it confirmed and finalized is in the ledger's slots. */
  slot?(tip: number): void;
}

// An idle chain says where it is this often; a restart goes on behind anything it can have said since.
const HEARTBEAT_SLOTS = 25;
const SNAPSHOT_EVERY = 5000;
/** Frozen finality lets the journal grow; at this length nothing more is taken in. */
const JOURNAL_MAX = 100_000;
const LOOKUP_PROGRAM = "AddressLookupTab1e1111111111111111111111111";
const LOOKUP_HEAD_BYTES = 56;
const SLOT_HASHES_MAX = 150;

/** The chain: one machine, its history, and the log that both are rebuilt from. */
export class Ledger {
  readonly slots: Slots;
  readonly history: History;
  readonly genesisHash: string;
  readonly #vm: Vm;
  readonly #log: Log;
  readonly #journal = new Journal();
  readonly #settings: LedgerSettings;
  readonly #listeners = new Set<LedgerListener>();
  readonly #programs = new Set<string>();
  readonly #decimals = new Map<string, number>();
  #offsetMs: number;
  #recorded: number;
  #sinceSnapshot = 0;
  #dirty = false;

  constructor(settings: LedgerSettings) {
    this.#settings = settings;
    this.#log = new Log(join(settings.dir, "ledger.log"));
    const past = recall(this.#log, join(settings.dir, "snapshot.bin"), settings);
    this.genesisHash = past.genesisHash;
    this.history = past.history;
    this.#vm = past.vm;
    this.#offsetMs = past.offsetMs;
    this.#recorded = past.slot;
    for (const { address, elf } of settings.programs) this.#vm.addProgram(address, elf);
    this.slots = new Slots(past.genesisHash, settings, past.slot + HEARTBEAT_SLOTS, past.slot);
    for (const [slot, time] of past.times) this.slots.recordTime(slot, time);
    this.#beginSlot();
    this.#recordSlot();
    if (past.replayed > SNAPSHOT_EVERY / 5) this.snapshot();
  }

  get clockOffsetMs(): number {
    return this.#offsetMs;
  }

  /** The chain's time, in ms; it never goes back. */
  get nowMs(): number {
    return this.#settings.now() + this.#offsetMs;
  }

  get unfinalized(): number {
    return this.#journal.size;
  }

  listen(listener: LedgerListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the slot: what it holds is on disk before the next one begins, and so before it can be confirmed. */
  tick(): void {
    if (this.#dirty || this.slots.tip - this.#recorded >= HEARTBEAT_SLOTS - 1) this.#recordSlot();
    this.slots.next();
    this.#beginSlot();
    if (this.#sinceSnapshot >= SNAPSHOT_EVERY) this.snapshot();
    for (const listener of this.#listeners) listener.slot?.(this.slots.tip);
    this.#journal.settle(this.slots.at("finalized"));
  }

  #beginSlot(): void {
    const time = Math.max(this.slots.newestTime, Math.floor(this.nowMs / 1000));
    this.slots.recordTime(this.slots.tip, time);
    this.#vm.setTime(this.slots.tip, time, SLOTS_PER_EPOCH);
  }

  #recordSlot(): void {
    const slot = this.slots.tip;
    this.#log.append({ t: "slot", slot, time: this.slots.timeOf(slot), blockhash: this.slots.blockhash(slot) });
    this.#log.sync();
    this.#recorded = slot;
    this.#dirty = false;
  }

  /** Moves the chain's clock; the next slot has the new time. */
  advance(milliseconds: number): void {
    this.#offsetMs += milliseconds;
    this.#log.append({ t: "clock", offset: this.#offsetMs });
    this.#dirty = true;
    this.tick();
  }

  /** Executes at once, in the running slot. With `refuseFailed` a transaction that fails is taken back, as preflight would have stopped it. */
  submit(wire: WireTransaction, refuseFailed: boolean): Step | Refusal {
    if (this.history.find(wire.signature)) return { failure: "AlreadyProcessed", meta: null };
    if (this.slots.slotOfBlockhash(wire.blockhash) === null) return { failure: "BlockhashNotFound", meta: null };
    if (this.#journal.size >= JOURNAL_MAX) return { failure: "ClusterMaintenance", meta: null };
    const done = this.#execute(wire, this.slots.tip, refuseFailed);
    if ("entry" in done) for (const listener of this.#listeners) listener.landed?.(done);
    return done;
  }

  #execute(wire: WireTransaction, slot: number, refuseFailed: boolean): Step | Refusal {
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
    const shown = showMeta({
      message: wire,
      keys,
      failure,
      meta,
      balances: { before: before.map(lamportsOf), after: after.map(lamportsOf) },
      holdings: { before: findHoldings(before, this.#decimalsOf), after: findHoldings(after, this.#decimalsOf) },
    });
    const head: TransactionHead = {
      t: "tx",
      sig: wire.signature,
      slot,
      time: this.slots.timeOf(slot)!,
      err: failure,
      memo: memoOf(wire),
      keys: keys.all,
    };
    const stored = changed.map(([key, at]) => storeImage(key, after[at]!));
    const place = this.#log.append(head, {
      wire: Buffer.from(wire.bytes).toString("base64"),
      meta: shown,
      after: stored,
    });
    const entry = this.history.add(
      { signature: head.sig, slot, time: head.time, failure, memo: head.memo, place },
      keys.all,
    );
    const images = (of: readonly (Image | null)[]) => new Map(changed.map(([key, at]) => [key, of[at]!]));
    const step = { entry, wire, keys: keys.all, logs: meta.logs(), before: images(before), after: images(after) };
    this.#journal.push(step);
    this.#sinceSnapshot++;
    this.#dirty = true;
    return step;
  }

  /** An account's state, but programs only by their lamports: their bytes are large and never change here. */
  #peek(key: string): Image | null {
    if (this.#programs.has(key))
      return { lamports: this.#vm.lamports(key), owner: "", data: new Uint8Array(), executable: true };
    const image = this.#vm.read(key);
    if (image?.executable) {
      this.#programs.add(key);
      return this.#peek(key);
    }
    return image;
  }

  #decimalsOf = (mint: string): number => {
    const known = this.#decimals.get(mint);
    if (known !== undefined) return known;
    const image = this.#vm.read(mint);
    const decimals = (image && readTokenMint(image)?.decimals) ?? 0;
    if (this.#decimals.size < 10_000) this.#decimals.set(mint, decimals);
    return decimals;
  };

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

  /** Creating a look-up table asks for a recent slot's hash; written only then, since 150 hashes cost more than most transactions. */
  #prepareLookups(wire: WireTransaction): void {
    if (!wire.staticKeys.includes(LOOKUP_PROGRAM)) return;
    const from = this.slots.tip - 1;
    const hashes = Array.from({ length: Math.min(SLOT_HASHES_MAX, from) }, (_, back) => ({
      slot: BigInt(from - back),
      hash: this.slots.blockhash(from - back),
    }));
    this.#vm.setSlotHashes(hashes);
  }

  simulate(wire: WireTransaction, checkSignatures: boolean) {
    this.#prepareLookups(wire);
    return this.#vm.simulate(wire, checkSignatures);
  }

  /**
   * Takes back an unfinalized transaction as a fork would: everything after it is undone and done again without it, each in
   * its own slot. What no longer can land goes too. Returns the signatures that are gone, or null when it is final or unknown.
   */
  drop(signature: string): string[] | null {
    const taken = this.#journal.takeFrom(signature);
    if (!taken) return null;
    for (const step of taken.toReversed()) for (const [key, image] of step.before) this.#vm.write(key, image);
    const gone = taken.map((step) => step.entry.signature);
    this.history.remove(gone);
    const changed = new Set(taken.flatMap((step) => [...step.before.keys()]));
    const images = [...changed].map((key) => storeImage(key, this.#vm.read(key)));
    this.#log.append({ t: "drop", signatures: gone, images });
    for (const step of taken.slice(1)) {
      const { slot, time } = step.entry;
      this.#vm.setTime(slot, time, SLOTS_PER_EPOCH);
      this.#execute(step.wire, slot, false);
    }
    this.#vm.setTime(this.slots.tip, this.slots.newestTime, SLOTS_PER_EPOCH);
    this.#recordSlot();
    return gone.filter((one) => !this.history.find(one));
  }

  accountAt(address: string, slot: number): Image | null {
    const older = this.#journal.imageAt(address, slot);
    return older === undefined ? this.#vm.read(address) : older;
  }

  ownedAt(program: string, slot: number): [string, Image][] {
    const changed = this.#journal.changedAfter(slot);
    const now = this.#vm.ownedBy(program).filter(([address]) => !changed.has(address));
    const then = [...changed].flatMap((address) => {
      const image = this.accountAt(address, slot);
      return image?.owner === program ? [[address, image] as [string, Image]] : [];
    });
    return [...now, ...then];
  }

  stepsBetween = (after: number, upTo: number): Step[] => this.#journal.stepsBetween(after, upTo);

  /** The wire bytes and meta of a landed transaction. */
  readTransaction(entry: Entry): { readonly wire: WireTransaction; readonly meta: Readonly<Record<string, unknown>> } {
    const body = this.#log.readBody(entry.place) as { wire: string; meta: Record<string, unknown> };
    return { wire: readWireTransaction(Buffer.from(body.wire, "base64")), meta: body.meta };
  }

  rent = (space: number): bigint => this.#vm.rent(space);

  /** The machine as it is now; the log up to here need not be replayed. */
  snapshot(): void {
    this.#recordSlot();
    const { genesisHash } = this;
    writeSnapshot(join(this.#settings.dir, "snapshot.bin"), {
      offset: this.#log.end,
      genesisHash,
      machine: this.#vm.toBytes(),
    });
    this.#sinceSnapshot = 0;
  }

  close(): void {
    if (this.#sinceSnapshot > SNAPSHOT_EVERY / 10) this.snapshot();
    else this.#recordSlot();
    this.#log.close();
  }
}

/** Why a transaction was not taken in, in words. */
export const describeRefusal = ({ failure }: Refusal): string => describeFailure(failure);

/** The key at this offset of a look-up table, "" when the table ends before. */
const readKey = (data: Uint8Array, at: number): string =>
  at + 32 <= data.length ? toBase58(data.subarray(at, at + 32)) : "";

const lamportsOf = (image: Image | null): bigint => image?.lamports ?? 0n;
