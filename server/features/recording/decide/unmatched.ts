import type { Environment } from "../../../domain/terms.ts";
import type { UnmatchedPayment } from "../../payments/unmatched.ts";
import { type ObservedClosing, type ObservedPayment, sponsorOf } from "./state.ts";

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
