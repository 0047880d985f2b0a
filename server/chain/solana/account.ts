import {
  decodePaymentAccount,
  PAYMENT_ACCOUNT_SIZE,
  type PaymentAccount,
  type TombstoneAccount,
} from "@holdfast/escrow-client";
import type { ChainAccount, ChainPayment, ClosedPayment } from "../port.ts";
import type { NodeSession } from "./pool.ts";
import { dateOf, parseArray, parseInContext, parseInteger, parseObject, parseText, wrong } from "./shapes.ts";

/** An account as nodes send it in base64. */
export interface RawAccount {
  readonly data: Uint8Array;
  /** The bytes of its data, which may be more than were asked for. */
  readonly space: number;
  readonly owner: string;
  readonly executable: boolean;
  readonly lamports: bigint;
}

export function parseAccount(value: unknown): RawAccount | null {
  if (value === null) return null;
  const { data, owner, executable, lamports, space } = parseObject(value, "account");
  const [text, encoding] = parseArray(data, "account.data");
  if (encoding !== "base64" || typeof executable !== "boolean") throw wrong("account");
  if (typeof lamports !== "number" || !(lamports >= 0)) throw wrong("account.lamports");
  const bytes = parseBase64(parseText(text, "account.data"));
  return {
    data: bytes,
    space: space === undefined ? bytes.length : parseInteger(space, "account.space"),
    owner: parseText(owner, "account.owner"),
    executable,
    // A balance beyond the exact numbers of JSON is more than enough, whatever its last digits.
    lamports: BigInt(Math.floor(lamports)),
  };
}

interface DataSlice {
  readonly offset: number;
  readonly length: number;
}
/** For accounts whose size a side decides. */
export const NO_DATA: DataSlice = { offset: 0, length: 0 };

/** Fetches accounts in the order of their addresses, whole or a slice of each. */
export async function fetchRawAccounts(
  session: NodeSession,
  addresses: readonly string[],
  dataSlice?: DataSlice,
): Promise<{ readonly slot: number; readonly value: readonly (RawAccount | null)[] }> {
  const form = { encoding: "base64", ...(dataSlice && { dataSlice }), ...session.form };
  const result = await session.call("getMultipleAccounts", [addresses, form]);
  return parseInContext(result, (value) => {
    const accounts = parseArray(value, "accounts");
    if (accounts.length !== addresses.length) throw wrong("accounts");
    return accounts.map(parseAccount);
  });
}

/** Fetches accounts from a node near the chain's head: a payment that an old one does not show yet would be made twice. */
export async function fetchAtHead(session: NodeSession, addresses: readonly string[], dataSlice?: DataSlice) {
  const { slot, value } = await fetchRawAccounts(session, addresses, dataSlice);
  session.acceptSlot(slot);
  session.acceptAbsence(slot);
  return value;
}

/**
 * Parses the account at a payment's address; null if it is no payment of this program under this operator. A tombstone
 * names no operator: its address has to come from the database, or from an instruction that names ours.
 */
export function parsePayment(
  address: string,
  account: RawAccount | null,
  ours: { programId: string; operator: string },
): ChainAccount {
  if (account === null || account.owner !== ours.programId) return null;
  const decoded = decodePaymentAccount(account.data);
  // Only the program writes this account, and never such bytes: the node is wrong, and the payment still exists.
  if (decoded === null && account.data.length === PAYMENT_ACCOUNT_SIZE) throw wrong("payment account");
  if (decoded?.kind === "tombstone") return closedOf(address, decoded);
  if (decoded?.kind !== "payment" || decoded.operator !== ours.operator) return null;
  return paymentOf(address, decoded);
}

const timeOf = (seconds: bigint | null): Date | null => (seconds === null ? null : dateOf(seconds, "payment time"));

function closedOf(address: string, tombstone: TombstoneAccount): ClosedPayment {
  return {
    isClosed: true,
    bump: tombstone.bump,
    address,
    paymentId: tombstone.paymentId.toString(),
    status: tombstone.status,
    outcome: tombstone.outcome,
    amountReleased: tombstone.amountReleased.toString(),
    amountRefunded: tombstone.amountRefunded.toString(),
    disputedAt: timeOf(tombstone.disputedAt),
    settledAt: timeOf(tombstone.settledAt),
    refundedAt: timeOf(tombstone.refundedAt),
  };
}

function paymentOf(address: string, account: PaymentAccount): ChainPayment {
  return {
    address,
    operator: account.operator,
    sender: account.sender,
    recipient: account.recipient,
    paymentId: account.paymentId.toString(),
    amount: account.amount.toString(),
    asset: account.mint,
    tokenProgram: account.tokenProgram,
    decimals: account.decimals,
    protectionPeriod: account.period,
    status: account.status,
    outcome: account.outcome,
    refundTotal: account.refundTotal.toString(),
    amountRefunded: account.amountRefunded.toString(),
    amountReleased: account.amountReleased.toString(),
    createdAt: dateOf(account.createdAt, "payment time"),
    protectionDeadline: dateOf(account.deadline, "payment time"),
    disputedAt: timeOf(account.disputedAt),
    settledAt: timeOf(account.settledAt),
    refundedAt: timeOf(account.refundedAt),
    arbiter: account.arbiter,
    rentPayer: account.rentPayer,
    termsHash: account.termsHash,
  };
}

/** Buffer skips characters that are not base64, so the length shows whether any were skipped. */
function parseBase64(text: string): Uint8Array {
  const bytes = Buffer.from(text, "base64");
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  if (text.length % 4 !== 0 || bytes.length !== (text.length / 4) * 3 - padding) throw wrong("account.data");
  return bytes;
}
