import type { Environment, PaymentOutcome, PaymentStatus, ProtectionPeriod } from "../../../domain/terms.ts";
import {
  digits,
  type FieldsOf,
  flag,
  named,
  nullable,
  slot,
  smallint,
  table,
  time,
  word,
} from "../../../lib/columns.ts";
import { type ObservedClosing, type ObservedPayment, sponsorOf } from "./state.ts";

/** `closed`: it was closed before it was ever observed, so its terms are unknown. */
export const UNMATCHED_REASONS = ["unknown_payment_id", "terms_differ", "closed"] as const;

/** The columns that the list of unmatched payments shows. */
export const LISTED_COLUMNS = {
  id: named("address", word()),
  reason: word({ of: UNMATCHED_REASONS }),
  paymentId: digits("numeric"),
  status: word<PaymentStatus>(),
  sender: nullable(word()),
  recipient: nullable(word()),
  amount: digits("numeric"),
  asset: nullable(word()),
  amountReleased: digits("numeric"),
  amountRefunded: digits("numeric"),
  signature: nullable(word()),
  createdAt: nullable(time()),
  protectionDeadline: nullable(time()),
};
/** Payments under our operator that are bound to no intent. */
export const UNMATCHED = table("unmatched_payments", {
  environment: word<Environment>(),
  ...LISTED_COLUMNS,
  protectionPeriod: nullable(word<ProtectionPeriod>()),
  disputedAt: nullable(time()),
  settledAt: nullable(time()),
  refundedAt: nullable(time()),
  checkedAt: time(),
  observedSlot: slot(),
  outcome: nullable(word<PaymentOutcome>()),
  refundTotal: digits("numeric"),
  rentPayer: nullable(word()),
  arbiter: nullable(word()),
  tokenProgram: nullable(word()),
  decimals: nullable(smallint()),
  termsHash: nullable(word()),
  recordClosed: flag(),
});
export type UnmatchedPayment = FieldsOf<typeof UNMATCHED.columns>;

export type ObservedUnmatched = ObservedPayment & { readonly reason: "unknown_payment_id" | "terms_differ" };

export const draftUnmatched = (
  environment: Environment,
  { payment, reason, signature, slot }: ObservedUnmatched,
  now: Date,
): UnmatchedPayment => ({
  ...payment,
  environment,
  id: payment.address,
  reason,
  signature,
  rentPayer: sponsorOf(payment),
  tokenProgram: payment.tokenProgram ?? null,
  decimals: payment.decimals ?? null,
  recordClosed: false,
  checkedAt: now,
  observedSlot: slot,
});

/** If a payment was closed before it was ever observed, only its end is known. */
export const draftClosed = (
  environment: Environment,
  { payment, signature, slot }: ObservedClosing,
  now: Date,
): UnmatchedPayment => ({
  ...payment,
  environment,
  id: payment.address,
  reason: "closed",
  sender: null,
  recipient: null,
  amount: String(BigInt(payment.amountReleased) + BigInt(payment.amountRefunded)),
  asset: null,
  protectionPeriod: null,
  createdAt: null,
  protectionDeadline: null,
  refundTotal: payment.amountRefunded,
  rentPayer: null,
  arbiter: null,
  tokenProgram: null,
  decimals: null,
  termsHash: null,
  recordClosed: true,
  signature,
  checkedAt: now,
  observedSlot: slot,
});
