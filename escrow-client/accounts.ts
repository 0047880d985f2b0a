import {
  type Address,
  fixCodecSize,
  getAddressCodec,
  getBase16Codec,
  getI64Codec,
  getStructCodec,
  getU8Codec,
  getU64Codec,
  type ReadonlyUint8Array,
} from "@solana/kit";
import {
  OPERATOR_ACCOUNT_SIZE,
  OUTCOMES,
  type Outcome,
  PAYMENT_ACCOUNT_SIZE,
  PERIODS,
  type Period,
  STATUSES,
  type Status,
  SYSTEM_PROGRAM_ID,
  TOKEN_PROGRAM_IDS,
  TOMBSTONE_ACCOUNT_SIZE,
} from "./constants.ts";

/** A payment's account. Times are the chain's, in whole seconds since 1970. */
export interface PaymentAccount {
  readonly kind: "payment";
  readonly bump: number;
  /** `released` or `refunded` only once the last part has left. Check the outcome for a decision before that. */
  readonly status: Status;
  readonly period: Period;
  readonly decimals: number;
  /** The decision; set as soon as it is made, also before the last part has left. */
  readonly outcome: Outcome | null;
  readonly tokenProgram: Address;
  readonly paymentId: bigint;
  readonly amount: bigint;
  /** The sender's total in the end, as bound so far. */
  readonly refundTotal: bigint;
  /** The amount that has left the vault to the sender. */
  readonly amountRefunded: bigint;
  /** The amount that has left the vault to the recipient. */
  readonly amountReleased: bigint;
  readonly createdAt: bigint;
  readonly deadline: bigint;
  readonly disputedAt: bigint | null;
  /** The time when the recipient's part left the vault. */
  readonly settledAt: bigint | null;
  /** The time when the sender's last part left the vault. */
  readonly refundedAt: bigint | null;
  readonly sender: Address;
  readonly recipient: Address;
  readonly mint: Address;
  readonly operator: Address;
  /** Decides a dispute of this payment, for good. */
  readonly arbiter: Address;
  /** Paid for the account and the vault; gets both rents back. */
  readonly rentPayer: Address;
  /** SHA-256 of the terms text, in 64 hex digits; null if the payment names none. */
  readonly termsHash: string | null;
}

export interface OperatorAccount {
  readonly kind: "operator";
  readonly bump: number;
  readonly authority: Address;
  /** The arbiter of payments made from now on. */
  readonly arbiter: Address;
  readonly pendingAuthority: Address | null;
  readonly pendingArbiter: Address | null;
}

/** The account that a closed payment leaves, so that its address is never used again. */
export interface TombstoneAccount {
  readonly kind: "tombstone";
  readonly bump: number;
  readonly status: Status;
  readonly outcome: Outcome;
  readonly paymentId: bigint;
  readonly amountReleased: bigint;
  readonly amountRefunded: bigint;
  readonly disputedAt: bigint | null;
  readonly settledAt: bigint | null;
  readonly refundedAt: bigint | null;
}

const OPERATOR_TAG = 1;
const PAYMENT_TAG = 2;
const TOMBSTONE_TAG = 3;
const VERSION = 2;
/** Thirty-two zero bytes. The program writes them for "no address"; they are also the system program's own address. */
const NO_ADDRESS = SYSTEM_PROGRAM_ID;
const HASH_SIZE = 32;
const NO_HASH = "00".repeat(HASH_SIZE);

const u8 = getU8Codec();
const u64 = getU64Codec();
const i64 = getI64Codec();
const key = getAddressCodec();
const hash = fixCodecSize(getBase16Codec(), HASH_SIZE);

const paymentCodec = getStructCodec([
  ["tag", u8],
  ["version", u8],
  ["bump", u8],
  ["status", u8],
  ["period", u8],
  ["decimals", u8],
  ["outcome", u8],
  ["tokenProgram", u8],
  ["paymentId", u64],
  ["amount", u64],
  ["refundTotal", u64],
  ["amountRefunded", u64],
  ["amountReleased", u64],
  ["createdAt", i64],
  ["deadline", i64],
  ["disputedAt", i64],
  ["settledAt", i64],
  ["refundedAt", i64],
  ["sender", key],
  ["recipient", key],
  ["mint", key],
  ["operator", key],
  ["arbiter", key],
  ["rentPayer", key],
  ["termsHash", hash],
]);

const operatorCodec = getStructCodec([
  ["tag", u8],
  ["version", u8],
  ["bump", u8],
  ["reserved0", u8],
  ["reserved1", u8],
  ["reserved2", u8],
  ["reserved3", u8],
  ["reserved4", u8],
  ["authority", key],
  ["arbiter", key],
  ["pendingAuthority", key],
  ["pendingArbiter", key],
]);

