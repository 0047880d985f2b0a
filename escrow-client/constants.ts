import { type Address, address } from "@solana/kit";

/**
 * The address of the program on the local chain: base58 of sha256("holdfast escrow, local chain"). Nobody holds a key for
 * it. The program itself works at any address.
 */
export const LOCAL_PROGRAM_ID = address("CJq7vnAyPBqjiGZfbLWuZR8DnK4pfARW4pXtKRw72Y3c");

export const SYSTEM_PROGRAM_ID = address("11111111111111111111111111111111");
export const TOKEN_PROGRAM_ID = address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
export const TOKEN_2022_PROGRAM_ID = address("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
export const ASSOCIATED_TOKEN_PROGRAM_ID = address("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
/** Wrapped SOL, of SPL Token and of Token-2022. */
export const NATIVE_MINTS: readonly Address[] = [
  address("So11111111111111111111111111111111111111112"),
  address("9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP"),
];
/** The two programs whose tokens the escrow holds, in the order the program numbers them, from 1. */
export const TOKEN_PROGRAM_IDS: readonly Address[] = [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID];

/** The loader of programs that can be replaced. */
export const UPGRADEABLE_LOADER_ID = address("BPFLoaderUpgradeab1e11111111111111111111111");
/** Its program data begin with a kind, the slot, whether there is an authority, and the authority; the file follows. */
export const PROGRAM_DATA_HEAD_SIZE = 45;

export const OPERATOR_ACCOUNT_SIZE = 136;
export const PAYMENT_ACCOUNT_SIZE = 312;
export const TOMBSTONE_ACCOUNT_SIZE = 56;
/** Offset of the operator's address in a payment account: with the size, the two filters that find an operator's payments. */
export const PAYMENT_OPERATOR_OFFSET = 184;
/** Offset of `created at` without its two lowest bytes: those six are the same for all payments made in one span of 65,536 seconds. */
export const PAYMENT_SPAN_OFFSET = 50;

/** The index is the number the program stores. */
export const PERIODS = ["oneHour", "oneDay", "threeDays", "sevenDays", "fourteenDays", "thirtyDays"] as const;
export type Period = (typeof PERIODS)[number];

/** Statuses in the order in which the program numbers them, from 1. */
export const STATUSES = ["protected", "disputed", "released", "refunded"] as const;
export type Status = (typeof STATUSES)[number];

/** The decisions about a payment's funds; numbered from 1, and 0 while it is open. */
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

/** The seconds from a dispute during which the arbiter may resolve it; after them anyone may have it refunded. */
export const ARBITRATION_SECONDS = 90 * 86_400;
/** The seconds from the last part after which the account may be closed for its rent. */
export const RETENTION_SECONDS = 90 * 86_400;
/** Token-2022 passes at most this many accounts on to a transfer hook. */
export const HOOK_ACCOUNTS_MAX = 16;
