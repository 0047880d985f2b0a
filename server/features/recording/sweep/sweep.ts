import { type ChainTransaction, ChainUnavailableError, type Commitment, isPayment } from "../../../chain/port.ts";
import { failpoint } from "../../../lib/failpoint.ts";
import { DatabaseUnavailable } from "../../../store/unavailable.ts";
import type { Chain } from "../../chains/chain.ts";
import { draftObserved, type ObservedPayment } from "../decide/decision.ts";
import { type Recording, recordPayments } from "../decide/record.ts";
import { forgetUnknown, type InboxRow, isSweepPaused, listUnread, markRead, postponeUnread } from "./inbox.ts";

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
/** After so many reads in a row that no node answered it is the chain that is away, not a transaction that is odd. */
const UNANSWERED_MAX = 8;
/** Looks for a transaction that no node knows, before it may be forgotten. */
const FORGET_ATTEMPTS = 10;

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
  const { landed, unknown, unanswered } = await readTransactions(deps, unread, signal);
  const failed = await recordBatch(deps, landed, signal);
  const later = [...unknown, ...unanswered, ...failed];
  await postponeUnread(database, chain.environment, later);
  await forgetDead(deps, unread, unknown, signal);
  return unread.length === BATCH_MAX && later.length < BATCH_MAX;
}

/**
 * Listed and yet known to no node, again and again: a node that lags, or a fork that died. Until its line goes it holds
 * the watermark, by which intents expire.
 */
async function forgetDead(
  { database, chain }: Sweeping,
  unread: readonly InboxRow[],
  unknown: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const dead = unread.filter(({ signature, attempts }) => attempts >= FORGET_ATTEMPTS && unknown.includes(signature));
  if (dead.length === 0) return;
  const { slot } = await chain.reader.fetchHead({ signal, commitment: "finalized" });
  await forgetUnknown(
    database,
    chain.environment,
    dead.map(({ signature }) => signature),
    slot,
  );
}

/**
 * Records what a batch touched; if it fails, each transaction by itself, so that one cannot hold up the others. Returns
 * the failed, and those whose new account the nodes do not show yet, or the books have as another payment's.
 */
async function recordBatch(
  deps: Sweeping,
  landed: readonly ChainTransaction[],
  signal: AbortSignal,
): Promise<string[]> {
  const { database, chain, log } = deps;
  try {
    const { observed, unobserved } = await readTouched(deps, landed, signal);
    failpoint("sweep.after_read");
    const undecided = await recordPayments(deps, chain.environment, observed);
    failpoint("sweep.after_commit");
    const incomplete = ({ created }: ChainTransaction) =>
      created.some((address) => unobserved.has(address) || undecided.has(address));
    const [later, done] = [landed.filter(incomplete), landed.filter((transaction) => !incomplete(transaction))];
    await markRead(
      database,
      chain.environment,
      done.map((transaction) => transaction.signature),
    );
    return later.map((transaction) => transaction.signature);
  } catch (error) {
    if (error instanceof ChainUnavailableError || error instanceof DatabaseUnavailable) throw error;
    if (landed.length === 1) {
      log(`The transaction ${landed[0]!.signature} could not be recorded and is tried again later.`, error);
      return [landed[0]!.signature];
    }
    const failed: string[] = [];
    for (const transaction of landed) failed.push(...(await recordBatch(deps, [transaction], signal)));
    return failed;
  }
}

/** One that no node can give waits behind the others, so that it cannot hold them up. Throws when the chain is away. */
async function readTransactions({ chain, commitment }: Sweeping, unread: readonly InboxRow[], signal: AbortSignal) {
  const landed: ChainTransaction[] = [];
  const unknown: string[] = [];
  const unanswered: string[] = [];
  const queue = [...unread];
  let inARow = 0;
  let away: ChainUnavailableError | null = null;
  const read = async (signature: string) => {
    try {
      const { value } = await chain.reader.fetchTransaction(signature, { signal, commitment });
      inARow = 0;
      if (value.kind === "landed") landed.push(value.transaction);
      else unknown.push(signature);
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      unanswered.push(signature);
      inARow++;
      away = error;
    }
  };
  const worker = async () => {
    for (let row = queue.shift(); row !== undefined && inARow < UNANSWERED_MAX; row = queue.shift())
      await read(row.signature);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  if (away !== null && (landed.length + unknown.length === 0 || inARow >= UNANSWERED_MAX)) throw away;
  return { landed, unknown, unanswered };
}

async function readTouched(
  { chain, commitment }: Sweeping,
  landed: readonly ChainTransaction[],
  signal: AbortSignal,
): Promise<{ observed: ObservedPayment[]; unobserved: ReadonlySet<string> }> {
  const addresses = [...new Set(landed.flatMap((transaction) => transaction.touched))];
  if (addresses.length === 0) return { observed: [], unobserved: new Set() };
  const minSlot = Math.max(...landed.map((transaction) => transaction.slot));
  const creation = new Map(
    landed.flatMap((transaction) => transaction.created.map((address) => [address, transaction] as const)),
  );
  const options = { signal, commitment, minSlot, created: new Set(creation.keys()) };
  const { value: accounts, slot } = await chain.reader.fetchPayments(addresses, options);
  // Two payments for one intent in one pass: the earlier transaction's is the primary.
  const order = new Map(
    landed
      .toSorted((a, b) => a.slot - b.slot)
      .flatMap((transaction) => transaction.touched)
      .map((address, index) => [address, index] as const)
      .reverse(),
  );
  // No node showed it this time: another look will tell.
  const unobserved = new Set(addresses.filter((address, index) => accounts[index] === null && creation.has(address)));
  const observed = accounts
    .filter(isPayment)
    .map((payment): ObservedPayment => {
      const transaction = creation.get(payment.address);
      return {
        ...draftObserved(payment, slot, commitment),
        signature: transaction?.signature ?? null,
        createdSlot: transaction?.slot ?? null,
      };
    })
    .toSorted((a, b) => order.get(a.payment.address)! - order.get(b.payment.address)!);
  return { observed, unobserved };
}
