import type { Terms } from "../domain/terms.ts";
import type { ReadOptions } from "./port.ts";

/** A payment that a buyer is about to make: the intent's terms, and what else the buyer is shown. */
export interface PaymentOrder extends Terms {
  /** The nonce of its terms text (§4.13.2). */
  readonly termsNonce: string;
  /** Digits. */
  readonly paymentId: string;
  /** The buyer's wallet, in base58. It pays fee and rents too, unless a sponsor does. */
  readonly sender: string;
  /** A wallet of the deployment that pays the network's fee and the rents of record and vault, and nothing else. */
  readonly sponsor?: string;
  /** The last second at which the program takes the payment. */
  readonly notAfter: Date;
  readonly expiresAt: Date;
  readonly business: { readonly name: string | null; readonly domain: string | null };
  readonly refundPolicyHash: string | null;
  /** Asks for nothing else before it is known that the sender has the tokens. */
  readonly tokensFirst?: boolean;
}

/** The rents of a payment as nodes said them last, in lamports: what a page shows before a wallet is asked. */
export interface CostEstimate {
  readonly lamports: bigint;
  /** The part that comes back with the payment's last part. */
  readonly backLamports: bigint;
}

/** What a payment costs its sender on top of the amount, in lamports. */
interface BuildFee {
  /** The network's fee, priority included. */
  readonly network: bigint;
  /** The rent of the payment's record. What is not its tombstone's comes back when the record is closed. */
  readonly record: bigint;
  /** The rent of the vault, which comes back when the last part has left. */
  readonly vault: bigint;
  /** The rent of the recipient's token account where it is missing; it does not come back. */
  readonly tokenAccount: bigint;
}

export interface BuiltPayment {
  readonly kind: "built";
  /** Version 0, unsigned, in base64. */
  readonly transaction: string;
  /** The address of the payment's account. */
  readonly payment: string;
  /** Decides disputes of payments made from now on, by the operator's account. */
  readonly arbiter: string;
  /** What the buyer is shown, and its SHA-256 in 64 hex digits (§4.13). */
  readonly terms: { readonly text: string; readonly hash: string };
  readonly fee: BuildFee;
  /** The part of the record's rent that stays in its tombstone, and never comes back. */
  readonly tombstone: bigint;
}

/** Why nothing was built. Amounts are what is missing. */
export type BuildRefusal =
  | { readonly kind: "already_paid" | "is_recipient" | "not_a_wallet" }
  | { readonly kind: "token_missing"; readonly missing: bigint }
  | { readonly kind: "sol_missing"; readonly missing: bigint }
  /** Only where a sponsor was asked for: it does not pay for this payment, or has too little SOL. */
  | { readonly kind: "not_sponsored"; readonly reason: string }
  | { readonly kind: "sponsor_short"; readonly missing: bigint }
  /** A trial run stopped: the program's or token program's error, in words. */
  | { readonly kind: "would_fail"; readonly reason: string };

/** A transaction as a wallet signed it, reduced to the payments that it makes under the operator. */
export interface SignedTransaction {
  /** Base58 of the first signature: the transaction's name on chain. */
  readonly signature: string;
  /** Of the message's own instructions; payments made through other programs are not seen. */
  readonly payments: readonly SignedPayment[];
}

export interface SignedPayment extends Terms {
  readonly paymentId: string;
  readonly sender: string;
  /** Null: the program would take it at any time. */
  readonly notAfter: Date | null;
  /** Null: it names no terms text. */
  readonly termsHash: string | null;
}

/** A node's answer on what a signed transaction would do now. */
export type Trial =
  /** It would land, or has. */
  | { readonly kind: "would_land" }
  /** The node does not know its blockhash, which may be too old or too new for it, and tried nothing. */
  | { readonly kind: "unknown_blockhash" }
  | { readonly kind: "would_fail"; readonly reason: string };

/**
 * Makes the transaction by which a buyer pays, and sends what wallets signed. Everything it says of the chain may be wrong a
 * moment later: the program alone decides. Reads throw `ChainUnavailableError` when no node gave a trustworthy answer.
 */
export interface ChainBuilder {
  /** As `ChainReader.keepTo`. */
  keepTo(genesisHash: string): void;
  /** Never waits for a node: null while none has said what rent costs, and for tokens whose accounts are of many sizes. */
  estimateCost(tokenProgram: string | null): CostEstimate | null;
  /** Builds a payment, after a trial run on a node. Nothing is signed, and nothing sent. */
  buildPayment(order: PaymentOrder, options: Pick<ReadOptions, "signal">): Promise<BuiltPayment | BuildRefusal>;
  /** Reads a signed transaction in base64; null where it is none, or lacks a valid signature. No node is asked. */
  readSigned(transaction: string): Promise<SignedTransaction | null>;
  /** Tries a signed transaction at a node that is near the head of the chain. Nothing is sent. */
  tryTransaction(transaction: string, options: Pick<ReadOptions, "signal">): Promise<Trial>;
  /** Hands a signed transaction to every node. It may be repeated: the same transaction lands once. */
  sendTransaction(transaction: string, options: Pick<ReadOptions, "signal">): Promise<void>;
  /** False once the chain no longer takes the transaction's blockhash. */
  canStillLand(transaction: string, options: Pick<ReadOptions, "signal">): Promise<boolean>;
}
