import type { Chain } from "../chain.ts";
import type { Entry } from "../ledger/history.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Commitment } from "../ledger/slots.ts";
import type { Image } from "../ledger/vm.ts";
import { RPC_CODES, RpcError } from "./errors.ts";
import { type Config, type Params, readCommitment, readInteger } from "./params.ts";

/** The version of Agave whose answers are these. */
export const API_VERSION = "4.2.2";

/** The abilities that a node of an older or a newer version lacks. */
export const LACKS = ["version_one_refused", "no_certificate", "confirmed_refused"] as const;

/** The lies of a node; all are off on an honest one. */
export interface Distortion {
  /** It sees the chain as it was this many slots ago. */
  readonly lagSlots: number;
  readonly unknownUntil: boolean;
  readonly noBlockTime: boolean;
  /** Lists the transactions of one slot in the wrong order. */
  readonly reorder: boolean;
  /** Knows nothing of transactions older than this many slots. */
  readonly prunedSlots: number | null;
  /** Has never heard of these signatures and addresses. */
  readonly ignorantOf: ReadonlySet<string>;
  readonly lacks: ReadonlySet<(typeof LACKS)[number]>;
}

export const HONEST: Distortion = {
  lagSlots: 0,
  unknownUntil: false,
  noBlockTime: false,
  reorder: false,
  prunedSlots: null,
  ignorantOf: new Set(),
  lacks: new Set(),
};

/** The chain as one request of one node sees it. */
export class View {
  readonly chain: Chain;
  readonly ledger: Ledger;
  readonly distortion: Distortion;

  constructor(chain: Chain, distortion: Distortion = HONEST) {
    this.chain = chain;
    this.ledger = chain.ledger;
    this.distortion = distortion;
  }

  slotAt(commitment: Commitment): number {
    const { slots } = this.ledger;
    return Math.max(0, slots.blockAt(slots.at(commitment) - this.distortion.lagSlots));
  }

  /** The commitment that a slot has reached; null if it lies ahead. */
  commitmentOf(slot: number): Commitment | null {
    if (slot <= this.slotAt("finalized")) return "finalized";
    if (slot <= this.slotAt("confirmed")) return "confirmed";
    return slot <= this.slotAt("processed") ? "processed" : null;
  }

  /** The slot to answer at; refuses when it is older than the caller will have. */
  slotFor(config: Config, byDefault?: Commitment): number {
    const slot = this.slotAt(readCommitment(config, byDefault));
    if (config.minContextSlot !== undefined && config.minContextSlot !== null) {
      const least = readInteger(config.minContextSlot, "a u64");
      if (slot < least)
        throw new RpcError(RPC_CODES.minContextSlot, "Minimum context slot has not been reached", {
          contextSlot: slot,
        });
    }
    return slot;
  }

  withContext = <T>(slot: number, value: T) => ({ context: { apiVersion: API_VERSION, slot }, value });

  account(address: string, slot: number): Image | null {
    return this.distortion.ignorantOf.has(address) ? null : this.ledger.accountAt(address, slot);
  }

  /** A landed transaction this node knows and holds visible. */
  entry(signature: string): Entry | null {
    const entry = this.ledger.history.find(signature);
    return entry && this.shows(entry) ? entry : null;
  }

  shows(entry: Entry): boolean {
    const { prunedSlots, ignorantOf } = this.distortion;
    if (ignorantOf.has(entry.signature) || entry.slot > this.slotAt("processed")) return false;
    return prunedSlots === null || entry.slot > this.slotAt("processed") - prunedSlots;
  }

  blockTime(slot: number, time: number | null): number | null {
    return this.distortion.noBlockTime ? null : this.ledger.slots.shownTime(slot, time, this.slotAt("processed"));
  }
}

/** A method: its most parameters and what it answers. Throws {@link RpcError}. */
export interface Method {
  readonly params: number;
  answer(view: View, params: Params): unknown;
}

export type Methods = Readonly<Record<string, Method>>;
