import { type ChainTransaction, ChainUnavailable, type Commitment, isPayment } from "../../chain/port.ts";
import { failpoint } from "../../lib/failpoint.ts";
import { DatabaseUnavailable } from "../../store/database.ts";
import type { Chain } from "../chains/chain.ts";
import type { SeenPayment } from "./binding.ts";
import { type InboxRow, isSweepPaused, listUnread, markRead, postponeUnread } from "./inbox.ts";
import { type Recording, recordPayments } from "./record.ts";

export interface Sweeping extends Recording {
  readonly chain: Chain;
  /** The commitment that binds, as for confirm. */
  readonly commitment: Commitment;
  readonly log: (message: string, error?: unknown) => void;
}

/** Transactions worked off in one step, and how many are read at once. */
const BATCH_MAX = 100;
const CONCURRENCY = 8;
const READ_MS = 20_000;

/**
 * Works off what the feed put into the inbox: one transaction read each, then the accounts they touched, a hundred a
 * request. The account is the truth, so order does not matter. True when a full batch suggests there is more.
 */
export async function sweepInbox(deps: Sweeping, stopping: AbortSignal): Promise<boolean> {
  const { database, chain } = deps;
  if (await isSweepPaused(database, chain.environment)) return false;
  const unread = await listUnread(database, chain.environment, BATCH_MAX);
  if (unread.length === 0) return false;

  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const { landed, unknown } = await readTransactions(deps, unread, signal);
  const failed = await recordBatch(deps, landed, signal);
  await postponeUnread(database, chain.environment, [...unknown, ...failed]);
  return unread.length === BATCH_MAX && failed.length + unknown.length < BATCH_MAX;
}

/** Records what a batch touched; if it fails, each transaction by itself, so that one cannot hold up the others. Returns the failed. */
async function recordBatch(
  deps: Sweeping,
  landed: readonly ChainTransaction[],
  signal: AbortSignal,
): Promise<string[]> {
  const { database, chain, log } = deps;
  try {
    const touched = await readTouched(deps, landed, signal);
    failpoint("sweep.after_read");
    await recordPayments(deps, chain.environment, touched);
    failpoint("sweep.after_commit");
    await markRead(
      database,
      chain.environment,
      landed.map((transaction) => transaction.signature),
    );
    return [];
  } catch (error) {
    if (error instanceof ChainUnavailable || error instanceof DatabaseUnavailable) throw error;
    if (landed.length === 1) {
      log(`The transaction ${landed[0]!.signature} could not be recorded and is tried again later.`, error);
      return [landed[0]!.signature];
    }
    const failed: string[] = [];
    for (const transaction of landed) failed.push(...(await recordBatch(deps, [transaction], signal)));
    return failed;
  }
}

async function readTransactions({ chain, commitment }: Sweeping, unread: readonly InboxRow[], signal: AbortSignal) {
  const landed: ChainTransaction[] = [];
  const unknown: string[] = [];
  const queue = [...unread];
  const worker = async () => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      const { value } = await chain.reader.findTransaction(row.signature, { signal, commitment });
      if (value.kind === "landed") landed.push(value.transaction);
      else unknown.push(row.signature);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return { landed, unknown };
}

async function readTouched(
  { chain, commitment }: Sweeping,
  landed: readonly ChainTransaction[],
  signal: AbortSignal,
): Promise<SeenPayment[]> {
  const addresses = [...new Set(landed.flatMap((transaction) => transaction.touched))];
  if (addresses.length === 0) return [];
  const minSlot = Math.max(...landed.map((transaction) => transaction.slot));
  const { value: accounts, slot } = await chain.reader.readPayments(addresses, { signal, commitment, minSlot });
  const birth = new Map(
    landed.flatMap((transaction) => transaction.created.map((address) => [address, transaction] as const)),
  );
  // Two payments for one intent in one pass: the earlier transaction's is the primary.
  const order = new Map(
    landed
      .toSorted((a, b) => a.slot - b.slot)
      .flatMap((transaction) => transaction.touched)
      .map((address, index) => [address, index] as const)
      .reverse(),
  );
  return accounts
    .filter(isPayment)
    .map((payment): SeenPayment => {
      const transaction = birth.get(payment.address);
      return {
        payment,
        slot,
        finalized: commitment === "finalized",
        signature: transaction?.signature ?? null,
        createdSlot: transaction?.slot ?? null,
      };
    })
    .toSorted((a, b) => order.get(a.payment.address)! - order.get(b.payment.address)!);
}
