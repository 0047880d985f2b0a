import {
  type ChainPayment,
  type ChainTransaction,
  ChainUnavailableError,
  type ClosedPayment,
} from "../../../chain/port.ts";
import { draftObserved, type Observed } from "../decide/state.ts";
import type { InboxRow } from "./queries.ts";
import type { SweepDeps } from "./sweep.ts";

/** Transactions read at once by one step. */
const CONCURRENCY = 16;
/** After so many reads in a row that no node answered it is the chain that is away, not a transaction that is odd. */
const UNANSWERED_MAX = 8;

type FetchDeps = Pick<SweepDeps, "chain" | "commitment">;

/** A transaction that no node can give is set apart, so that it cannot hold up the others. Throws when the chain is away. */
export async function fetchTransactions(
  { chain, commitment }: FetchDeps,
  rows: readonly InboxRow[],
  signal: AbortSignal,
) {
  const landed: ChainTransaction[] = [];
  const unknown: string[] = [];
  const unanswered: string[] = [];
  const queue = [...rows];
  let unansweredInARow = 0;
  let outage: ChainUnavailableError | null = null;
  const fetchOne = async (signature: string) => {
    try {
      const { value } = await chain.reader.fetchTransaction(signature, { signal, commitment });
      unansweredInARow = 0;
      if (value.kind === "landed") landed.push(value.transaction);
      else unknown.push(signature);
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      unanswered.push(signature);
      unansweredInARow++;
      outage = error;
    }
  };
  const worker = async () => {
    for (let row = queue.shift(); row !== undefined && unansweredInARow < UNANSWERED_MAX; row = queue.shift())
      await fetchOne(row.signature);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  if (outage !== null && (landed.length + unknown.length === 0 || unansweredInARow >= UNANSWERED_MAX)) throw outage;
  return { landed, unknown, unanswered };
}

/** The payment accounts that the transactions touched, closed ones included, and the addresses of created accounts that no node shows yet. */
export async function fetchTouched(
  { chain, commitment }: FetchDeps,
  landed: readonly ChainTransaction[],
  signal: AbortSignal,
): Promise<{ observed: Observed<ChainPayment | ClosedPayment>[]; unobserved: ReadonlySet<string> }> {
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
  return { observed, unobserved };
}
