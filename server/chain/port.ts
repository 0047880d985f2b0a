import { CHAIN_READ_MS } from "../domain/limits.ts";
import type { PaymentOutcome, PaymentStatus, Terms } from "../domain/terms.ts";
import type { Commitment, ConsensusSeen, Level } from "./consensus.ts";
import type { Deployment } from "./deployment.ts";

/**
 * Everything the service asks of a chain. Features import only this. `server/chain/solana` implements it, and
 * `server/process/openChain.ts` joins the two.
 * Every read takes a deadline as an AbortSignal and throws {@link ChainUnavailableError} when no node gave a trustworthy
 * answer.
 */

/** A payment account of the escrow program, decoded. All times are the chain's, in whole seconds. */
export interface ChainPayment extends Terms {
  readonly address: string;
  readonly operator: string;
  readonly sender: string;
  /** 1 … 2^64−1, as digits. */
  readonly paymentId: string;
  readonly tokenProgram: string;
  readonly decimals: number;
  /** The status stays as it was between the decision and the last payout. Then `outcome` is set. */
  readonly status: PaymentStatus;
  /** Set once the division of the amount is decided, also before the last part has left. */
  readonly outcome: PaymentOutcome | null;
  /** The sender's total as decided so far; digits, like the amounts below. */
  readonly refundTotal: string;
  /** The part that has left the vault for the sender. */
  readonly amountRefunded: string;
  /** The part that has left the vault for the recipient. */
  readonly amountReleased: string;
  readonly createdAt: Date;
  readonly protectionDeadline: Date;
  readonly disputedAt: Date | null;
  /** The time when the recipient's part left the vault. */
  readonly settledAt: Date | null;
  /** The time when the sender's latest part left the vault. */
  readonly refundedAt: Date | null;
  /** The authority that decides a dispute of this payment, for good. */
  readonly arbiter: string;
  /** The wallet that paid for the account and the vault; gets both rents back. */
  readonly rentPayer: string;
  /** 64 hex digits; null: no terms text was named. */
  readonly termsHash: string | null;
}

/** The tombstone of a closed payment says how it ended. Its terms went with its record. */
export interface ClosedPayment
  extends Pick<
    ChainPayment,
    | "address"
    | "paymentId"
    | "status"
    | "outcome"
    | "amountRefunded"
    | "amountReleased"
    | "disputedAt"
    | "settledAt"
    | "refundedAt"
  > {
  readonly isClosed: true;
  /** The bump of its address: with the other members it makes the tombstone's bytes. */
  readonly bump: number;
}

/** The account at an address: a payment, the tombstone a closed one leaves, or nothing of ours. */
export type ChainAccount = ChainPayment | ClosedPayment | null;
export const isClosed = (account: object | null): account is ClosedPayment => account !== null && "isClosed" in account;
export const isPayment = (account: ChainAccount): account is ChainPayment => account !== null && !isClosed(account);

/** A payment's account and the balance of its vault, at one slot. */
export interface Holding {
  readonly account: ChainAccount;
  /** In the token's smallest unit, in digits; null: there is no vault. */
  readonly vault: string | null;
}

/** The most payments whose accounts and vaults one request reads. */
export const HOLDINGS_MAX = 33;

/**
 * An answer with its source: the slot it is true at, and the number of the node (index into the RPC URLs).
 * Some answers do not carry their slot. For `fetchSignatures` it is a lower bound. For `fetchTransaction` it is the slot a
 * transaction landed at; without one, as for `fetchSignatureStatuses`, that of the newest block the node processed,
 * whatever the commitment of the request.
 */
