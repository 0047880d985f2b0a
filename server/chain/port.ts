import type { PaymentOutcome, PaymentStatus, Terms } from "../domain/terms.ts";
import type { Deployment } from "./deployment.ts";

/**
 * Everything the service asks of a chain. Features see only this; `server/chain/solana` implements it, and `server/process/openChain.ts` joins the two.
 * Every read takes a deadline as an AbortSignal and throws {@link ChainUnavailableError} when no node gave a trustworthy answer.
 */
export type Commitment = "confirmed" | "finalized";

/** A payment account of the escrow program, decoded. All times are the chain's, in whole seconds. */
export interface ChainPayment extends Terms {
  readonly address: string;
  readonly operator: string;
  readonly sender: string;
  /** 1 … 2^64−1, as digits. */
  readonly paymentId: string;
  readonly tokenProgram: string;
  readonly decimals: number;
  /** Also of a payment that is decided and not yet paid out: the outcome says which. */
  readonly status: PaymentStatus;
  /** Set once it is decided who gets what, also before the last part has left. */
  readonly outcome: PaymentOutcome | null;
  /** What the sender has in the end, as bound so far; digits, as the amounts below. */
  readonly refundTotal: string;
  /** What has left to the sender. */
  readonly amountRefunded: string;
  /** What has left to the recipient. */
  readonly amountReleased: string;
  readonly createdAt: Date;
  readonly protectionDeadline: Date;
  readonly disputedAt: Date | null;
  /** When the recipient's part left the vault. */
  readonly settledAt: Date | null;
  /** When the sender's latest part left the vault. */
  readonly refundedAt: Date | null;
  /** Decides a dispute of this payment, for good. */
  readonly arbiter: string;
  /** Paid for the account and the vault; gets both rents back. */
  readonly rentPayer: string;
  /** 64 hex digits; null: no terms text was named. */
  readonly termsHash: string | null;
}

/** What the tombstone of a closed payment says: how it ended. Its terms went with its record. */
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
}

/** The account at an address: a payment, the tombstone a closed one leaves, or nothing of ours. */
export type ChainAccount = ChainPayment | ClosedPayment | null;
export const isClosed = (account: object | null): account is ClosedPayment => account !== null && "isClosed" in account;
export const isPayment = (account: ChainAccount): account is ChainPayment => account !== null && !isClosed(account);

/**
 * An answer and where it came from: the slot it is true at, and the number of the node (index into the RPC URLs).
 * Some answers do not carry their slot. `fetchSignatures`: a lower bound. `fetchTransaction`: the slot a transaction landed
 * at, else, as for `fetchSignatureStatuses`, that of the newest block the node processed, whatever the commitment asked for.
 */
export interface NodeAnswer<T> {
  readonly value: T;
  readonly slot: number;
  readonly node: number;
}

/** One line of the operator's history. */
export interface ChainSignature {
  readonly signature: string;
  readonly slot: number;
  readonly failed: boolean;
  readonly blockTime: Date | null;
}

/** A transaction that landed, reduced to what it did to payments. */
export interface ChainTransaction {
  readonly signature: string;
  readonly slot: number;
  readonly failed: boolean;
  readonly blockTime: Date | null;
  /** Payment accounts that a create_payment instruction (top level or inner) of this transaction names, in instruction order, without repeats. Empty when it failed. */
  readonly created: readonly string[];
  /** Payment accounts that any instruction of the program names, `created` included, in order, without repeats. Empty when it failed. */
  readonly touched: readonly string[];
}

/** `not_found` is only ever said by a node within 150 slots of the best known one (§4.5.9); else the read throws. */
export type TransactionLookup =
  | { readonly kind: "not_found" | "not_confirmed" }
  | { readonly kind: "landed"; readonly transaction: ChainTransaction };

/** One node's status of a signature; null: that node does not know it (searched in its history too). */
export type SignatureStatus = {
  readonly slot: number;
  readonly commitment: "processed" | Commitment;
  readonly failed: boolean;
} | null;

/** A token mint, as far as a merchant may ask to be paid in it. */
export interface ChainMint {
  readonly decimals: number;
  readonly tokenProgram: string;
  /** Token-2022 extensions that take the funds out of the escrow's hands, e.g. `transferFee`, `transferHook`, `permanentDelegate`, `nonTransferable`, `defaultFrozen`, `closeAuthority`. Empty for a plain mint. */
  readonly riskyExtensions: readonly string[];
}

/**
 * The kind of address a merchant wants to be paid to. `wallet` includes addresses nobody has used yet; `escrow_account` is an
 * operator, a payment or a tombstone, where funds would be mixed with others or lost; `unsignable` an account that nobody can
 * sign for, such as a sysvar, a look-up table or a stake account.
 */
export type RecipientKind = "wallet" | "program" | "token_program_account" | "escrow_account" | "unsignable";

/** The spans of time by which payments can be listed: two bytes of their account's time. */
export const SPAN_SECONDS = 65_536;

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** Default `confirmed`. */
  readonly commitment?: Commitment;
  /** Refuse answers from before this slot. */
  readonly minSlot?: number;
  /** Ask a node other than this one, where there is one: a second opinion. */
  readonly notNode?: number;
  /** Ask this node and no other. */
  readonly onlyNode?: number;
}

