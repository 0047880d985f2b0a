import { timingSafeEqual } from "node:crypto";
import { type FieldsOf, omit } from "../../lib/columns.ts";
import type { LateReason, Payment } from "./payment.ts";
import { holdOf, type PayoutHold } from "./payoutHold.ts";
import { UNMATCHED, type UnmatchedPayment } from "./unmatched.ts";

/** What the chain shows of a payment. One that was closed before it was read has no terms. */
export const SHOWN_COLUMNS = omit(UNMATCHED.columns, "reason", "paymentId", "tokenProgram", "decimals");
export type ShownPayment = FieldsOf<typeof SHOWN_COLUMNS>;
type Term = "sender" | "recipient" | "asset" | "protectionPeriod" | "createdAt" | "protectionDeadline" | "arbiter";

/** The order that a payment is bound to. Of a receipt, only its key shows any of it. */
interface Order {
  readonly businessId: string;
  readonly intentId: string;
  readonly merchantReference: string;
  /** True if it has no seat under the limit of the payment link that made the intent (§13.21.6). */
  readonly overLimit: boolean;
}

/** What is recorded of a payment besides what the chain shows. */
interface Recorded {
  /** The relation of the payment to the orders of this service. `vanished`: a fork removed it. */
  readonly match: Payment["role"] | UnmatchedPayment["reason"] | "vanished";
  readonly lateReason: LateReason | null;
  /** True once no fork can change what is recorded of it. */
  readonly isFinalized: boolean;
  /** The payment's number, by which the terms text names its order; null of a bound payment, whose order is known. */
  readonly paymentId: string | null;
  /** True if the text that it names was kept for its own order. */
  readonly termsKnown: boolean;
  /** Opens what the receipt shows of its order; null: nothing does. */
  readonly receiptKey: string | null;
  /** Of the token, as the payment itself showed it; null of a bound payment, whose token is known. */
  readonly tokenProgram: string | null;
  readonly decimals: number | null;
  readonly order: Order | null;
}

/** What a relation of payments says besides; the rest is null or false. */
export type RecordedRow = Partial<Recorded> & Pick<Recorded, "match"> & Parameters<typeof holdOf>[0];

/** A payment wherever it is recorded: bound, unmatched, or removed by a fork. */
export type PaymentView = Omit<Recorded, "order"> & {
  /** What keeps a due part in the escrow; null if nothing is known to. */
  readonly hold: PayoutHold | null;
  /** The environment's time. */
  readonly now: Date;
  /** Real time, even if the clock of a local chain runs ahead. */
  readonly at: Date;
} & (
    | { readonly order: Order; readonly payment: ShownPayment & Pick<Payment, Term> }
    | { readonly order: null; readonly payment: ShownPayment }
  );

const NOTHING: Omit<Recorded, "match"> = {
  lateReason: null,
  isFinalized: false,
  paymentId: null,
  termsKnown: false,
  receiptKey: null,
  tokenProgram: null,
  decimals: null,
  order: null,
};

/** A bound payment has all terms. */
export const viewPayment = (
  payment: ShownPayment,
  { refusal, refusedSide, ...recorded }: RecordedRow,
  times: Pick<PaymentView, "now" | "at">,
) => ({ ...NOTHING, ...recorded, payment, hold: holdOf({ refusal, refusedSide }), ...times }) as PaymentView;

/** True if `given` is the receipt's key, if it has one. Takes the same time for every key of its length. */
export function isReceiptKey(key: string | null, given: string | null): boolean {
  if (key === null || given === null) return false;
  const [own, other] = [Buffer.from(key), Buffer.from(given)];
  return own.length === other.length && timingSafeEqual(own, other);
}