export interface NodeAnswer<T> {
  readonly value: T;
  readonly slot: number;
  readonly node: number;
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

/** One line of the operator's history. */
export interface ChainSignature {
  readonly signature: string;
  readonly slot: number;
  readonly failed: boolean;
  readonly blockTime: Date | null;
}

/** A landed transaction, reduced to its effect on payments. */
export interface ChainTransaction {
  readonly signature: string;
  readonly slot: number;
  readonly failed: boolean;
  readonly blockTime: Date | null;
  /** Payment accounts that a create_payment instruction (top level or inner) of this transaction names, in instruction order, without repeats. Empty when it failed. */
  readonly created: readonly string[];
  /** Payment accounts that any instruction of the program names, `created` included, in order, without repeats. Empty when it failed. */
  readonly touched: readonly string[];
  /** Its only memo, if an account signed it. Left out when it failed. */
  readonly memo?: LandedMemo;
  /** Its rulings on payments of the operator. Left out when there is none, or it failed. */
  readonly rulings?: readonly LandedRuling[];
}

/** A memo of a transaction that landed: the only one in it (§16.2). */
export interface LandedMemo {
  readonly text: string;
  /**
   * The accounts that signed the memo itself. A signer of the transaction counts only for a memo of the message's own,
   * beside nothing but the opening of a dispute: elsewhere a program that was called for another purpose could have written
   * it. The account of a smart wallet, which its program signs for, counts at any depth.
   */
  readonly signers: readonly string[];
}

/** `not_found` comes only from a node within 150 slots of the best known one (§4.5.9); else the read throws. */
export type TransactionLookup =
  | { readonly kind: "not_found" | "not_confirmed" }
  | { readonly kind: "landed"; readonly transaction: ChainTransaction };

/** One node's status of a signature; null: that node does not know it (searched in its history too). */
export type SignatureStatus = {
  readonly slot: number;
  readonly commitment: Level;
  readonly failed: boolean;
} | null;

/** The properties of a token mint that decide if a merchant may ask to be paid in it. */
export interface ChainMint {
  readonly decimals: number;
  readonly tokenProgram: string;
  /**
   * Token-2022 extensions by which others could move or block the funds in escrow, e.g. `transferFee`, `transferHook`,
   * `permanentDelegate`, `nonTransferable`, `defaultFrozen`, `closeAuthority`. Empty for a plain mint.
   */
  readonly riskyExtensions: readonly string[];
}

/**
 * The kind of address a merchant wants to be paid to. `wallet` includes addresses without any account yet.
 * `escrow_account` is an operator, a payment or a tombstone, where funds would be mixed with others or lost. `unsignable`
 * is an account without a possible signer, such as a sysvar, a look-up table or a stake account.
 */
export type RecipientKind = "wallet" | "program" | "token_program_account" | "escrow_account" | "unsignable";

/** Payments can be listed by spans of time of this length: two bytes of their account's time. */
export const SPAN_SECONDS = 65_536;

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** Default: the one of reads that bind nothing. */
  readonly commitment?: Commitment;
  /** Refuses answers from before this slot. */
  readonly minSlot?: number;
  /** Asks a node other than this one, if there is one: a second opinion. */
  readonly notNode?: number;
  /** Asks this node and no other. */
  readonly onlyNode?: number;
}

export interface PaymentReadOptions extends ReadOptions {
  /**
   * Accounts that landed transactions created. At least a tombstone must be there, so a single node without it is not
   * believed.
   */
  readonly created?: ReadonlySet<string>;
  /** The accounts may be bound now. A large one (by the settings) that a second node does not confirm is null. */
  readonly toBind?: boolean;
}

export interface ChainReader {
  /** The number of configured nodes. */
  readonly nodes: number;
  /** The commitment at which payments are bound now. */
  readonly bindCommitment: Commitment;
  /** The slots in a time, by those that became final lately; more rather than fewer while too few are seen. */
  slotsIn(ms: number): number;
  /** JSON-RPC requests sent since the process began, by method: the cost of the sweep. */
  readonly requestCounts: ReadonlyMap<string, number>;
  /** Base58 genesis hash: which chain this is. */
  fetchGenesisHash(options: ReadOptions): Promise<string>;
  /** True if a payment is so large, by the settings, that one node's word is not enough. */
  needsTwoNodes(payment: Pick<ChainPayment, "asset" | "amount">): boolean;
  /** From now on the reader believes a node only once it has named this genesis hash, whatever the request. */
  keepTo(genesisHash: string): void;
  /**
   * Asks each node for the certificate with which Alpenglow began. Returns what is seen, null if that is nothing new. Once
   * one has it, everything is read and bound at `finalized`, which is right on every chain. While no node answers, nothing
   * changes.
   */
  detectConsensus(options: ReadOptions): Promise<ConsensusSeen | null>;
  /** Calls `wake` when a node refuses a read as one of the other consensus would. Returns how to stop that. */
  onDoubt(wake: () => void): () => void;
  /** The accounts at the configured program and operator. */
  fetchDeployment(options: ReadOptions): Promise<NodeAnswer<Deployment>>;
  /** SHA-256 of the deployed program's file without zeros at its end, in 64 hex digits. Reads the whole program. */
  fetchProgramHash(options: ReadOptions): Promise<NodeAnswer<string>>;
  /** The newest slot at the commitment and its block time (null while the node has none for it yet). */
  fetchHead(options: ReadOptions): Promise<NodeAnswer<{ blockTime: Date | null }>>;
  /** The operator's history newest first: at most `limit` (1 … 1000), older than `before`, newer than `until`. */
  fetchSignatures(
    query: { before?: string; until?: string; limit: number },
    options: ReadOptions,
  ): Promise<NodeAnswer<readonly ChainSignature[]>>;
  fetchTransaction(signature: string, options: ReadOptions): Promise<NodeAnswer<TransactionLookup>>;
  /** Statuses in the order asked; any number of signatures, 256 a request. */
  fetchSignatureStatuses(
    signatures: readonly string[],
    options: ReadOptions,
  ): Promise<NodeAnswer<readonly SignatureStatus[]>>;
  /** Accounts in the order asked; any number, 100 a request. Accounts of other programs, operators or shapes are null. */
  fetchPayments(
    addresses: readonly string[],
    options: PaymentReadOptions,
  ): Promise<NodeAnswer<readonly ChainAccount[]>>;
  /** Payments with their vaults in the order asked, all at one slot; at most {@link HOLDINGS_MAX}. */
  fetchHoldings(
    payments: readonly { readonly address: string; readonly asset: string }[],
    options: ReadOptions,
  ): Promise<NodeAnswer<readonly Holding[]>>;
  /**
   * The payment accounts under the operator that were made in one span of time, or all of them (null), without tombstones.
   * Lists them by a getProgramAccounts. `span`: chain time in seconds, divided by {@link SPAN_SECONDS}.
   */
  fetchPaymentsInSpan(span: number | null, options: ReadOptions): Promise<NodeAnswer<readonly ChainPayment[]>>;
  /** Reads mint and recipient in one request. `mint` is null if there is no token mint. */
  fetchTerms(
    query: { asset: string; recipient: string },
    options: ReadOptions,
  ): Promise<NodeAnswer<{ mint: ChainMint | null; recipient: RecipientKind }>>;
  /**
   * The kind of account at a recipient's address; `owner`: the program that owns the account, null if there is none.
   * `holds`: what keeps its accounts of well-known tokens from being paid.
   */
  fetchRecipient(
    address: string,
    options: ReadOptions,
  ): Promise<NodeAnswer<{ kind: RecipientKind; owner: string | null; holds: readonly TokenAccountHold[] }>>;
  /** Mints in the order asked; any number, 100 a request. Null: no token mint is there. */
  fetchMints(addresses: readonly string[], options: ReadOptions): Promise<NodeAnswer<readonly (ChainMint | null)[]>>;
  /**
   * Wakes the caller when the operator's account is named in a new transaction, with its signature if the node says that it
   * succeeded; only a hint, may miss and may repeat. Returns a stop function.
   */
  onActivity(wake: (signature: string | null) => void): () => void;
}

