import type { Tenant } from "../../domain/callers.ts";
import { type Fields, showText, showTime } from "../../domain/show.ts";
import type { Environment, PaymentOutcome, PaymentStatus, ProtectionPeriod, Terms } from "../../domain/terms.ts";

export const PAYMENT_ROLES = ["primary", "duplicate"] as const;
type PaymentRole = (typeof PAYMENT_ROLES)[number];

/** Why a payment counts as late: paid, or found, after its intent had expired or been canceled. */
export const LATE_REASONS = [
  "paid_after_expiry",
  "found_after_expiry",
  "paid_after_cancel",
  "found_after_cancel",
] as const;
export type LateReason = (typeof LATE_REASONS)[number];

/** An unresolved dispute can be refunded by anyone from this long after it was opened. */
export const DISPUTE_LAPSE_MS = 90 * 86_400_000;

/** §2.2. Chain times are those of the payment's account. */
export interface Payment extends Tenant, Terms {
  /** The payment's address on chain. */
  readonly id: string;
  readonly intentId: string;
  readonly role: PaymentRole;
  readonly status: PaymentStatus;
  readonly sender: string;
  readonly merchantReference: string;
  readonly lateReason: LateReason | null;
  readonly signature: string | null;
  readonly createdAt: Date;
  readonly protectionDeadline: Date;
  readonly disputedAt: Date | null;
  readonly settledAt: Date | null;
  readonly refundedAt: Date | null;
  readonly checkedAt: Date;
  /** What has left to either side, as digits; and what the sender has in the end, as bound so far. */
  readonly amountReleased: string;
  readonly amountRefunded: string;
  readonly refundTotal: string;
  /** Set once it is decided who gets what, also before the last part has left. */
  readonly outcome: PaymentOutcome | null;
  readonly arbiter: string;
  /** 64 hex digits; null: the payment names no terms text. */
  readonly termsHash: string | null;
}

/** Whether the last part has left. */
export const isPaidOut = ({ status }: Pick<Payment, "status">): boolean =>
  status === "released" || status === "refunded";

/** After the deadline an undisputed payment that nobody decided can be settled to the recipient by anyone (§3.2.4). */
export const isSettleable = (payment: Pick<Payment, "status" | "outcome" | "protectionDeadline">, now: Date): boolean =>
  payment.status === "protected" && payment.outcome === null && now >= payment.protectionDeadline;

/** §2.2. */
export function showPayment(payment: Payment, now: Date): Fields {
  const isOpenDispute = payment.status === "disputed" && payment.outcome === null && payment.disputedAt !== null;
  return {
    object: '"payment"',
    id: `"${payment.id}"`,
    intent: `"${payment.intentId}"`,
    role: `"${payment.role}"`,
    status: `"${payment.status}"`,
    sender: `"${payment.sender}"`,
    recipient: `"${payment.recipient}"`,
    amount: `"${payment.amount}"`,
    asset: `"${payment.asset}"`,
    protectionPeriod: `"${payment.protectionPeriod}"`,
    merchantReference: showText(payment.merchantReference),
    late: String(payment.lateReason !== null),
    lateReason: showText(payment.lateReason),
    signature: showText(payment.signature),
    createdAt: showTime(payment.createdAt),
    protectionDeadline: showTime(payment.protectionDeadline),
    disputedAt: showTime(payment.disputedAt),
    settledAt: showTime(payment.settledAt),
    refundedAt: showTime(payment.refundedAt),
    settleable: String(isSettleable(payment, now)),
    resolveBy: showTime(isOpenDispute ? new Date(payment.disputedAt.getTime() + DISPUTE_LAPSE_MS) : null),
    checkedAt: showTime(payment.checkedAt),
    amountReleased: `"${payment.amountReleased}"`,
    amountRefunded: `"${payment.amountRefunded}"`,
    refundTotal: `"${payment.refundTotal}"`,
    outcome: showText(payment.outcome),
    arbiter: `"${payment.arbiter}"`,
    termsHash: showText(payment.termsHash),
  };
}

/** A payment's row as PostgreSQL returns it. */
export interface PaymentRow {
  business_id: string;
  environment: Environment;
  address: string;
  intent_id: string;
  role: PaymentRole;
  status: PaymentStatus;
  sender: string;
  recipient: string;
  amount: string;
  asset: string;
  protection_period: ProtectionPeriod;
  merchant_reference: string;
  late_reason: LateReason | null;
  signature: string | null;
  created_at: Date;
  protection_deadline: Date;
  disputed_at: Date | null;
  settled_at: Date | null;
  refunded_at: Date | null;
  checked_at: Date;
  amount_released: string;
  amount_refunded: string;
  refund_total: string;
  outcome: PaymentOutcome | null;
  arbiter: string;
  terms_hash: string | null;
}

export const readPaymentRow = (row: PaymentRow): Payment => ({
  businessId: row.business_id,
  environment: row.environment,
  id: row.address,
  intentId: row.intent_id,
  role: row.role,
  status: row.status,
  sender: row.sender,
  recipient: row.recipient,
  amount: row.amount,
  asset: row.asset,
  protectionPeriod: row.protection_period,
  merchantReference: row.merchant_reference,
  lateReason: row.late_reason,
  signature: row.signature,
  createdAt: row.created_at,
  protectionDeadline: row.protection_deadline,
  disputedAt: row.disputed_at,
  settledAt: row.settled_at,
  refundedAt: row.refunded_at,
  checkedAt: row.checked_at,
  amountReleased: row.amount_released,
  amountRefunded: row.amount_refunded,
  refundTotal: row.refund_total,
  outcome: row.outcome,
  arbiter: row.arbiter,
  termsHash: row.terms_hash,
});
