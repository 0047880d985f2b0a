import type { Tenant } from "../../domain/callers.ts";
import { type Fields, showText, showTime } from "../../domain/show.ts";
import type { Environment, PaymentStatus, ProtectionPeriod, Terms } from "../../domain/terms.ts";

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
const RESOLUTION_MS = 90 * 86_400_000;

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
}

/** After the deadline an undisputed payment can be settled to the recipient by anyone. */
export const isSettleable = (payment: Pick<Payment, "status" | "protectionDeadline">, now: Date): boolean =>
  payment.status === "protected" && now >= payment.protectionDeadline;

/** §2.2 with the additions `lateReason`, `refundedAt`, `settleable`, `resolveBy`. */
export function showPayment(payment: Payment, now: Date): Fields {
  const disputed = payment.status === "disputed" && payment.disputedAt !== null;
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
    resolveBy: showTime(disputed ? new Date(payment.disputedAt.getTime() + RESOLUTION_MS) : null),
    checkedAt: showTime(payment.checkedAt),
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
});
