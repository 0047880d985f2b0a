import type { Commitment } from "../../../chain/consensus.ts";
import type { ChainAccount, ChainPayment, ClosedPayment } from "../../../chain/port.ts";
import { type FieldsOf, flag, integer, nullable, slot, text, word } from "../../../lib/columns.ts";
import type { Dispute } from "../../disputes/dispute.ts";
import type { Waits } from "../../disputes/waits.ts";
import type { Intent } from "../../intents/intent.ts";
import { PAYMENTS } from "../../payments/payment.ts";

/** The fields of a payment's account that are recorded. */
export type AccountState = Omit<ChainPayment, "operator" | TokenField> & Partial<Pick<ChainPayment, TokenField>>;
/** Known of an account that was read, and recorded only of payments that are bound to no intent. */
type TokenField = "tokenProgram" | "decimals";

/** A payment's account as a node showed it, with the transaction that made it, if known. */
export interface Observed<Account> {
  readonly payment: Account;
  /** The slot at which the account was read. */
  readonly slot: number;
  readonly finalized: boolean;
  /** The transaction that created it, if known. */
  readonly signature: string | null;
  readonly createdSlot: number | null;
}

export type ObservedPayment = Observed<AccountState>;
export type ObservedClosing = Observed<ClosedPayment>;

/** An account that was read without a transaction: its creation is unknown. */
export const draftObserved = <Account>(payment: Account, slot: number, commitment: Commitment): Observed<Account> => ({
  payment,
  slot,
  finalized: commitment === "finalized",
  signature: null,
  createdSlot: null,
});

/** The existing accounts of a read, as observations. */
export const draftAllObserved = (
  read: readonly { readonly account: ChainAccount; readonly slot: number }[],
  commitment: Commitment,
): Observed<ChainPayment | ClosedPayment>[] =>
  read.flatMap(({ account, slot }) => (account === null ? [] : [draftObserved(account, slot, commitment)]));

/** The columns of `payments` that decisions depend on, also those that merchants do not see. */
export const KNOWN_COLUMNS = {
  ...PAYMENTS.columns,
  generation: integer(),
  observedSlot: slot(),
  createdSlot: nullable(slot()),
  /** The slot at which its latest step was first observed, until that step is final. */
  changedSlot: nullable(slot()),
  /** True if its account at `finalized` agreed with what is recorded here. */
  finalized: flag(),
  /** The payer of the account's and the vault's rent, if it was not the sender. */
  rentPayer: nullable(word()),
  /** See `showAnnounced`. */
  announced: nullable(text()),
};

export interface KnownPayment extends FieldsOf<typeof KNOWN_COLUMNS> {
  /** True if a read at `finalized` contradicted this row: a second read decides. */
  readonly isSuspected: boolean;
}

export const sponsorOf = ({ rentPayer, sender }: AccountState): string | null =>
  rentPayer === sender ? null : rentPayer;

/** An intent and its payments under the intent's row lock, as a decision reads them. */
export interface IntentState {
  readonly intent: Intent;
  readonly generation: number;
  readonly mismatchCount: number;
  /** Observed senders whose mismatch already has its event, in any generation of the intent. */
  readonly mismatchSenders: ReadonlySet<string>;
  readonly lastOccurredAt: Date;
  /** See `showAnnouncedIntent`. */
  readonly announced: string | null;
  /** Oldest recorded first. */
  readonly payments: readonly KnownPayment[];
  /** The last reverted generation of each observed address. */
  readonly revertedGenerations: ReadonlyMap<string, number>;
  /** The receipt key of an observed address: that of its last reverted generation, or a new random one. */
  readonly receiptKeyOf: (address: string) => string;
  /** Hashes named by the observed payments whose terms texts buyers of this intent were shown. */
  readonly keptTerms: ReadonlySet<string>;
  /** The disputes of its payments, by address; read only where the books or an observation show one. */
  readonly disputes: ReadonlyMap<string, Dispute>;
  /** The waits of a dispute that begins now; read with the disputes. */
  readonly waits?: Waits;
  /** The payment link that made the intent; null if none did. */
  readonly linkId: string | null;
  /** Observed addresses whose payments have no seat under the limit of the link (§13.21.6). */
  readonly withoutSeat: ReadonlySet<string>;
}

export const primaryOf = ({ payments }: Pick<IntentState, "payments">): KnownPayment | null =>
  payments.find(({ role }) => role === "primary") ?? null;

/** True if the service has the terms text that an observed payment names (§4.13.4). */
export const knowsTerms = ({ keptTerms }: IntentState, { termsHash }: Pick<ChainPayment, "termsHash">): boolean =>
  termsHash !== null && keptTerms.has(termsHash);

/** True if a decision changes the intent's own row: there is an event, or the next one is compared with other fields. */
export const changesIntent = (before: IntentState, after: IntentState): boolean =>
  before.lastOccurredAt !== after.lastOccurredAt || before.announced !== after.announced;

/** The state after one of its payments has changed. */
export const withPayment = (state: IntentState, payment: KnownPayment): IntentState => ({
  ...state,
  payments: state.payments.map((one) => (one.id === payment.id ? payment : one)),
});
