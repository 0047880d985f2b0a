import { PAYMENT_ACCOUNT_SIZE, PAYMENT_OPERATOR_OFFSET, PAYMENT_SPAN_OFFSET } from "@holdfast/escrow-client";
import { getBase58Decoder } from "@solana/kit";
import {
  type ChainPayment,
  type ChainReader,
  ChainUnavailable,
  type Commitment,
  type NodeAnswer,
  type ReadOptions,
  type TransactionLookup,
} from "../port.ts";
import { readAccount, readAccounts, readPayment } from "./account.ts";
import { subscribe } from "./activity.ts";
import { NO_BLOCK_TIME, NodeFault } from "./fault.ts";
import {
  accountsPerRequest,
  accountsPerTurn,
  requestsAtOnce,
  scanBodyBytesMax,
  scanDeadlineMsMin,
  signaturesPerRequest,
  standingsPerRequest,
} from "./limits.ts";
import { getSignatureStatuses, lookUpTransaction } from "./lookup.ts";
import { mintBytesMax, readMint, recipientKind } from "./mint.ts";
import { chunksOf, inParallel, mapInTurns } from "./parallel.ts";
import { createPool, type NodeSession } from "./pool.ts";
import type { SolanaSettings } from "./settings.ts";
import { readArray, readBlockTime, readInContext, readObject, readText, readWhole } from "./shapes.ts";
import { listSignaturesOn } from "./signatures.ts";

