import type { ActionRefusal, PlainInstruction } from "./actions.ts";

/** The ruling of a dispute: the sender has `total` in the end. Its memo is the hash of the record of the decision (§17). */
export interface RulingCommand {
  /** The payment's address. */
  readonly payment: string;
  readonly total: bigint;
  /** SHA-256 of the record in 64 hex digits. */
  readonly memo: string;
  /** Refuses what a node shows of the payment from before this slot. */
  readonly minSlot: number;
}

export interface BuiltRuling {
  readonly kind: "built";
  /** Version 0, unsigned, in base64. */
  readonly transaction: string;
  /** The network's fee, priority included. */
  readonly network: bigint;
  readonly lastValidBlockHeight: bigint;
  /** The instructions without those of the compute budget. */
  readonly instructions: readonly PlainInstruction[];
}

export type RulingRefusal = ActionRefusal;

/** The ruling that a signed transaction has to be. */
export interface WantedRuling {
  readonly payment: string;
  readonly arbiter: string;
  /** Digits. */
  readonly total: string;
  readonly memo: string;
}
