import { actNamed, isPossible, PAYMENT_ACTS, type PaymentProgress, resolveByOf } from "../../chain/acts.ts";
import { INTENT_ID } from "../../domain/ids.ts";
import { AMOUNT, PART_AMOUNT } from "../../domain/money.ts";
import { type Fields, type JsonText, parseFields, previousAttributes, shower, showTime } from "../../domain/show.ts";
import { type Environment, PAYMENT_OUTCOMES, PAYMENT_STATUSES, PROTECTION_PERIODS } from "../../domain/terms.ts";
import { ADDRESS, column, SIGNATURE } from "../../domain/values.ts";
import {
  computed,
  digits,
  examplesOf,
  type FieldsOf,
  flag,
  named,
  nullable,
  pick,
  rowReader,
  stored,
  table,
  text,
  time,
  word,
} from "../../lib/columns.ts";
import type { HoldReason, PayoutHold } from "./payoutHold.ts";

export const PAYMENT_ROLES = ["primary", "duplicate"] as const;

/** Reasons for which a payment counts as late: it was paid, or found, after its intent had expired or been canceled. */
export const LATE_REASONS = [
  "paid_after_expiry",
  "found_after_expiry",
  "paid_after_cancel",
  "found_after_cancel",
] as const;
export type LateReason = (typeof LATE_REASONS)[number];

const part = (says: string) => digits("numeric", { says, example: "0", schema: { pattern: PART_AMOUNT.source } });

