import { PAYMENT_ACCOUNT_SIZE, PAYMENT_OPERATOR_OFFSET, PAYMENT_SPAN_OFFSET } from "@holdfast/escrow-client";
import { getBase58Decoder } from "@solana/kit";
import { mismatches } from "../../domain/terms.ts";
import {
  type ChainAccount,
  type ChainPayment,
  type ChainReader,
  ChainUnavailableError,
  type Commitment,
  isPayment,
  type NodeAnswer,
  type PaymentReadOptions,
  type ReadOptions,
  type TransactionLookup,
} from "../port.ts";
import { parseAccount, parseAccounts, parsePayment } from "./account.ts";
import { subscribe } from "./activity.ts";
import { fetchInChunks, mapInTurns } from "./chunks.ts";
import { fetchDeploymentFrom, fetchProgramHashFrom } from "./deployment.ts";
import { fetchTransactionFrom } from "./fetchTransaction.ts";
import {
  ACCOUNTS_PER_REQUEST,
  ACCOUNTS_PER_TURN,
  SCAN_BODY_BYTES_MAX,
  SCAN_DEADLINE_MS_MIN,
  SIGNATURES_PER_REQUEST,
  STATUSES_PER_REQUEST,
} from "./limits.ts";
import { MINT_BYTES_MAX, parseMint, recipientKind } from "./mint.ts";
import { NO_BLOCK_TIME, NodeError } from "./nodeError.ts";
import { createPool, type NodeSession } from "./pool.ts";
import type { SolanaSettings } from "./settings.ts";
import { parseArray, parseBlockTime, parseInContext, parseInteger, parseObject, parseText } from "./shapes.ts";
import { getSignatureStatuses, getSignaturesForAddress, refusesMinContextSlot } from "./signatures.ts";

