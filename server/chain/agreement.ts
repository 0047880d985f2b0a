import type { ActionRefusal, PlainInstruction } from "./actions.ts";
import type { ChainPayment } from "./port.ts";

/**
 * One transaction by which both sides of a payment agree that the sender has `total` in the end: more than is bound already,
 * and less than the whole amount, since otherwise one side decides alone.
 */
export interface AgreementOrder {
  /** The payment's address. */
  readonly payment: string;
  /** Sender or recipient: the side that signs first, and pays the network's fee for both. */
  readonly account: string;
  readonly total: bigint;
  /** Refuses what a node shows of the payment from before this slot. */
  readonly minSlot: number;
}

export interface BuiltAgreement {
  readonly kind: "built";
  /** Version 0, unsigned, in base64. */
  readonly transaction: string;
  /** The payment as the chain showed it at the build. */
  readonly payment: ChainPayment;
  /** Digits. */
  readonly total: string;
  /** The network's fee, priority included. */
  readonly network: bigint;
  /** The instructions without those of the compute budget. */
  readonly instructions: readonly PlainInstruction[];
}

export type AgreementRefusal = ActionRefusal;

/** The agreement that a transaction has to be. */
export interface WantedAgreement {
  readonly payment: string;
  readonly sender: string;
  readonly recipient: string;
  /** Digits. */
  readonly total: string;
}

/** A transaction of an agreement that at least one side has signed. */
export interface SignedAgreement {
  /** The side whose signature is missing; null: it is complete. */
  readonly missing: "sender" | "recipient" | null;
}
