import { fetchOrLeave, isAnswered } from "../../../chain/fetchOrLeave.ts";
import {
  type ChainPayment,
  type ChainTransaction,
  ChainUnavailableError,
  type ClosedPayment,
} from "../../../chain/port.ts";
import type { ChainContext } from "../../context.ts";
import { draftObserved, type Observed } from "../decide/state.ts";

/** Transactions that one step reads in parallel. */
const CONCURRENCY = 16;
/** After this many unanswered reads in a row, the step asks whether any node answers. */
const UNANSWERED_MAX = 8;

/** `slot` is the slot in which it was listed; null if it was not listed. */
export interface Wanted {
  readonly signature: string;
  readonly slot: number | null;
}

/** A transaction as a node showed it, and the slot in which it was listed. After a fork the two slots may differ for a while. */
export interface LandedTransaction extends ChainTransaction {
  readonly listedSlot: number;
}

/**
 * Reads transactions. `unanswered` are those that no node returns although nodes answer otherwise, with the error, so
 * that they delay no others. `unread` are those of which nothing is known: the time ran out, or the chain is down, as
 * `outage` then says.
 */
export async function fetchTransactions({ chain }: ChainContext, rows: readonly Wanted[], signal: AbortSignal) {
  const { bindCommitment: commitment } = chain.reader;
  const landed: LandedTransaction[] = [];
  const unknown: string[] = [];
  const unanswered = new Map<string, ChainUnavailableError>();
  const unread: string[] = [];
  const queue = [...rows];
  let unansweredInARow = 0;
  let isKnownAnswered = false;
  let outage: ChainUnavailableError | null = null;
  const fetchOne = async ({ signature, slot: listedSlot }: Wanted) => {
    try {
      const { value } = await chain.reader.fetchTransaction(signature, { signal, commitment });
      unansweredInARow = 0;
      isKnownAnswered = true;
      if (value.kind === "landed")
        landed.push({ ...value.transaction, listedSlot: listedSlot ?? value.transaction.slot });
      else unknown.push(signature);
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      // The step's time is over, which says nothing about the transaction.
      if (signal.aborted) unread.push(signature);
      else {
        unanswered.set(signature, error);
        unansweredInARow++;
      }
    }
  };
  const findOutage = async () => {
    unansweredInARow = 0;
    isKnownAnswered = await isAnswered(chain.reader, signal);
    if (!isKnownAnswered) outage = [...unanswered.values()].at(-1)!;
  };
  const worker = async () => {
    while (queue.length > 0 && outage === null && !signal.aborted) {
      await fetchOne(queue.shift()!);
      if (unansweredInARow >= UNANSWERED_MAX) await findOutage();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  if (unanswered.size > 0 && !isKnownAnswered && outage === null) await findOutage();
  if (outage !== null) {
    unread.push(...unanswered.keys());
    unanswered.clear();
  }
  unread.push(...queue.map(({ signature }) => signature));
  return { landed, unknown, unanswered, unread, outage: outage as ChainUnavailableError | null };
}

/**
 * The payment accounts that transactions touched, also closed ones, and the addresses of created accounts that no node
 * shows yet.
 */
export interface Touched {
  readonly landed: readonly LandedTransaction[];
  readonly observed: readonly Observed<ChainPayment | ClosedPayment>[];
  readonly unobserved: ReadonlySet<string>;
}

/** As {@link fetchOrLeave}, oldest transactions first. `unread` maps signatures to the reason why their accounts cannot be read. */
export async function fetchTouchedOrLeave(
  ctx: ChainContext,
  landed: readonly LandedTransaction[],
  signal: AbortSignal,
): Promise<{ readonly read: readonly Touched[]; readonly unread: ReadonlyMap<string, ChainUnavailableError> }> {
  // Transactions that touched nothing need no request.
  const touching = landed.filter(({ touched }) => touched.length > 0).toSorted((a, b) => a.slot - b.slot);
  const idle = landed.filter(({ touched }) => touched.length === 0);
  const fetchPart = (part: readonly LandedTransaction[], within: AbortSignal) => fetchTouched(ctx, part, within);
  const { read, unread } =
    touching.length === 0
      ? { read: [], unread: new Map<LandedTransaction, ChainUnavailableError>() }
      : await fetchOrLeave(ctx.chain.reader, touching, fetchPart, signal);
  const inOrder = read.map(({ answer }) => answer).toSorted((a, b) => a.landed[0]!.slot - b.landed[0]!.slot);
  return {
    read: [...inOrder, { landed: idle, observed: [], unobserved: new Set() }],
    unread: new Map([...unread].map(([{ signature }, error]) => [signature, error])),
  };
}

export async function fetchTouched(
  { chain }: ChainContext,
  landed: readonly LandedTransaction[],
  signal: AbortSignal,
): Promise<Touched> {
  const addresses = [...new Set(landed.flatMap((transaction) => transaction.touched))];
  if (addresses.length === 0) return { landed, observed: [], unobserved: new Set() };
  const minSlot = Math.max(...landed.map(({ slot, listedSlot }) => Math.max(slot, listedSlot)));
  const creation = new Map(
    landed.flatMap((transaction) => transaction.created.map((address) => [address, transaction] as const)),
  );
  const { bindCommitment: commitment } = chain.reader;
  const options = { signal, commitment, minSlot, created: new Set(creation.keys()), toBind: true };
  const { value: accounts, slot } = await chain.reader.fetchPayments(addresses, options);
  // If one pass has two payments for one intent, the earlier transaction's is the primary.
  const order = new Map(
    landed
      .toSorted((a, b) => a.slot - b.slot)
      .flatMap((transaction) => transaction.touched)
      .map((address, index) => [address, index] as const)
      .reverse(),
  );
  const unobserved = new Set(addresses.filter((address, index) => accounts[index] === null && creation.has(address)));
  const observed = accounts
    .filter((account) => account !== null)
    .map((payment) => {
      const transaction = creation.get(payment.address);
      return {
        ...draftObserved(payment, slot, commitment),
        signature: transaction?.signature ?? null,
        createdSlot: transaction?.slot ?? null,
      };
    })
    .toSorted((a, b) => order.get(a.payment.address)! - order.get(b.payment.address)!);
  return { landed, observed, unobserved };
}