const tombstoneCodec = getStructCodec([
  ["tag", u8],
  ["version", u8],
  ["bump", u8],
  ["status", u8],
  ["outcome", u8],
  ["reserved0", u8],
  ["reserved1", u8],
  ["reserved2", u8],
  ["paymentId", u64],
  ["amountReleased", u64],
  ["amountRefunded", u64],
  ["disputedAt", i64],
  ["settledAt", i64],
  ["refundedAt", i64],
]);

const NO_RESERVED = { reserved0: 0, reserved1: 0, reserved2: 0, reserved3: 0, reserved4: 0 };

/**
 * Reads an account of the program; null for bytes that are not one of its three kinds. The caller has checked the account's
 * owner.
 */
export function decodePaymentAccount(
  data: ReadonlyUint8Array,
): PaymentAccount | TombstoneAccount | OperatorAccount | null {
  if (data[1] !== VERSION) return null;
  if (data[0] === PAYMENT_TAG && data.length === PAYMENT_ACCOUNT_SIZE) return readPayment(data);
  if (data[0] === TOMBSTONE_TAG && data.length === TOMBSTONE_ACCOUNT_SIZE) return readTombstone(data);
  if (data[0] === OPERATOR_TAG && data.length === OPERATOR_ACCOUNT_SIZE) {
    const { bump, authority, arbiter, pendingAuthority, pendingArbiter } = operatorCodec.decode(data);
    return {
      kind: "operator",
      bump,
      authority,
      arbiter,
      pendingAuthority: pendingAuthority === NO_ADDRESS ? null : pendingAuthority,
      pendingArbiter: pendingArbiter === NO_ADDRESS ? null : pendingArbiter,
    };
  }
  return null;
}

const readTime = (time: bigint): bigint | null => (time === 0n ? null : time);

function readPayment(data: ReadonlyUint8Array): PaymentAccount | null {
  const { tag: _tag, version: _version, ...raw } = paymentCodec.decode(data);
  const status = STATUSES[raw.status - 1];
  const period = PERIODS[raw.period];
  const outcome = raw.outcome === 0 ? null : OUTCOMES[raw.outcome - 1];
  const tokenProgram = TOKEN_PROGRAM_IDS[raw.tokenProgram - 1];
  if (status === undefined || period === undefined || outcome === undefined || tokenProgram === undefined) return null;
  return {
    kind: "payment",
    ...raw,
    status,
    period,
    outcome,
    tokenProgram,
    disputedAt: readTime(raw.disputedAt),
    settledAt: readTime(raw.settledAt),
    refundedAt: readTime(raw.refundedAt),
    termsHash: raw.termsHash === NO_HASH ? null : raw.termsHash,
  };
}

function readTombstone(data: ReadonlyUint8Array): TombstoneAccount | null {
  const raw = tombstoneCodec.decode(data);
  const status = STATUSES[raw.status - 1];
  const outcome = OUTCOMES[raw.outcome - 1];
  if (status === undefined || outcome === undefined) return null;
  return {
    kind: "tombstone",
    bump: raw.bump,
    status,
    outcome,
    paymentId: raw.paymentId,
    amountReleased: raw.amountReleased,
    amountRefunded: raw.amountRefunded,
    disputedAt: readTime(raw.disputedAt),
    settledAt: readTime(raw.settledAt),
    refundedAt: readTime(raw.refundedAt),
  };
}

/** The bytes the program would store; for tests and tools, which plant accounts. */
export function encodePaymentAccount(account: PaymentAccount | TombstoneAccount | OperatorAccount): ReadonlyUint8Array {
  if (account.kind === "operator") {
    return operatorCodec.encode({
      ...account,
      ...NO_RESERVED,
      tag: OPERATOR_TAG,
      version: VERSION,
      pendingAuthority: account.pendingAuthority ?? NO_ADDRESS,
      pendingArbiter: account.pendingArbiter ?? NO_ADDRESS,
    });
  }
  const times = {
    disputedAt: account.disputedAt ?? 0n,
    settledAt: account.settledAt ?? 0n,
    refundedAt: account.refundedAt ?? 0n,
  };
  const status = STATUSES.indexOf(account.status) + 1;
  const outcome = account.outcome === null ? 0 : OUTCOMES.indexOf(account.outcome) + 1;
  if (account.kind === "tombstone") {
    const fixed = { ...NO_RESERVED, tag: TOMBSTONE_TAG, version: VERSION };
    return tombstoneCodec.encode({ ...account, ...times, ...fixed, status, outcome });
  }
  return paymentCodec.encode({
    ...account,
    ...times,
    tag: PAYMENT_TAG,
    version: VERSION,
    status,
    outcome,
    period: PERIODS.indexOf(account.period),
    tokenProgram: TOKEN_PROGRAM_IDS.indexOf(account.tokenProgram) + 1,
    termsHash: account.termsHash ?? NO_HASH,
  });
}