/** The members of a payment as the API shows them (§2.2), and their columns. Chain times are those of the payment's account. */
export const PAYMENT_MEMBERS = {
  businessId: word(),
  environment: word<Environment>(),
  id: named(
    "address",
    column(ADDRESS, {
      says: "The payment's address on chain.",
      example: "9XU3yrm2RT3c7z77ufyHwYaj2o74LMvDjC2QXjFtainL",
    }),
  ),
  intentId: word({
    as: "intent",
    says: "Id of the intent it is bound to.",
    example: "pi_test_5szw01a1fc0a61ca6aa1dc5681f996bdf948",
    schema: { pattern: INTENT_ID.source },
  }),
  role: word({
    of: PAYMENT_ROLES,
    says: "`primary`, or `duplicate` for a further payment of an intent that is already paid.",
    example: "primary",
  }),
  status: word({
    of: PAYMENT_STATUSES,
    says: "Its status on chain at `checkedAt`. It stays as it was between a decision, which sets `outcome`, and the leaving of the last part.",
    example: "protected",
  }),
  sender: column(ADDRESS, { says: "The buyer's wallet.", example: "CGB7q4KjYiHb8TcZVJ1wwJbZyQequ95VYBcWRDkPmv2X" }),
  recipient: column(ADDRESS, {
    says: "The wallet that is paid.",
    example: "DFScJcCVGUqL6VfvXntAZyrhLszXTqDryfrqM6Gdw6Cx",
  }),
  amount: digits("numeric", {
    says: "Digits, in the asset's smallest unit.",
    example: "5000000",
    schema: { pattern: AMOUNT.source },
  }),
  asset: column(ADDRESS, { says: "The token's mint.", example: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" }),
  protectionPeriod: word({
    of: PROTECTION_PERIODS,
    says: "The time within which the buyer may dispute.",
    example: "sevenDays",
  }),
  merchantReference: text({ says: "Your reference, copied from the intent.", example: "order-1001" }),
  late: computed(flag({ says: "Paid or found after the intent had expired or been canceled.", example: false })),
  lateReason: nullable(word({ of: LATE_REASONS, says: "The reason why it counts as late; null if it does not." })),
  signature: nullable(
    column(SIGNATURE, {
      says: "The transaction that created it; null only while unknown.",
      example: "3v56iH8YwnwdXY9Y9hi613R2uyW4oggS51yubyaNDagA7eB9xb5yJ4Ybgex2Y9BmeTAgL6yoBTYsJ4k7fbKLr49u",
    }),
  ),
  createdAt: time({ says: "The time of its creation, by the chain's clock.", example: "2026-11-21T02:58:22.000Z" }),
  protectionDeadline: time({
    says: "Disputes can be opened until this time; after it the payment can be settled to the recipient.",
    example: "2026-11-28T02:58:22.000Z",
  }),
  disputedAt: nullable(time({ says: "The time of its dispute; null if it was never disputed." })),
  settledAt: nullable(
    time({ says: "The time when the funds, or the recipient's part of them, went to the recipient; null until then." }),
  ),
  refundedAt: nullable(
    time({
      says: "The time when the funds, or the latest part that went back, went back to the buyer; null until then.",
    }),
  ),
  settleable: computed(
    flag({
      says: "The deadline has passed, no dispute is open and nothing is decided: anyone may settle it to the recipient.",
      example: false,
    }),
  ),
  resolveBy: computed(
    nullable(
      time({
        says: "The time from which an unresolved dispute can be refunded by anyone; null if no dispute is open.",
      }),
    ),
  ),
  checkedAt: time({ says: "The time of the last check of the chain.", example: "2026-11-21T02:58:23.646Z" }),
  amountReleased: part('The amount that has left to the recipient; "0" until then.'),
  amountRefunded: part('The amount that has gone back to the buyer; "0" until then.'),
  refundTotal: part(
    "The amount that the buyer is bound to get back in all, as decided so far. The part above `amountRefunded` is on its way.",
  ),
  outcome: nullable(
    word({
      of: PAYMENT_OUTCOMES,
      says: "The way in which it was decided, which binds both parts; null until then. The parts may leave later.",
    }),
  ),
  arbiter: column(ADDRESS, {
    says: "Decides a dispute of this payment; fixed when it was made.",
    example: "6dNVxkyfuyCqe5xCiLGPUpNaCNTsV7wJ3wTJkHFUZ6Uu",
  }),
  termsHash: nullable(
    word({
      says: "SHA-256 of the terms that the buyer's transaction names; null if it names none.",
      schema: { pattern: "^[0-9a-f]{64}$" },
    }),
  ),
  // Decided once, when the payment is recorded.
  termsKnown: flag({
    says: "True if the text behind `termsHash` is one that this service showed for the intent.",
    example: false,
  }),
  // Decided once, when the payment is recorded.
  overLimit: flag({
    says: "True if it was paid by a payment link whose seats were all taken, and without a seat of its own. Refund it if you cannot deliver.",
    example: false,
  }),
  /** Opens what the receipt shows beyond the chain. No answer, event or log has it but in `receiptUrl`. */
  receiptKey: word(),
  receiptUrl: computed(
    text({
      says: "The address of its receipt, with the key that shows your order to the buyer. Whoever has it can read the receipt.",
      example:
        "https://pay.shop-demo.com/pay/p/9XU3yrm2RT3c7z77ufyHwYaj2o74LMvDjC2QXjFtainL?key=q83vEjRWeJCrze8SNFZ4kA",
    }),
  ),
};
/** The members that the staff's list of payments shows. */
export const LISTED_MEMBERS = {
  ...pick(
    PAYMENT_MEMBERS,
    "id",
    "intentId",
    "role",
    "status",
    "sender",
    "recipient",
    "amount",
    "asset",
    "merchantReference",
    "lateReason",
    "overLimit",
    "createdAt",
    "protectionDeadline",
    "disputedAt",
    "settledAt",
    "refundedAt",
    "settleable",
    "resolveBy",
    "refundTotal",
    "amountRefunded",
    "amountReleased",
    "outcome",
  ),
  recordedSequence: digits("bigint", {
    says: "The sequence of its `payment.protected` event. Payments are listed in this order.",
    example: "1042",
  }),
};
/** One payment in every example, so that they fit together. */
export const PAYMENT_EXAMPLES = examplesOf(PAYMENT_MEMBERS);

/** The readable columns of `payments`. */
export const PAYMENTS = table("payments", stored(PAYMENT_MEMBERS));
export type Payment = FieldsOf<typeof PAYMENTS.columns>;
export const readPaymentRow = rowReader(PAYMENTS.columns);

/** After the deadline an undisputed payment that nobody decided can be settled to the recipient by anyone (§3.2.4). */
const isSettleable = ({ protectionDeadline, ...payment }: Progress, now: Date): boolean =>
  protectionDeadline !== null && isPossible({ ...payment, protectionDeadline }, "settle", now);
/** A payment that was closed before it was read has no deadline. */
export type Progress = Omit<PaymentProgress, "protectionDeadline"> & { readonly protectionDeadline: Date | null };

export type PaymentState =
  | "protected"
  | "settling"
  | "disputed"
  | "lapsed"
  | "decided"
  | "settled"
  | "partly_refunded"
  | "refunded";

/** The state of a payment on a buyer's pages. `lapsed`: anyone can have its dispute refunded. */
export function stateOfPayment(payment: Progress, now: Date): PaymentState {
  if (payment.status === "refunded") return "refunded";
  if (payment.status === "released") return payment.amountRefunded === "0" ? "settled" : "partly_refunded";
  if (payment.outcome !== null) return "decided";
  const lapsesAt = resolveByOf(payment);
  if (lapsesAt !== null) return now < lapsesAt ? "disputed" : "lapsed";
  return isSettleable(payment, now) ? "settling" : "protected";
}

/** Actions that the program can allow on a payment's funds, in the order of the response (§4.6.1). */
export const NEXT_ACTIONS = PAYMENT_ACTS.filter((act) => act !== "close");
export const ACTORS = ["sender", "recipient", "arbiter", "anyone"] as const;

export interface NextAction {
  readonly action: (typeof NEXT_ACTIONS)[number];
  readonly by: (typeof ACTORS)[number];
  /** The time from which the program refuses it; null if it never does. */
  readonly until: Date | null;
  /** The reason why the keeper's last try to do it sent nothing; null without one. */
  readonly blockedBy: HoldReason | null;
}

/** Actions that the program allows at `now`, by its state table. A test compares it with the program in every state. */
export const nextActions = (
  payment: PaymentProgress,
  now: Date,
  hold: PayoutHold | null = null,
): readonly NextAction[] =>
  NEXT_ACTIONS.filter((action) => isPossible(payment, action, now)).map((action) => {
    const { signer, pays, until } = actNamed(action);
    const isHeld = hold !== null && signer === null && pays.includes(hold.side);
    const blockedBy = isHeld ? hold.reason : null;
    return { action, by: signer ?? "anyone", until: until?.(payment) ?? null, blockedBy };
  });

/**
 * §6.6: a payment as its last event showed it. `announced` is the JSON text of the fields that the event showed with
 * other values, and of `settleable`, which changes with time alone; null if there are none.
 */
export const showAnnounced = (payment: Payment, announced: string | null, checkoutUrl: string): Fields => ({
  ...showPayment(payment, payment.createdAt, checkoutUrl),
  ...(announced === null ? {} : parseFields(announced)),
});

/** The `announced` of {@link showAnnounced} for a payment whose last event showed `shown`; null if none is needed. */
export const announcedOf = (payment: Payment, shown: Fields, checkoutUrl: string): string | null =>
  previousAttributes(shown, showPayment(payment, payment.createdAt, checkoutUrl));

/** A payment as it was made, except that an amount may already be bound to the sender. */
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

/** §4.6.1: the response to a get of one payment. */
export const showPaymentWithActions = (
  payment: Payment,
  now: Date,
  checkoutUrl: string,
  hold: PayoutHold | null,
): Fields => ({
  ...showPayment(payment, now, checkoutUrl),
  nextActions: `[${nextActions(payment, now, hold).map(showNextAction).join(",")}]`,
});

const showNextAction = ({ action, by, until, blockedBy }: NextAction): string =>
  `{"action":"${action}","by":"${by}","until":${showTime(until)},"blockedBy":${JSON.stringify(blockedBy)}}`;

/** The receipt's address (§2.2). `checkoutUrl` is the deployment's base, without a trailing slash. */
export const receiptUrlOf = ({ id, receiptKey }: Pick<Payment, "id" | "receiptKey">, checkoutUrl: string): string =>
  `${checkoutUrl}/pay/p/${id}?key=${receiptKey}`;

const show = shower("payment", PAYMENT_MEMBERS);
/** The members that no column holds. */
export const computedOf = (payment: Progress & Pick<Payment, "lateReason">, now: Date) => ({
  late: payment.lateReason !== null,
  settleable: isSettleable(payment, now),
  resolveBy: resolveByOf(payment),
});

/** The payment with the members that no column holds. */
const shownAt = (payment: Payment, now: Date, checkoutUrl: string) =>
  [payment, { ...computedOf(payment, now), receiptUrl: receiptUrlOf(payment, checkoutUrl) }] as const;

/** §2.2. */
export const showPayment = (...shown: Parameters<typeof shownAt>): Fields => show.fields(...shownAt(...shown));
/** {@link showPayment} as JSON text. */
export const showPaymentText = (...shown: Parameters<typeof shownAt>): JsonText => show.text(...shownAt(...shown));
