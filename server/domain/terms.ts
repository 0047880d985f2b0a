/** The six protection periods of a payment, in the document's order (§2.1); the index is the number the program stores. */
export const PROTECTION_PERIODS = [
  "oneHour",
  "oneDay",
  "threeDays",
  "sevenDays",
  "fourteenDays",
  "thirtyDays",
] as const;
export type ProtectionPeriod = (typeof PROTECTION_PERIODS)[number];

/** The length of each period in seconds. */
export const PROTECTION_SECONDS: Readonly<Record<ProtectionPeriod, number>> = {
  oneHour: 3_600,
  oneDay: 86_400,
  threeDays: 259_200,
  sevenDays: 604_800,
  fourteenDays: 1_209_600,
  thirtyDays: 2_592_000,
};

export const ENVIRONMENTS = ["test", "live"] as const;
/** `test` or `live`: each has its own chain, and its own keys, intents, payments and events (§10.1). */
export type Environment = (typeof ENVIRONMENTS)[number];

/** §3.1. `expired` is stored once its event is recorded, and shown from the first millisecond past `expiresAt`. */
export const INTENT_STATUSES = ["requires_payment", "paid", "expired", "canceled"] as const;
export type IntentStatus = (typeof INTENT_STATUSES)[number];

/** The status of a payment on chain (§2.2), in the order in which the program numbers them from 1. */
export const PAYMENT_STATUSES = ["protected", "disputed", "released", "refunded"] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The ways in which a payment is decided (§2.2), in the order the program numbers them from 1. */
export const PAYMENT_OUTCOMES = [
  "released_by_sender",
  "settled",
  "resolved",
  "refunded_by_recipient",
  "refunded_unresolved",
] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

/** The terms on which a payment must agree with its intent before it may be bound (§4.5.3), in the order they are named. */
export const TERMS = ["recipient", "amount", "asset", "protectionPeriod"] as const;
export type Term = (typeof TERMS)[number];

export interface Terms {
  /** Base58 wallet address. */
  readonly recipient: string;
  /** Digits, in the asset's smallest unit. */
  readonly amount: string;
  /** Base58 mint address. */
  readonly asset: string;
  readonly protectionPeriod: ProtectionPeriod;
}

/** Lists the terms on which the chain disagrees with the intent (§4.5.3); empty if it may be bound. */
export function mismatches(wanted: Terms, observed: Terms): Term[] {
  return TERMS.filter((term) => wanted[term] !== observed[term]);
}