/** Reads the operator's payments through one or more JSON-RPC nodes. */
export function createSolanaChain(settings: SolanaSettings): ChainReader {
  const { programId, operator } = settings;
  const pool = createPool(settings);
  const commitmentOf = (options: ReadOptions): Commitment => options.commitment ?? "confirmed";
  const formOf = ({ minSlot, ...options }: ReadOptions) => ({
    commitment: commitmentOf(options),
    ...(minSlot === undefined ? {} : { minContextSlot: minSlot }),
  });

  /** Many requests of one kind to one node; the answer is as old as the oldest of them. */
  async function readMany<T, R>(
    items: readonly T[],
    size: number,
    options: ReadOptions,
    read: (session: NodeSession, chunk: readonly T[]) => Promise<{ slot: number; value: readonly R[] }>,
  ): Promise<NodeAnswer<readonly R[]>> {
    const chunks = chunksOf(items, size);
    const rounds = Math.max(1, Math.ceil(chunks.length / requestsAtOnce));
    if (chunks.length === 0) return { value: [], slot: options.minSlot ?? 0, node: 0 };
    return pool.walk(options, pool.deadlineMs * rounds).ask(async (session) => {
      const answers = await inParallel(chunks, requestsAtOnce, (chunk) => read(session, chunk));
      const slot = Math.min(...answers.map((answer) => answer.slot));
      return { value: answers.flatMap(({ value }) => value), slot, node: session.node };
    });
  }

  async function findTransaction(signature: string, options: ReadOptions): Promise<NodeAnswer<TransactionLookup>> {
    const wanted = { signature, commitment: commitmentOf(options), programId, operator };
    const walk = pool.walk(options);
    let known = false;
    const lookUp = (session: NodeSession) => lookUpTransaction(session, wanted, () => (known = true));
    const first = await walk.ask(lookUp);
    if (first.value.kind !== "not_found" || walk.left === 0) return first;

    // One node's word is not enough to tell a merchant that there is no such transaction.
    const second = await walk
      .ask(lookUp)
      .catch((error: unknown) => (error instanceof ChainUnavailable ? error : Promise.reject(error)));
    if (!(second instanceof ChainUnavailable)) return second;
    if (known || first.slot < pool.trustedSlot("processed")) throw second;
    return first;
  }

  return {
    nodes: pool.nodes,
    requestCounts: pool.requestCounts,
    findTransaction,
    keepTo: pool.keepTo,

    readGenesisHash: (options) => pool.walk(options).ask((session) => session.identify()),

    readHead: (options) =>
      pool.walk(options).ask(async (session) => {
        const slot = readWhole(await session.call("getSlot", [formOf(options)]), "slot");
        session.acceptSlot(slot, commitmentOf(options));
        return { value: { blockTime: await readBlockTimeAt(session, slot) }, slot, node: session.node };
      }),

    listSignatures: ({ limit, ...cursors }, options) =>
      pool.walk(options).ask(async (session) => {
        const commitment = commitmentOf(options);
        const query = { ...cursors, limit: Math.min(limit, signaturesPerRequest) };
        const minContextSlot = Math.max(options.minSlot ?? 0, pool.trustedSlot(commitment));
        const value = await listSignaturesOn(session, operator, query, minContextSlot, commitment);
        // The answer does not say at which slot it is true: at least at the one it had to reach, and at the newest it names.
        return { value, slot: Math.max(minContextSlot, value[0]?.slot ?? 0), node: session.node };
      }),

    readSignatureStatuses: (signatures, options) =>
      readMany(signatures, standingsPerRequest, options, async (session, chunk) => {
        const answer = await getSignatureStatuses(session, chunk);
        session.acceptSlot(answer.slot, "processed");
        if (answer.value.includes(null)) session.acceptAbsence(answer.slot, "processed");
        return answer;
      }),

    readPayments: (addresses, options) =>
      readMany(addresses, accountsPerRequest, options, async (session, chunk) => {
        const result = await session.call("getMultipleAccounts", [chunk, { encoding: "base64", ...formOf(options) }]);
        const { slot, value } = readInContext(result, (accounts) => readAccounts(accounts, chunk.length));
        session.acceptSlot(slot, commitmentOf(options));
        if (value.includes(null)) session.acceptAbsence(slot, commitmentOf(options));
        return { slot, value: value.map((account, at) => readPayment(chunk[at]!, account, settings)) };
      }),

    listPayments: ({ span }, options) =>
      pool.walk(options, Math.max(scanDeadlineMsMin, pool.deadlineMs)).ask(async (session) => {
        const filters = [
          { dataSize: PAYMENT_ACCOUNT_SIZE },
          { memcmp: { offset: PAYMENT_OPERATOR_OFFSET, bytes: operator, encoding: "base58" } },
          ...(span === null
            ? []
            : [{ memcmp: { offset: PAYMENT_SPAN_OFFSET, bytes: spanBytes(span), encoding: "base58" } }]),
        ];
        const form = { encoding: "base64", withContext: true, filters, ...formOf(options) };
        const result = await session.call("getProgramAccounts", [programId, form], scanBodyBytesMax);
        const { slot, value: found } = readInContext(result, (accounts) => readArray(accounts, "accounts"));
        session.acceptSlot(slot, commitmentOf(options));
        session.acceptAbsence(slot, commitmentOf(options));
        const value = await mapInTurns(found, accountsPerTurn, readKeyed);
        return { value: value.filter((payment) => payment !== null), slot, node: session.node };
      }),

    readTerms: ({ asset, recipient }, options) =>
      pool.walk(options).ask(async (session) => {
        const form = { encoding: "base64", dataSlice: { offset: 0, length: mintBytesMax }, ...formOf(options) };
        const result = await session.call("getMultipleAccounts", [[asset, recipient], form]);
        const { slot, value } = readInContext(result, (accounts) => readAccounts(accounts, 2));
        session.acceptSlot(slot, commitmentOf(options));
        const mint = readMint(value[0]!);
        if (mint === null) session.acceptAbsence(slot, commitmentOf(options));
        return { value: { mint, recipient: recipientKind(value[1]!) }, slot, node: session.node };
      }),

    onActivity: (wake) => subscribe(settings, wake),
  };

  function readKeyed(value: unknown): ChainPayment | null {
    const { pubkey, account } = readObject(value, "account");
    const payment = readPayment(readText(pubkey, "pubkey"), readAccount(account), settings);
    return payment === "closed" ? null : payment;
  }
}

/** The upper six bytes of an i64. */
function spanBytes(span: number): string {
  const bytes = Buffer.alloc(6);
  bytes.writeIntLE(span, 0, 6);
  return getBase58Decoder().decode(bytes);
}

/** Null while the node has no time for the slot, which it may say in words or by an error. */
async function readBlockTimeAt(session: NodeSession, slot: number): Promise<Date | null> {
  const result = await session.call("getBlockTime", [slot]).catch((error: unknown) => {
    if (error instanceof NodeFault && error.code !== null && NO_BLOCK_TIME.has(error.code)) return null;
    throw error;
  });
  return readBlockTime(result, "block time");
}
