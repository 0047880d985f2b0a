import type { Environment } from "../../domain/terms.ts";
import { digits, type FieldsOf, flag, nullable, slot, smallint, table, word } from "../../lib/columns.ts";
import { PAYMENT_MEMBERS } from "./payment.ts";

/** `closed`: it was closed before it was ever observed, so its terms are unknown. */
export const UNMATCHED_REASONS = ["unknown_payment_id", "terms_differ", "closed"] as const;

const { sender, recipient, asset, protectionPeriod, createdAt, protectionDeadline, ...members } = PAYMENT_MEMBERS;
/** The members of a payment that is bound to no intent, and their columns. */
export const UNMATCHED_MEMBERS = {
  id: members.id,
  reason: word({
    of: UNMATCHED_REASONS,
    says: "`unknown_payment_id`: its number belongs to no intent. `terms_differ`: it belongs to one on other terms. `closed`: it was closed before the service saw it, so only its end is known.",
    example: "terms_differ",
  }),
  paymentId: digits("numeric", { says: "The number that the payment names on chain.", example: "8639887721275585902" }),
  status: members.status,
  outcome: members.outcome,
  sender: nullable(sender),
  recipient: nullable(recipient),
  amount: members.amount,
  asset: nullable(asset),
  protectionPeriod: nullable(protectionPeriod),
  amountReleased: members.amountReleased,
  amountRefunded: members.amountRefunded,
  refundTotal: members.refundTotal,
  signature: members.signature,
  createdAt: nullable(createdAt),
  protectionDeadline: nullable(protectionDeadline),
  disputedAt: members.disputedAt,
  settledAt: members.settledAt,
  refundedAt: members.refundedAt,
  checkedAt: members.checkedAt,
};

/** Payments under our operator that are bound to no intent. */
export const UNMATCHED = table("unmatched_payments", {
  environment: word<Environment>(),
  ...UNMATCHED_MEMBERS,
  observedSlot: slot(),
  rentPayer: nullable(word()),
  arbiter: nullable(word()),
  tokenProgram: nullable(word()),
  decimals: nullable(smallint()),
  termsHash: members.termsHash,
  recordClosed: flag(),
});
export type UnmatchedPayment = FieldsOf<typeof UNMATCHED.columns>;
