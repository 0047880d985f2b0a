import {
  type Address,
  getAddressCodec,
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
  TOMBSTONE_ACCOUNT_SIZE,
} from "./constants.ts";

/** A payment as its account says it. Times are the chain's, in whole seconds since 1970. */
export interface PaymentAccount {
  readonly kind: "payment";
  readonly bump: number;
  readonly status: Status;
  readonly period: Period;
  readonly decimals: number;
  readonly outcome: Outcome | null;
  readonly paymentId: bigint;
  readonly amount: bigint;
  readonly createdAt: bigint;
  readonly deadline: bigint;
  readonly disputedAt: bigint | null;
  /** When the funds left the vault, to either side. */
  readonly resolvedAt: bigint | null;
  readonly sender: Address;
  readonly recipient: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly operator: Address;
}

export interface OperatorAccount {
  readonly kind: "operator";
  readonly bump: number;
  readonly authority: Address;
  readonly arbiter: Address;
  readonly pendingArbiter: Address | null;
}

/** The account that a closed payment leaves, so that its address is never used again. */
export interface TombstoneAccount {
  readonly kind: "tombstone";
  readonly bump: number;
  readonly paymentId: bigint;
}

const OPERATOR_TAG = 1;
const PAYMENT_TAG = 2;
const TOMBSTONE_TAG = 3;
const VERSION = 1;
/** Thirty-two zero bytes: the program's "none" for an address, and the system program's own. */
const NO_ADDRESS = SYSTEM_PROGRAM_ID;

const u8 = getU8Codec();
const u64 = getU64Codec();
const i64 = getI64Codec();
const key = getAddressCodec();

const paymentCodec = getStructCodec([
  ["tag", u8],
  ["version", u8],
  ["bump", u8],
  ["status", u8],
  ["period", u8],
  ["decimals", u8],
  ["outcome", u8],
  ["reserved", u8],
  ["paymentId", u64],
  ["amount", u64],
  ["createdAt", i64],
  ["deadline", i64],
  ["disputedAt", i64],
  ["resolvedAt", i64],
  ["sender", key],
  ["recipient", key],
  ["mint", key],
  ["tokenProgram", key],
  ["operator", key],
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
  ["pendingArbiter", key],
]);

const tombstoneCodec = getStructCodec([
  ["tag", u8],
  ["version", u8],
  ["bump", u8],
  ["reserved0", u8],
  ["reserved1", u8],
  ["reserved2", u8],
  ["reserved3", u8],
  ["reserved4", u8],
  ["paymentId", u64],
]);

const NO_RESERVED = { reserved0: 0, reserved1: 0, reserved2: 0, reserved3: 0, reserved4: 0 };

/** Reads an account of the program; null for bytes that are none of its three kinds. The caller has checked the account's owner. */
export function decodePaymentAccount(
  data: ReadonlyUint8Array,
): PaymentAccount | TombstoneAccount | OperatorAccount | null {
  if (data[1] !== VERSION) return null;
  if (data[0] === PAYMENT_TAG && data.length === PAYMENT_ACCOUNT_SIZE) return readPayment(data);
  if (data[0] === TOMBSTONE_TAG && data.length === TOMBSTONE_ACCOUNT_SIZE) {
    const { bump, paymentId } = tombstoneCodec.decode(data);
    return { kind: "tombstone", bump, paymentId };
  }
  if (data[0] === OPERATOR_TAG && data.length === OPERATOR_ACCOUNT_SIZE) {
    const { bump, authority, arbiter, pendingArbiter } = operatorCodec.decode(data);
    const pending = pendingArbiter === NO_ADDRESS ? null : pendingArbiter;
    return { kind: "operator", bump, authority, arbiter, pendingArbiter: pending };
  }
  return null;
}

function readPayment(data: ReadonlyUint8Array): PaymentAccount | null {
  const { tag: _tag, version: _version, reserved: _reserved, ...raw } = paymentCodec.decode(data);
  const status = STATUSES[raw.status - 1];
  const period = PERIODS[raw.period];
  const outcome = raw.outcome === 0 ? null : OUTCOMES[raw.outcome - 1];
  if (status === undefined || period === undefined || outcome === undefined) return null;
  return {
    kind: "payment",
    ...raw,
    status,
    period,
    outcome,
    disputedAt: raw.disputedAt === 0n ? null : raw.disputedAt,
    resolvedAt: raw.resolvedAt === 0n ? null : raw.resolvedAt,
  };
}

/** The bytes the program would store; for tests and tools, which plant accounts. */
export function encodePaymentAccount(account: PaymentAccount | TombstoneAccount | OperatorAccount): ReadonlyUint8Array {
  if (account.kind === "tombstone") {
    return tombstoneCodec.encode({ ...account, ...NO_RESERVED, tag: TOMBSTONE_TAG, version: VERSION });
  }
  if (account.kind === "operator") {
    const pendingArbiter = account.pendingArbiter ?? NO_ADDRESS;
    return operatorCodec.encode({ ...account, ...NO_RESERVED, tag: OPERATOR_TAG, version: VERSION, pendingArbiter });
  }
  return paymentCodec.encode({
    ...account,
    tag: PAYMENT_TAG,
    version: VERSION,
    reserved: 0,
    status: STATUSES.indexOf(account.status) + 1,
    period: PERIODS.indexOf(account.period),
    outcome: account.outcome === null ? 0 : OUTCOMES.indexOf(account.outcome) + 1,
    disputedAt: account.disputedAt ?? 0n,
    resolvedAt: account.resolvedAt ?? 0n,
  });
}
