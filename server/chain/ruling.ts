import type { ActionRefusal, PlainInstruction } from "./actions.ts";

/** The ruling of a dispute: the sender has `total` in the end. Its memo is the hash of the record of the decision (§17). */
export interface RulingOrder {
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

/**
 * The memo of a ruling, by the memos of its transaction that the payment's arbiter signed. `other_signer`: there are memos,
 * and none of them is the arbiter's.
 */
export type RulingMemo =
  /** Null: it is no text. */
  | { readonly kind: "one"; readonly text: string | null }
  | { readonly kind: "none" | "other_signer" | "several"; readonly text: null };

/** A ruling of a transaction that landed. */
export interface LandedRuling {
  readonly payment: string;
  readonly arbiter: string;
  /** The total that it names, in digits. What was bound before may be more. */
  readonly total: string;
  readonly memo: RulingMemo;
}
