import { type Fields, parseFields, previousAttributes, showText, showTime } from "../../domain/show.ts";
import type { Environment, PaymentOutcome, PaymentStatus, ProtectionPeriod } from "../../domain/terms.ts";
import { digits, type FieldsOf, flag, named, nullable, rowReader, table, text, time, word } from "../../lib/columns.ts";

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

/** The columns of `payments` that readers see (§2.2). Times of the chain are those of the payment's account. */
export const PAYMENTS = table("payments", {
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
  /** What has left to either side; and what the sender has in the end, as bound so far. */
  amountReleased: digits("numeric"),
  amountRefunded: digits("numeric"),
  refundTotal: digits("numeric"),
  /** Set once it is decided who gets what, also before the last part has left. */
  outcome: nullable(word<PaymentOutcome>()),
  arbiter: word(),
  /** 64 hex digits; null: the payment names no terms text. */
  termsHash: nullable(word()),
  /** Whether it is one that the service showed for this intent; decided once, when the payment is recorded. */
  termsKnown: flag(),
});
export type Payment = FieldsOf<typeof PAYMENTS.columns>;
export const readPaymentRow = rowReader(PAYMENTS.columns);

/** Whether the last part has left. */
export const isPaidOut = ({ status }: Pick<Payment, "status">): boolean =>
  status === "released" || status === "refunded";

/** After the deadline an undisputed payment that nobody decided can be settled to the recipient by anyone (§3.2.4). */
export const isSettleable = (payment: Pick<Payment, "status" | "outcome" | "protectionDeadline">, now: Date): boolean =>
  payment.status === "protected" && payment.outcome === null && now >= payment.protectionDeadline;

/** From when anybody may have an open dispute refunded; null: there is none. */
const resolveByOf = ({
  status,
  outcome,
  disputedAt,
}: Pick<Payment, "status" | "outcome" | "disputedAt">): Date | null =>
  status === "disputed" && outcome === null && disputedAt !== null
    ? new Date(disputedAt.getTime() + DISPUTE_LAPSE_MS)
    : null;

/** What can be done with a payment's funds on chain, in the order in which it is shown (§4.6.1). */
export const NEXT_ACTIONS = [
  "dispute",
  "release",
  "refund",
  "resolve",
  "settle",
  "refund_unresolved",
  "pay_out_sender",
  "pay_out_recipient",
] as const;
export const ACTORS = ["sender", "recipient", "arbiter", "anyone"] as const;

export interface NextAction {
  readonly action: (typeof NEXT_ACTIONS)[number];
  readonly by: (typeof ACTORS)[number];
  /** The time from which the program refuses it; null: no time ends it. */
  readonly until: Date | null;
}

/** What the program allows at this time, by its state table. A test holds it against the program in every state. */
export function nextActions(payment: Payment, now: Date): readonly NextAction[] {
  if (isPaidOut(payment)) return [];
  const { status, outcome, protectionDeadline, amountReleased } = payment;
  const [amount, refundTotal] = [BigInt(payment.amount), BigInt(payment.refundTotal)];
  const isUndecided = outcome === null;
  const resolveBy = resolveByOf(payment);
  const isLapsed = resolveBy !== null && now >= resolveBy;
  const possible: readonly (readonly [boolean, NextAction["action"], NextAction["by"], until?: Date | null])[] = [
    [isUndecided && status === "protected" && now < protectionDeadline, "dispute", "sender", protectionDeadline],
    [isUndecided, "release", "sender"],
    [amountReleased === "0" && refundTotal < amount, "refund", "recipient"],
    [resolveBy !== null && !isLapsed, "resolve", "arbiter", resolveBy],
    [isSettleable(payment, now), "settle", "anyone"],
    [isLapsed, "refund_unresolved", "anyone"],
    // From a dispute's lapse on, the same instruction refunds everything.
    [!isLapsed && refundTotal > BigInt(payment.amountRefunded), "pay_out_sender", "anyone", resolveBy],
    [!isUndecided && amount - refundTotal > BigInt(amountReleased), "pay_out_recipient", "anyone"],
  ];
  return possible.filter(([isAllowed]) => isAllowed).map(([, action, by, until = null]) => ({ action, by, until }));
}

/**
 * §6.6: a payment as its last event showed it. `announced` is the text of those fields that were shown otherwise than they
 * are now, and of `settleable`, which moves by the clock alone; null: none.
 */
export const showAnnounced = (payment: Payment, announced: string | null): Fields => ({
  ...showPayment(payment, payment.createdAt),
  ...(announced === null ? {} : parseFields(announced)),
});

/** The text that {@link showAnnounced} needs for a payment whose last event showed this; null if it needs none. */
export const announcedOf = (payment: Payment, shown: Fields): string | null =>
  previousAttributes(shown, showPayment(payment, payment.createdAt));

/** A payment as it was made, but for what may already be bound to the sender. */
export const asMade = (payment: Payment): Payment => ({
  ...payment,
  status: "protected",
  disputedAt: null,
  settledAt: null,
  refundedAt: null,
  amountReleased: "0",
  amountRefunded: "0",
  refundTotal: "0",
  outcome: null,
});

/** §4.6.1: a payment asked for by itself. */
export const showPaymentWithActions = (payment: Payment, now: Date): Fields => ({
  ...showPayment(payment, now),
  nextActions: `[${nextActions(payment, now).map(showNextAction).join(",")}]`,
});

const showNextAction = ({ action, by, until }: NextAction): string =>
  `{"action":"${action}","by":"${by}","until":${showTime(until)}}`;

/** §2.2. */
export function showPayment(payment: Payment, now: Date): Fields {
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
    resolveBy: showTime(resolveByOf(payment)),
    checkedAt: showTime(payment.checkedAt),
    amountReleased: `"${payment.amountReleased}"`,
    amountRefunded: `"${payment.amountRefunded}"`,
    refundTotal: `"${payment.refundTotal}"`,
    outcome: showText(payment.outcome),
    arbiter: `"${payment.arbiter}"`,
    termsHash: showText(payment.termsHash),
    termsKnown: String(payment.termsKnown),
  };
}
