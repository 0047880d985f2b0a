import type { Price, Quote } from "../domain/price.ts";
import type { Terms } from "../domain/terms.ts";
import type {
  ActionCommand,
  ActionRefusal,
  BuiltAction,
  BuiltMemo,
  MemoCommand,
  PaymentRefusal,
  SignedAction,
  SoleActs,
} from "./acts.ts";
import type { TransactionLife } from "./lifetime.ts";
import type { ReadOptions } from "./port.ts";

/** What a terms text says but for the arbiter: the intent's terms, and the other values that the buyer is shown. */
export interface TermsCommand extends Terms {
  /** The nonce of its terms text (§4.13.2). */
  readonly termsNonce: string;
  /** Digits. */
  readonly paymentId: string;
  readonly expiresAt: Date;
  /** The price from which the amount was made, and the quote that made it; both null without one. */
  readonly price: Price | null;
  readonly quote: Quote | null;
  readonly business: { readonly name: string | null; readonly domain: string | null };
  readonly refundPolicyHash: string | null;
}

/** A terms text that the buyer is shown, and its SHA-256 in 64 hex digits (§4.13). */
export interface TermsText {
  readonly text: string;
  readonly hash: string;
}

/** A payment that a buyer is about to make. */
export interface PaymentCommand extends TermsCommand {
  /** The buyer's wallet, in base58. It pays fee and rents too, unless a sponsor does. */
  readonly sender: string;
  /**
   * A wallet of the deployment that pays the network's fee and the rents of record and vault, and nothing else.
   * Absent: the sender pays them.
   */
  readonly sponsor?: string;
  /** The last second at which the program accepts the payment. */
  readonly notAfter: Date;
  /** Checks first that the sender has the tokens, before it reads anything else. */
  readonly tokensFirst?: boolean;
}

/** The latest known rents of a payment, in lamports. A page shows them before it asks a wallet. */
export interface CostEstimate {
  readonly lamports: bigint;
  /** The part that the rent payer gets back with the payment's last part. */
  readonly backLamports: bigint;
  /** The part that stays in the tombstone, and never comes back. The rest does once the record is closed. */
  readonly tombstoneLamports: bigint;
}

/** The cost of a payment for its sender on top of the amount, in lamports. */
interface BuildFee {
  /** The network's fee, priority included. */
  readonly network: bigint;
  /** The rent of the payment's record. All but the tombstone's share comes back when the record is closed. */
  readonly record: bigint;
  /** The rent of the vault, which comes back when the last part has left. */
  readonly vault: bigint;
  /** The rent of the recipient's token account if it does not exist yet; it does not come back. */
  readonly tokenAccount: bigint;
}

export interface BuiltPayment {
  readonly kind: "built";
  /** Version 0, unsigned, in base64. */
  readonly transaction: string;
  /** The address of the payment's account. */
  readonly payment: string;
  /** The arbiter that the operator's account names now: it decides disputes of payments made from now on. */
  readonly arbiter: string;
  readonly terms: TermsText;
  readonly fee: BuildFee;
  readonly lastValidBlockHeight: bigint;
  /** The part of the record's rent that stays in its tombstone, and never comes back. */
  readonly tombstone: bigint;
}

/** A transaction as a wallet signed it, reduced to the payments that it makes under the operator, and acts on. */
export interface SignedTransaction {
  readonly kind: "signed";
  /** Base58 of the first signature: the transaction's name on chain. */
  readonly signature: string;
  /** Payments made by the message's own instructions. Those made through other programs are not included. */
  readonly payments: readonly SignedPayment[];
  /** True if it makes one payment, for its only signer, and at most the token account to be paid besides. */
  readonly isOnePayment: boolean;
  /** Acts on payments by the message's own instructions. */
  readonly actions: readonly SignedAction[];
  /** All that it does; null if it has further signers, or could do anything else. */
  readonly sole: SoleActs | null;
}

/** A text that is no transaction with all its signatures. */
export interface UnsignedTransaction {
  readonly kind: "invalid";
  /** In words. */
  readonly reason: string;
}

export interface SignedPayment extends Terms {
  readonly paymentId: string;
  readonly sender: string;
  readonly arbiter: string;
  /** The time is null if the program accepts it at any time. */
  readonly notAfter: Date | null;
  /** Null: it names no terms text. */
  readonly termsHash: string | null;
}

/** A node's answer about the effect of a signed transaction now. */
export type Trial =
  /** It would land, or has landed. */
  | { readonly kind: "would_land" }
  /** The node does not know the transaction's blockhash, which by its height is too new for it. It simulated nothing. */
  | { readonly kind: "unknown_blockhash" }
  /** Its blockhash has ended, and it has not landed: it never will. */
  | { readonly kind: "ended" }
  | { readonly kind: "would_fail"; readonly reason: string };

/**
 * Builds the transaction by which a buyer pays, and sends the transactions that wallets signed. Its answers about the
 * chain may be outdated a moment later: the program alone decides. Reads throw `ChainUnavailableError` when no node gave a
 * trustworthy answer.
 */
export interface ChainBuilder {
  /** Same as `ChainReader.keepTo`. */
  keepTo(genesisHash: string): void;
  /**
   * Never waits for a node: null while no node has answered with the price of rent, and for tokens whose accounts differ in
   * size.
   */
  estimateCost(tokenProgram: string | null): CostEstimate | null;
  /** Drafts the terms text of a payment that this arbiter would judge. Asks no node. */
  draftTerms(command: TermsCommand, arbiter: string): Promise<TermsText>;
  /** Builds a payment, after a trial run on a node. Signs and sends nothing. */
  buildPayment(command: PaymentCommand, options: Pick<ReadOptions, "signal">): Promise<BuiltPayment | PaymentRefusal>;
  /** Builds an action on a payment as the chain shows it now, after a trial run on a node. Signs and sends nothing. */
  buildAction(command: ActionCommand, options: Pick<ReadOptions, "signal">): Promise<BuiltAction | ActionRefusal>;
  /** Builds a transaction with one memo. */
  buildMemo(command: MemoCommand, options: Pick<ReadOptions, "signal">): Promise<BuiltMemo>;
  /** Decodes a signed transaction from base64, of any version. Asks no node. */
  readSigned(transaction: string): Promise<SignedTransaction | UnsignedTransaction>;
  /** Simulates a signed transaction on a node near the head. A second node's answer holds for one that ended. Sends nothing. */
  tryTransaction(transaction: string, options: Pick<ReadOptions, "signal">): Promise<Trial>;
  /** Sends a signed transaction to every node. It may be repeated: the same transaction lands once. */
  sendTransaction(transaction: string, options: Pick<ReadOptions, "signal">): Promise<void>;
  /**
   * Judges a transaction by final blocks, signed or not; null if the text is none. Where a second node denies that it ended
   * or failed, it is landed if that node has it, else live. It ended if one says that and the other that it failed.
   */
  fetchLife(transaction: string, options: Pick<ReadOptions, "signal">): Promise<TransactionLife | null>;
  /** The same; null also if it ended or failed by one of several nodes alone, as the others are away or deny it. */
  fetchAgreedLife(transaction: string, options: Pick<ReadOptions, "signal">): Promise<TransactionLife | null>;
  /** Returns false once final blocks show that the transaction has not landed and never will. */
  canStillLand(transaction: string, options: Pick<ReadOptions, "signal">): Promise<boolean>;
  /** The same of a transaction of which only the signature is known: it ends with the newest blockhash of the first call. */
  canSignatureLand(signature: string, options: Pick<ReadOptions, "signal">): Promise<boolean>;
}
