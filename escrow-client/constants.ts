import { type Address, address } from "@solana/kit";

/** Where the local chain loads the program: base58 of sha256("holdfast escrow, local chain"). Nobody holds a key for it. The program itself uses whatever address it is invoked under. */
export const LOCAL_PROGRAM_ID = address("CJq7vnAyPBqjiGZfbLWuZR8DnK4pfARW4pXtKRw72Y3c");

export const SYSTEM_PROGRAM_ID = address("11111111111111111111111111111111");
export const TOKEN_PROGRAM_ID = address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
export const TOKEN_2022_PROGRAM_ID = address("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
export const ASSOCIATED_TOKEN_PROGRAM_ID = address("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
/** The two programs whose tokens the escrow holds. */
export const TOKEN_PROGRAM_IDS: readonly Address[] = [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID];

export const OPERATOR_ACCOUNT_SIZE = 104;
export const PAYMENT_ACCOUNT_SIZE = 216;
export const TOMBSTONE_ACCOUNT_SIZE = 16;
/** Offset of the operator's address in a payment account: with the size, the two filters that find an operator's payments. */
export const PAYMENT_OPERATOR_OFFSET = 184;
/** Offset of `created at` without its two lowest bytes: those six are the same for all payments made in one span of 65,536 seconds. */
export const PAYMENT_SPAN_OFFSET = 26;

/** The index is the number the program stores. */
export const PERIODS = ["oneHour", "oneDay", "threeDays", "sevenDays", "fourteenDays", "thirtyDays"] as const;
export type Period = (typeof PERIODS)[number];

/** In the order the program numbers them, from 1. */
export const STATUSES = ["protected", "disputed", "released", "refunded"] as const;
export type Status = (typeof STATUSES)[number];

/** Why the funds left the vault; numbered from 1, 0 while they wait. */
export const OUTCOMES = [
  "released_by_sender",
  "settled",
  "resolved",
  "refunded_by_recipient",
  "refunded_unresolved",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const PERIOD_SECONDS: Readonly<Record<Period, number>> = {
  oneHour: 3_600,
  oneDay: 86_400,
  threeDays: 259_200,
  sevenDays: 604_800,
  fourteenDays: 1_209_600,
  thirtyDays: 2_592_000,
};

/** From the dispute: how long the arbiter may resolve it, and after which anyone may refund it. */
export const ARBITRATION_SECONDS = 90 * 86_400;
/** From the payout: after which the sender may close the account for its rent. */
export const RETENTION_SECONDS = 90 * 86_400;
