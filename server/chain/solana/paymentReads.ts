import { PAYMENT_ACCOUNT_SIZE, PAYMENT_OPERATOR_OFFSET, PAYMENT_SPAN_OFFSET } from "@holdfast/escrow-client";
import { getBase58Decoder } from "@solana/kit";
import { mismatches } from "../../domain/terms.ts";
import {
  type ChainAccount,
  type ChainPayment,
  type ChainReader,
  ChainUnavailableError,
  isPayment,
  type NodeAnswer,
  type ReadOptions,
} from "../port.ts";
import { fetchRawAccounts, parseAccount, parsePayment } from "./account.ts";
import { fetchInChunks, mapInTurns } from "./chunks.ts";
import { ACCOUNTS_PER_REQUEST, ACCOUNTS_PER_TURN, SCAN_BODY_BYTES_MAX, SCAN_DEADLINE_MS_MIN } from "./limits.ts";
import type { NodeSession, Pool } from "./pool.ts";
import type { SolanaSettings } from "./settings.ts";
import { parseArray, parseInContext, parseObject, parseText } from "./shapes.ts";

type PaymentReads = Pick<ChainReader, "needsTwoNodes" | "fetchPayments" | "fetchPaymentsInSpan">;
type Accounts = NodeAnswer<readonly ChainAccount[]>;
type FetchAccounts = (addresses: readonly string[], options: ReadOptions) => Promise<Accounts>;

/** Reads the accounts of the operator's payments. */
export function createPaymentReads(pool: Pool, settings: SolanaSettings): PaymentReads {
  const fetchAccounts: FetchAccounts = (addresses, options) =>
    fetchInChunks(pool, addresses, ACCOUNTS_PER_REQUEST, options, async (session, chunk) => {
      const { slot, value } = await fetchRawAccounts(session, chunk);
      await session.acceptReached(slot);
      session.acceptSlot(slot);
      if (value.includes(null)) session.acceptAbsence(slot);
      return { slot, value: value.map((account, at) => parsePayment(chunk[at]!, account, settings)) };
    });

  return {
    needsTwoNodes: (payment) => isLarge(payment, settings),

    fetchPayments: async (addresses, { created, toBind = false, ...options }) => {
      const first = await fetchAccounts(addresses, options);
      const lacksCreated = first.value.some((account, at) => account === null && created?.has(addresses[at]!));
      // The node is wrong about the account or about the transaction that created it.
      const answer =
        lacksCreated && pool.nodes > 1 ? await fetchAccounts(addresses, { ...options, notNode: first.node }) : first;
      return toBind ? withoutUnsure(answer, settings, fetchAccounts, options) : answer;
    },

    fetchPaymentsInSpan: (span, options) =>
      pool
        .queue(options, Math.max(SCAN_DEADLINE_MS_MIN, pool.deadlineMs))
        .ask((session) => scan(session, span, settings)),
  };
}

async function scan(session: NodeSession, span: number | null, settings: SolanaSettings) {
  const { programId, operator } = settings;
  const filters = [
    { dataSize: PAYMENT_ACCOUNT_SIZE },
    { memcmp: { offset: PAYMENT_OPERATOR_OFFSET, bytes: operator, encoding: "base58" } },
    ...(span === null ? [] : [{ memcmp: { offset: PAYMENT_SPAN_OFFSET, bytes: spanBytes(span), encoding: "base58" } }]),
  ];
  const form = { encoding: "base64", withContext: true, filters, ...session.form };
  const result = await session.call("getProgramAccounts", [programId, form], SCAN_BODY_BYTES_MAX);
  const { slot, value: found } = parseInContext(result, (accounts) => parseArray(accounts, "accounts"));
  await session.acceptReached(slot);
  session.acceptSlot(slot);
  session.acceptAbsence(slot);
  const value = await mapInTurns(found, ACCOUNTS_PER_TURN, (one) => parseKeyedPayment(one, settings));
  return { value: value.filter((payment) => payment !== null), slot, node: session.node };
}

function parseKeyedPayment(value: unknown, settings: SolanaSettings): ChainPayment | null {
  const { pubkey, account } = parseObject(value, "account");
  const payment = parsePayment(parseText(pubkey, "pubkey"), parseAccount(account), settings);
  return isPayment(payment) ? payment : null;
}

/** Removes large payments that another node does not show: one node's word is not enough for them. */
async function withoutUnsure(
  answer: Accounts,
  settings: SolanaSettings,
  fetchAccounts: FetchAccounts,
  options: ReadOptions,
): Promise<Accounts> {
  const large = answer.value.filter(isPayment).filter((payment) => isLarge(payment, settings));
  if (large.length === 0) return answer;
  const addresses = large.map(({ address }) => address);
  const second = await fetchAccounts(addresses, { ...options, notNode: answer.node }).catch((error: unknown) => {
    if (error instanceof ChainUnavailableError) return { value: [] };
    throw error;
  });
  const sure = new Set(large.filter((payment, at) => agrees(payment, second.value[at] ?? null)));
  const unsure = new Set(large.filter((payment) => !sure.has(payment)).map(({ address }) => address));
  const value = answer.value.map((account) => (account !== null && unsure.has(account.address) ? null : account));
  return { ...answer, value };
}

const isLarge = (
  { asset, amount }: Pick<ChainPayment, "asset" | "amount">,
  { secondNodeFrom }: SolanaSettings,
): boolean => {
  const from = secondNodeFrom?.get(asset) ?? secondNodeFrom?.get("*");
  return from !== undefined && BigInt(amount) >= from;
};

/** Returns true if another node has the same payment at the address, in whatever state. */
const agrees = (payment: ChainPayment, other: ChainAccount): boolean =>
  other !== null &&
  other.paymentId === payment.paymentId &&
  (!isPayment(other) ||
    (other.sender === payment.sender &&
      other.createdAt.getTime() === payment.createdAt.getTime() &&
      mismatches(payment, other).length === 0));

/** The upper six bytes of an i64. */
function spanBytes(span: number): string {
  const bytes = Buffer.alloc(6);
  bytes.writeIntLE(span, 0, 6);
  return getBase58Decoder().decode(bytes);
}