export interface PaymentReadOptions extends ReadOptions {
  /** Accounts that landed transactions created, so a tombstone at least must be there: a node that shows nothing is not believed alone. */
  readonly created?: ReadonlySet<string>;
  /** The accounts may be bound now: a large one (by the settings) that a second node does not show too is null. */
  readonly toBind?: boolean;
}

export interface ChainReader {
  /** How many nodes are configured. */
  readonly nodes: number;
  /** JSON-RPC requests sent since the process began, by method: the cost figure of the sweep. */
  readonly requestCounts: ReadonlyMap<string, number>;
  /** Base58 genesis hash: which chain this is. */
  fetchGenesisHash(options: ReadOptions): Promise<string>;
  /** From now on a node is believed only once it has named this genesis hash, whatever it is asked. */
  keepTo(genesisHash: string): void;
  /** What stands at the configured program and operator. */
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
  /**
   * The payment accounts under the operator that were made in one span of time, or all there are (null); tombstones left
   * out. One getProgramAccounts. `span`: chain time in seconds, divided by {@link SPAN_SECONDS}.
   */
  fetchPaymentsInSpan(span: number | null, options: ReadOptions): Promise<NodeAnswer<readonly ChainPayment[]>>;
  /** Mint and recipient in one request. `mint` null: no token mint is there. */
  fetchTerms(
    query: { asset: string; recipient: string },
    options: ReadOptions,
  ): Promise<NodeAnswer<{ mint: ChainMint | null; recipient: RecipientKind }>>;
  /** What stands at an address that somebody may be paid at; `owner`: the program that owns the account, null where there is none. */
  fetchRecipient(
    address: string,
    options: ReadOptions,
  ): Promise<NodeAnswer<{ kind: RecipientKind; owner: string | null }>>;
  /** Mints in the order asked; any number, 100 a request. Null: no token mint is there. */
  fetchMints(addresses: readonly string[], options: ReadOptions): Promise<NodeAnswer<readonly (ChainMint | null)[]>>;
  /** Wakes the caller when the operator's account is named in a new transaction; only a hint, may miss and may repeat. Returns a stop function. */
  onActivity(wake: () => void): () => void;
}

/** Something due to one side of a payment; `record`: its record is to be closed, and the rent goes to who paid it. */
export interface DuePart {
  readonly payment: ChainPayment;
  readonly side: "sender" | "recipient" | "record";
}

/**
 * What became of a transaction. `unknown`: it went out, but no node said that it took it. `refused`: the simulation stopped, in words; `part` says where, null: at the transaction as
 * a whole. `overtaken`: there, somebody else was first, or the books are behind. `fee_payer`: it cannot pay the fee, which
 * is no payment's fault.
 */
export type PayOutAnswer =
  | { readonly kind: "sent"; readonly signature: string }
  | { readonly kind: "unknown"; readonly signature: string }
  | { readonly kind: "refused"; readonly part: DuePart | null; readonly reason: string }
  | { readonly kind: "overtaken"; readonly part: DuePart }
  | { readonly kind: "fee_payer"; readonly reason: string };

/** Pays out what is due; present only where a fee-payer key is configured (the keeper). */
export interface ChainSender {
  /** As {@link ChainReader.keepTo}. */
  keepTo(genesisHash: string): void;
  /**
   * Sends one transaction with all the parts given, which fit into one, after a simulation in which the fee payer lost no
   * more than the fee.
   */
  payOut(parts: readonly DuePart[], options: { signal: AbortSignal }): Promise<PayOutAnswer>;
  /** Parts that a transaction can have if its payments share the most. */
  readonly payOutMax: number;
  /** Whether one transaction can have all of these parts. */
  fitsInOne(parts: readonly DuePart[]): boolean;
  /** How many transactions may be under way at once. */
  readonly concurrency: number;
  readonly feePayer: string;
  /** Below so many lamports of the fee payer the log says so. */
  readonly balanceMin: bigint;
  /** The wallets of the deployment that may have paid for records: these rents come back to it. */
  readonly rentPayers: ReadonlySet<string>;
  /** The lamports of the fee payer. */
  fetchBalance(options: { signal: AbortSignal }): Promise<bigint>;
  /** The balance as last read or simulated; null: not yet. */
  readonly lastBalance: bigint | null;
}

/** No node gave an answer that may be trusted; the message says what each one did, without URLs or credentials. */
export class ChainUnavailableError extends Error {
  override readonly name = "ChainUnavailableError";
  readonly outage = "chain";
  readonly reason: string;

  /** `reason`: what errors of one outage have in common where their messages differ. */
  constructor(message: string, reason = message) {
    super(message);
    this.reason = reason;
  }
}

/** The answer; null while no node gives one. */
export const unlessAway = <Answer>(asked: Promise<Answer>): Promise<Answer | null> =>
  asked.catch((error: unknown) => {
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  });
