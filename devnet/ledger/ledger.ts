import { join } from "node:path";
import { describeFailure } from "./failures.ts";
import type { Entry, History } from "./history.ts";
import { Journal, type Step } from "./journal.ts";
import { Log } from "./log.ts";
import { Machine, type Refusal } from "./machine.ts";
import { type LoadedKeys, memoOf } from "./meta.ts";
import { recall, type TransactionHead } from "./recall.ts";
import { Samples } from "./samples.ts";
import { SLOTS_PER_EPOCH, type SlotSettings, Slots } from "./slots.ts";
import { writeSnapshot } from "./snapshot.ts";
import { type Image, type StoredImage, storeImage, type Vm } from "./vm.ts";
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

export interface LedgerListener {
  landed?(step: Step): void;
  /** A new slot began; what it confirmed and finalized is in the ledger's slots. */
  slot?(tip: number): void;
}

// An idle chain says where it is this often; a restart goes on behind anything it can have said since.
const HEARTBEAT_SLOTS = 25;
/** A snapshot costs as much as the chain is long: the longer, the rarer. */
const snapshotDue = (sinceLast: number, total: number): boolean => sinceLast >= Math.max(5000, total / 2);
/** Frozen finality lets the journal grow; at this length nothing more is taken in. */
const JOURNAL_MAX = 100_000;

/** The chain: one machine, its history, and the log that both are rebuilt from. */
export class Ledger {
  readonly slots: Slots;
  readonly history: History;
  readonly genesisHash: string;
  readonly samples: Samples;
  readonly #vm: Vm;
  readonly #log: Log;
  readonly #journal = new Journal();
  readonly #settings: LedgerSettings;
  readonly #listeners = new Set<LedgerListener>();
  readonly #machine: Machine;
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
    // Everything in the log is final, and so is every empty slot that a reader may have been shown as finalized since.
    const tip = past.slot + HEARTBEAT_SLOTS;
    this.slots = new Slots(past.genesisHash, settings, tip, tip - 1, past.alpenglowSlot);
    this.samples = new Samples(this.#count());
    this.#machine = new Machine(past.vm, this.slots);
    for (const [slot, time] of past.times) this.slots.recordTime(slot, time);
    this.#beginSlot();
    this.#recordSlot();
    if (snapshotDue(5 * past.replayed, this.history.size)) this.snapshot();
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
    this.samples.record(this.#count());
    if (snapshotDue(this.#sinceSnapshot, this.history.size)) this.snapshot();
    for (const listener of this.#listeners) listener.slot?.(this.slots.tip);
    this.#journal.settle(this.slots.at("finalized"));
  }

  #count = () => ({ slot: this.slots.tip, transactions: this.history.size, atMs: this.#settings.now() });

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

  /** Goes over to Alpenglow for good: the block of the running slot is the last that votes make final. */
  startAlpenglow(): void {
    if (this.slots.consensus === "alpenglow") return;
    this.slots.startAlpenglow();
    this.#log.append({ t: "alpenglow", slot: this.slots.tip });
    this.#dirty = true;
    this.tick();
  }

  /** Executes at once, in the running slot. With `refuseFailed` a transaction that fails is taken back, as preflight would have stopped it. */
  submit(wire: WireTransaction, refuseFailed: boolean): Step | Refusal {
    if (this.history.find(wire.signature)) return { failure: "AlreadyProcessed", meta: null };
    if (this.slots.slotOfBlockhash(wire.blockhash) === null) return { failure: "BlockhashNotFound", meta: null };
    if (this.#journal.size >= JOURNAL_MAX) return { failure: "ClusterMaintenance", meta: null };
    const done = this.#land(wire, this.slots.tip, refuseFailed);
    if ("entry" in done) for (const listener of this.#listeners) listener.landed?.(done);
    return done;
  }

  #land(wire: WireTransaction, slot: number, refuseFailed: boolean): Step | Refusal {
    const run = this.#machine.run(wire, refuseFailed);
    if (!("shown" in run)) return run;
    const { keys, failure, logs, shown, before, after } = run;
    const time = this.slots.timeOf(slot)!;
    const memo = memoOf(wire);
    const head: TransactionHead = { t: "tx", sig: wire.signature, slot, time, err: failure, memo, keys };
    const stored = [...after].map(([key, image]) => storeImage(key, image));
    const bytes = Buffer.from(wire.bytes).toString("base64");
    const place = this.#log.append(head, { wire: bytes, meta: shown, after: stored });
    const entry = this.history.add({ signature: wire.signature, slot, time, failure, memo, place }, keys);
    const step = { entry, wire, keys, logs, before, after };
    this.#journal.push(step);
    this.#sinceSnapshot++;
    this.#dirty = true;
    return step;
  }

  resolve = (wire: WireTransaction): LoadedKeys | Refusal => this.#machine.resolve(wire);

  simulate = (wire: WireTransaction, checkSignatures: boolean, keys: readonly string[]) =>
    this.#machine.simulate(wire, checkSignatures, keys);

  /**
   * Removes an unfinalized transaction as a fork would: everything after it is undone and done again without it, each
   * transaction in its own slot. Transactions that can no longer land are removed too. Returns the removed signatures, or
   * null when the transaction is final or unknown.
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
      this.#land(step.wire, slot, false);
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

  /** Accounts that are there stay good as they are, unless they grow. */
  setRentRate(lamportsPerByte: number): void {
    this.#vm.setRentRate(lamportsPerByte);
    this.#log.append({ t: "rent", lamportsPerByte });
    this.#dirty = true;
    this.tick();
  }

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
    this.#recordSlot();
    this.#log.close();
  }
}

/** Describes in words why a transaction was not taken in. */
export const describeRefusal = ({ failure }: Refusal): string => describeFailure(failure);