/** Reads the operator's payments through one or more JSON-RPC nodes. */
export function createSolanaChain(settings: SolanaSettings): ChainReader {
  const { programId, operator } = settings;
  const pool = createPool(settings);
  const keepsTo = new Map<number, boolean>();
  const commitmentOf = (options: ReadOptions): Commitment => options.commitment ?? "confirmed";
  const formOf = ({ minSlot, ...options }: ReadOptions) => ({
    commitment: commitmentOf(options),
    ...(minSlot === undefined ? {} : { minContextSlot: minSlot }),
  });

  async function fetchTransaction(signature: string, options: ReadOptions): Promise<NodeAnswer<TransactionLookup>> {
    const wanted = { signature, commitment: commitmentOf(options), programId, operator };
    const queue = pool.queue(options);
    let known = false;
    const lookUp = (session: NodeSession) => fetchTransactionFrom(session, wanted, () => (known = true));
    const first = await queue.ask(lookUp);
    if (first.value.kind !== "not_found" || queue.left === 0) return first;

    // One node's word is not enough to say to a merchant that there is no such transaction.
    const second = await queue
      .ask(lookUp)
      .catch((error: unknown) => (error instanceof ChainUnavailableError ? error : Promise.reject(error)));
    if (!(second instanceof ChainUnavailableError)) return second;
    if (known || first.slot < pool.trustedSlot("processed")) throw second;
    return first;
  }

  const fetchAccounts = (addresses: readonly string[], options: ReadOptions) =>
    fetchInChunks(pool, addresses, ACCOUNTS_PER_REQUEST, options, async (session, chunk) => {
      const result = await session.call("getMultipleAccounts", [chunk, { encoding: "base64", ...formOf(options) }]);
      const { slot, value } = parseInContext(result, (accounts) => parseAccounts(accounts, chunk.length));
      await session.acceptReached(slot);
      session.acceptSlot(slot, commitmentOf(options));
      if (value.includes(null)) session.acceptAbsence(slot, commitmentOf(options));
      return { slot, value: value.map((account, at) => parsePayment(chunk[at]!, account, settings)) };
    });

  async function fetchPayments(
    addresses: readonly string[],
    { created, toBind = false, ...options }: PaymentReadOptions,
  ): Promise<NodeAnswer<readonly ChainAccount[]>> {
    const first = await fetchAccounts(addresses, options);
    const lacksCreated = first.value.some((account, at) => account === null && created?.has(addresses[at]!));
    // The node is wrong about the account or the transaction that made it.
    const answer =
      lacksCreated && pool.nodes > 1 ? await fetchAccounts(addresses, { ...options, notNode: first.node }) : first;
    return toBind ? withoutUnsure(answer, options) : answer;
  }

  /** Large payments that another node does not show too are taken out: one node's word is not enough for them. */
  async function withoutUnsure(
    answer: NodeAnswer<readonly ChainAccount[]>,
    options: ReadOptions,
  ): Promise<NodeAnswer<readonly ChainAccount[]>> {
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

  return {
    nodes: pool.nodes,
    requestCounts: pool.requestCounts,
    fetchTransaction,
    fetchPayments,
    keepTo: pool.keepTo,

    fetchGenesisHash: (options) => pool.queue(options).ask((session) => session.identify()),

    fetchDeployment: (options) =>
      pool.queue(options).ask(async (session) => {
        const form = formOf(options);
        return { ...(await fetchDeploymentFrom(session, settings, form)), node: session.node };
      }),

    fetchProgramHash: (options) =>
      pool.queue(options).ask(async (session) => {
        const form = formOf(options);
        return { ...(await fetchProgramHashFrom(session, programId, form)), node: session.node };
      }),

    fetchHead: (options) =>
      pool.queue(options).ask(async (session) => {
        const slot = parseInteger(await session.call("getSlot", [formOf(options)]), "slot");
        await session.acceptReached(slot);
        session.acceptSlot(slot, commitmentOf(options));
        return { value: { blockTime: await fetchBlockTime(session, slot) }, slot, node: session.node };
      }),

    fetchSignatures: ({ limit, ...cursors }, options) =>
      pool.queue(options).ask(async (session) => {
        const commitment = commitmentOf(options);
        const query = { ...cursors, limit: Math.min(limit, SIGNATURES_PER_REQUEST) };
        const minContextSlot = Math.max(options.minSlot ?? 0, pool.trustedSlot(commitment));
        const keepsToSlot = await keepsToMinSlot(session);
        const value = await getSignaturesForAddress(session, operator, query, minContextSlot, commitment);
        await session.acceptReached(value[0]?.slot ?? 0);
        // The answer does not say at which slot it is true: at the newest it names, and at the one it had to reach.
        const reached = keepsToSlot ? minContextSlot : 0;
        return { value, slot: Math.max(reached, value[0]?.slot ?? 0), node: session.node };
      }),

    fetchSignatureStatuses: (signatures, options) =>
      fetchInChunks(pool, signatures, STATUSES_PER_REQUEST, options, async (session, chunk) => {
        const answer = await getSignatureStatuses(session, chunk);
        session.acceptSlot(answer.slot, "processed");
        if (answer.value.includes(null)) session.acceptAbsence(answer.slot, "processed");
        return answer;
      }),

    fetchPaymentsInSpan: (span, options) =>
      pool.queue(options, Math.max(SCAN_DEADLINE_MS_MIN, pool.deadlineMs)).ask(async (session) => {
        const filters = [
          { dataSize: PAYMENT_ACCOUNT_SIZE },
          { memcmp: { offset: PAYMENT_OPERATOR_OFFSET, bytes: operator, encoding: "base58" } },
          ...(span === null
            ? []
            : [{ memcmp: { offset: PAYMENT_SPAN_OFFSET, bytes: spanBytes(span), encoding: "base58" } }]),
        ];
        const form = { encoding: "base64", withContext: true, filters, ...formOf(options) };
        const result = await session.call("getProgramAccounts", [programId, form], SCAN_BODY_BYTES_MAX);
        const { slot, value: found } = parseInContext(result, (accounts) => parseArray(accounts, "accounts"));
        await session.acceptReached(slot);
        session.acceptSlot(slot, commitmentOf(options));
        session.acceptAbsence(slot, commitmentOf(options));
        const value = await mapInTurns(found, ACCOUNTS_PER_TURN, parseKeyedPayment);
        return { value: value.filter((payment) => payment !== null), slot, node: session.node };
      }),

    fetchMints: (addresses, options) =>
      fetchInChunks(pool, addresses, ACCOUNTS_PER_REQUEST, options, async (session, chunk) => {
        const form = { encoding: "base64", dataSlice: { offset: 0, length: MINT_BYTES_MAX }, ...formOf(options) };
        const result = await session.call("getMultipleAccounts", [chunk, form]);
        const { slot, value } = parseInContext(result, (accounts) => parseAccounts(accounts, chunk.length));
        session.acceptSlot(slot, commitmentOf(options));
        // A node that is behind would show a mint as it was.
        session.acceptAbsence(slot, commitmentOf(options));
        return { slot, value: value.map(parseMint) };
      }),

    fetchTerms: ({ asset, recipient }, options) =>
      pool.queue(options).ask(async (session) => {
        const form = { encoding: "base64", dataSlice: { offset: 0, length: MINT_BYTES_MAX }, ...formOf(options) };
        const result = await session.call("getMultipleAccounts", [[asset, recipient], form]);
        const { slot, value } = parseInContext(result, (accounts) => parseAccounts(accounts, 2));
        session.acceptSlot(slot, commitmentOf(options));
        const mint = parseMint(value[0]!);
        if (mint === null) session.acceptAbsence(slot, commitmentOf(options));
        return { value: { mint, recipient: recipientKind(recipient, value[1]!, programId) }, slot, node: session.node };
      }),

    fetchRecipient: (address, options) =>
      pool.queue(options).ask(async (session) => {
        const form = { encoding: "base64", dataSlice: { offset: 0, length: 0 }, ...formOf(options) };
        const result = await session.call("getMultipleAccounts", [[address], form]);
        const { slot, value } = parseInContext(result, (accounts) => parseAccounts(accounts, 1));
        session.acceptSlot(slot, commitmentOf(options));
        const account = value[0]!;
        if (account === null) session.acceptAbsence(slot, commitmentOf(options));
        const found = { kind: recipientKind(address, account, programId), owner: account?.owner ?? null };
        return { value: found, slot, node: session.node };
      }),

    onActivity: (wake) => subscribe(settings, wake),
  };

  /** Whether a node refuses a `minContextSlot` that it has not reached. One that ignores it may lag, and nothing of a list shows that. */
  async function keepsToMinSlot(session: NodeSession): Promise<boolean> {
    const known = keepsTo.get(session.node);
    if (known !== undefined) return known;
    const keeps = await refusesMinContextSlot(session, operator);
    keepsTo.set(session.node, keeps);
    if (!keeps)
      settings.log(
        `Node ${session.node} ignores minContextSlot: its lists are read, and intents expire by another node's alone.`,
      );
    return keeps;
  }

  function parseKeyedPayment(value: unknown): ChainPayment | null {
    const { pubkey, account } = parseObject(value, "account");
    const payment = parsePayment(parseText(pubkey, "pubkey"), parseAccount(account), settings);
    return isPayment(payment) ? payment : null;
  }
}

const isLarge = ({ asset, amount }: ChainPayment, { secondNodeFrom }: SolanaSettings): boolean => {
  const from = secondNodeFrom?.get(asset) ?? secondNodeFrom?.get("*");
  return from !== undefined && BigInt(amount) >= from;
};

/** Whether another node has the same payment at the address, whatever has become of it there. */
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

/** Null while the node has no time for the slot, which it may say in words or by an error. */
async function fetchBlockTime(session: NodeSession, slot: number): Promise<Date | null> {
  const result = await session.call("getBlockTime", [slot]).catch((error: unknown) => {
    if (error instanceof NodeError && error.code !== null && NO_BLOCK_TIME.has(error.code)) return null;
    throw error;
  });
  return parseBlockTime(result, "block time");
}
