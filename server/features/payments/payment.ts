import { type Fields, showText, showTime } from "../../domain/show.ts";
import type { Environment, PaymentStatus, ProtectionPeriod } from "../../domain/terms.ts";
import { digits, type FieldsOf, named, nullable, rowReader, text, time, word } from "../../lib/columns.ts";

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

/** The columns of `payments` that readers see (§2.2). Times of the chain are those of the payment's account. */
export const PAYMENT_COLUMNS = {
  businessId: word(),
  environment: word<Environment>(),
  /** The payment's address on chain. */
  id: named("address", word()),
  intentId: word(),
  role: word<PaymentRole>(),
  status: word<PaymentStatus>(),
  sender: word(),
  recipient: word(),
  amount: digits("numeric"),
  asset: word(),
  protectionPeriod: word<ProtectionPeriod>(),
  merchantReference: text(),
  lateReason: nullable(word<LateReason>()),
  signature: nullable(word()),
  createdAt: time(),
  protectionDeadline: time(),
  disputedAt: nullable(time()),
  settledAt: nullable(time()),
  refundedAt: nullable(time()),
  checkedAt: time(),
};
export type Payment = FieldsOf<typeof PAYMENT_COLUMNS>;
export const readPaymentRow = rowReader(PAYMENT_COLUMNS);

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