/** A state of a token account in which no escrow can pay it. */
export type TokenAccountHold = "memo_required" | "account_frozen";

/** A due part: the sender's or the recipient's, or `record`: its record is to be closed, and the rent goes to its payer. */
export interface DuePart {
  readonly payment: ChainPayment;
  readonly side: "sender" | "recipient" | "record";
}

/**
 * The result of a transaction. `unknown`: it was sent, but no node said that it accepted it. `refused`: the simulation
 * failed, with the reason in words; `part` says at which part, null: at the transaction as a whole. `overtaken`: another
 * transaction was first at that part, or the database is behind. `fee_payer`: it cannot pay the fee, for which no payment
 * is at fault.
 */
export type PayOutAnswer =
  | { readonly kind: "sent"; readonly signature: string }
  | { readonly kind: "unknown"; readonly signature: string }
  | { readonly kind: "refused"; readonly part: DuePart | null; readonly reason: string }
  | { readonly kind: "overtaken"; readonly part: DuePart }
  | { readonly kind: "fee_payer"; readonly reason: string };

/** Pays out due parts; present only if a fee-payer key is configured (the keeper). */
export interface ChainSender {
  /** Same as {@link ChainReader.keepTo}. */
  keepTo(genesisHash: string): void;
  /**
   * Sends one transaction with all the parts passed, which fit into one, after a simulation in which the fee payer lost no
   * more than the fee.
   */
  payOut(parts: readonly DuePart[], options: { signal: AbortSignal }): Promise<PayOutAnswer>;
  /** The most parts in one transaction, for payments that share the most accounts. */
  readonly payOutMax: number;
  /** Returns true if one transaction can hold all of these parts. */
  fitsInOne(parts: readonly DuePart[]): boolean;
  /** The most transactions in flight at once. */
  readonly concurrency: number;
  readonly feePayer: string;
  /** The log warns below this balance of the fee payer, in lamports. */
  readonly balanceMin: bigint;
  /** The wallets of the deployment that may have paid for records: their rents come back to the deployment. */
  readonly rentPayers: ReadonlySet<string>;
  /** Fetches the fee payer's balance in lamports. */
  fetchBalance(options: { signal: AbortSignal }): Promise<bigint>;
  /** The balance as last read or simulated; null: not yet. */
  readonly lastBalance: bigint | null;
}

/** No node gave a trustworthy answer. The message says what each one did, without URLs or credentials. */
export class ChainUnavailableError extends Error {
  override readonly name = "ChainUnavailableError";
  readonly outage = "chain";
  readonly reason: string;

  /** `reason`: the common part of an outage's errors, if their messages differ. */
  constructor(message: string, reason = message) {
    super(message);
    this.reason = reason;
  }
}

let readMs = CHAIN_READ_MS;
/** Sets the time for the chain reads of one request, once for the process: the machine of a local chain may be slow. */
export const allowReads = (ms: number): void => {
  readMs = ms;
};

/** The deadline of the chain reads of one request. */
export const readDeadline = (): Pick<ReadOptions, "signal"> => ({ signal: AbortSignal.timeout(readMs) });

/** Returns the answer; null while no node gives one. */
export const unlessAway = <Answer>(asked: Promise<Answer>): Promise<Answer | null> =>
  asked.catch((error: unknown) => {
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  });
