import { createHash } from "node:crypto";
import { toBase58 } from "./base58.ts";
import { countBefore } from "./numbers.ts";

/** TowerBFT, where votes make a block final, or Alpenglow, where a certificate does so while the next slot runs. */
export const CONSENSUSES = ["tower", "alpenglow"] as const;
export type Consensus = (typeof CONSENSUSES)[number];

export interface SlotSettings {
  /** The number of later slots after which votes have confirmed a slot, or made it final. Without votes it is one for both. */
  readonly confirmedAfter: number;
  readonly finalizedAfter: number;
  /**
   * The number of slots that pass before a slot's time is known; until then it is null, as on a node that has not written it
   * yet.
   */
  readonly blockTimeAfter: number;
  /** Each slot whose number divides by this has no block; null: each has one. */
  readonly skipEvery: number | null;
}

export type Commitment = "processed" | "confirmed" | "finalized";

/** A blockhash may be named by transactions for this many blocks. */
export const BLOCKHASH_SLOTS = 150;
export const SLOTS_PER_EPOCH = 432_000;
const TIMES_MAX = 50_000;

/** The current slot, the confirmed and finalized ones, and each slot's blockhash and time. */
export class Slots {
  readonly #settings: SlotSettings;
  readonly #genesisHash: string;
  readonly #recent = new Map<string, number>();
  /** (slot, unix seconds) in order; a slot between two has the time of the one before. */
  readonly #times: [number, number][] = [];
  #tip: number;
  #finalized: number;
  #frozen = false;
  #alpenglowSlot: number | null;

  /** Makes everything up to `finalSlot` final from the start: no fork can change what a restart found in its log. */
  constructor(
    genesisHash: string,
    settings: SlotSettings,
    tip: number,
    finalSlot: number,
    alpenglowSlot: number | null,
  ) {
    this.#genesisHash = genesisHash;
    this.#settings = settings;
    this.#tip = this.isSkipped(tip) ? tip + 1 : tip;
    this.#finalized = this.blockAt(finalSlot);
    this.#alpenglowSlot = alpenglowSlot;
    for (let slot = Math.max(0, tip - 2 * BLOCKHASH_SLOTS); slot <= this.#tip; slot++)
      this.#recent.set(this.blockhash(slot), slot);
  }

  isSkipped = (slot: number): boolean => this.#settings.skipEvery !== null && slot % this.#settings.skipEvery === 0;

  /** The slot, or the one before it if it has no block. */
  blockAt = (slot: number): number => (this.isSkipped(slot) ? slot - 1 : slot);

  /** The slot of the block from which the chain went over to Alpenglow; null: it has not. */
  get alpenglowSlot(): number | null {
    return this.#alpenglowSlot;
  }

  get consensus(): Consensus {
    return this.#alpenglowSlot === null ? "tower" : "alpenglow";
  }

  get #finalizedAfter(): number {
    return this.consensus === "alpenglow" ? 1 : this.#settings.finalizedAfter;
  }

  startAlpenglow(): void {
    this.#alpenglowSlot ??= this.#tip;
  }

  /** The number of blocks up to a slot. It follows from the slot alone, so that a restart counts on. */
  heightOf = (slot: number): number =>
    slot - (this.#settings.skipEvery === null ? 0 : Math.floor(slot / this.#settings.skipEvery));

  #lives = (slot: number): boolean => this.heightOf(this.#tip) - this.heightOf(slot) <= BLOCKHASH_SLOTS;

  get tip(): number {
    return this.#tip;
  }

  at(commitment: Commitment): number {
    if (commitment === "processed") return this.#tip;
    if (commitment === "finalized") return this.#finalized;
    const confirmedAfter = this.consensus === "alpenglow" ? 1 : this.#settings.confirmedAfter;
    return Math.max(this.#finalized, this.blockAt(this.#tip - confirmedAfter));
  }

  /**
   * The hash is derived, so that an idle chain needs no line in the log for each slot, and a restart knows the hashes it
   * gave out.
   */
  blockhash = (slot: number): string => toBase58(createHash("sha256").update(`${this.#genesisHash} ${slot}`).digest());

  /** The slot of a blockhash that may still be used, or null. */
  slotOfBlockhash(blockhash: string): number | null {
    const slot = this.#recent.get(blockhash);
    return slot !== undefined && this.#lives(slot) ? slot : null;
  }

  freezeFinality(on: boolean): void {
    this.#frozen = on;
  }

  get finalityFrozen(): boolean {
    return this.#frozen;
  }

  next(): number {
    this.#tip += this.isSkipped(this.#tip + 1) ? 2 : 1;
    this.#recent.set(this.blockhash(this.#tip), this.#tip);
    for (const [hash, slot] of this.#recent) {
      if (this.#lives(slot)) break;
      this.#recent.delete(hash);
    }
    if (!this.#frozen) this.#finalized = Math.max(this.#finalized, this.blockAt(this.#tip - this.#finalizedAfter));
    return this.#tip;
  }

  recordTime(slot: number, unixSeconds: number): void {
    if (this.#times.at(-1)?.[1] === unixSeconds) return;
    this.#times.push([slot, unixSeconds]);
    if (this.#times.length > TIMES_MAX) this.#times.splice(0, TIMES_MAX / 2);
  }

  get newestTime(): number {
    return this.#times.at(-1)?.[1] ?? 0;
  }

  /** The time of a slot on the chain, in unix seconds; null for one before the first known. */
  timeOf(slot: number): number | null {
    return this.#times[countBefore(this.#times, ([from]) => from <= slot) - 1]?.[1] ?? null;
  }

  /** Returns the time that a node shows that knows the chain up to `tip`; null while the slot is too new. */
  shownTime(slot: number, time: number | null, tip: number): number | null {
    return tip - slot >= Math.min(this.#settings.blockTimeAfter, this.#finalizedAfter) ? time : null;
  }
}
