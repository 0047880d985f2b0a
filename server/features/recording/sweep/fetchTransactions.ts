import {
  type ChainPayment,
  type ChainTransaction,
  ChainUnavailableError,
  type ClosedPayment,
} from "../../../chain/port.ts";
import { draftObserved, type Observed } from "../decide/state.ts";
import type { SweepDeps } from "./sweep.ts";

/** Transactions read at once by one step. */
const CONCURRENCY = 16;
/** After so many reads in a row that no node answered it is the chain that is away, not a transaction that is odd. */
const UNANSWERED_MAX = 8;

/** `slot`: as it was listed; null: it was not. */
export interface Wanted {
  readonly signature: string;
  readonly slot: number | null;
}

/** A transaction as a node showed it, and the slot in which it was listed: after a fork the two may differ for a while. */
export interface LandedTransaction extends ChainTransaction {
  readonly listedSlot: number;
}

type FetchDeps = Pick<SweepDeps, "chain" | "commitment">;

/**
 * A transaction that no node can give is set apart, so that it cannot hold up the others; `unread` are those for which the
 * time was too short. Throws when the chain is away.
 */
export async function fetchTransactions(
  { chain, commitment }: FetchDeps,
  rows: readonly Wanted[],
  signal: AbortSignal,
) {
  const landed: LandedTransaction[] = [];
  const unknown: string[] = [];
  const unanswered: string[] = [];
  const unread: string[] = [];
  const queue = [...rows];
  let unansweredInARow = 0;
  let outage: ChainUnavailableError | null = null;
  const fetchOne = async ({ signature, slot: listedSlot }: Wanted) => {
    try {
      const { value } = await chain.reader.fetchTransaction(signature, { signal, commitment });
      unansweredInARow = 0;
      if (value.kind === "landed")
        landed.push({ ...value.transaction, listedSlot: listedSlot ?? value.transaction.slot });
      else unknown.push(signature);
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      outage = error;
      // The time for this step is over, which says nothing of the transaction.
      if (signal.aborted) unread.push(signature);
      else {
        unanswered.push(signature);
        unansweredInARow++;
      }
    }
  };
  const worker = async () => {
    while (queue.length > 0 && unansweredInARow < UNANSWERED_MAX && !signal.aborted) await fetchOne(queue.shift()!);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  if (outage !== null && (landed.length + unknown.length === 0 || unansweredInARow >= UNANSWERED_MAX)) throw outage;
  return { landed, unknown, unanswered, unread: [...unread, ...queue.map(({ signature }) => signature)] };
}

/** The payment accounts that transactions touched, closed ones included, and the addresses of created accounts that no node shows yet. */
export interface Touched {
  readonly landed: readonly LandedTransaction[];
  readonly observed: readonly Observed<ChainPayment | ClosedPayment>[];
  readonly unobserved: ReadonlySet<string>;
}

/** The deadline of each read where the one of all accounts together failed. */
const APART_MS = 1_500;

/**
 * The accounts of all transactions together or, where no node gives them, in parts and at last one by one, so that one
 * account that cannot be read does not hold up the others; the oldest first. Throws when no part can be read: the chain is
 * away.
 */
export async function fetchTouchedOrLeave(
  deps: FetchDeps,
  landed: readonly LandedTransaction[],
  signal: AbortSignal,
): Promise<{ readonly read: readonly Touched[]; readonly unread: ReadonlyMap<string, ChainUnavailableError> }> {
  const fetchOrError = (part: readonly LandedTransaction[], within: AbortSignal) =>
    fetchTouched(deps, part, within).catch((error: unknown) => {
      if (error instanceof ChainUnavailableError && !signal.aborted) return error;
      throw error;
    });
  const together = await fetchOrError(landed, signal);
  if (isRead(together)) return { read: [together], unread: new Map() };

  const fetchAll = (parts: readonly (readonly LandedTransaction[])[]) => {
    const within = AbortSignal.any([signal, AbortSignal.timeout(APART_MS)]);
    return Promise.all(parts.map((part) => fetchOrError(part, within)));
  };
  // One that touched nothing would be read without asking anybody.
  const touching = landed.filter(({ touched }) => touched.length > 0).toSorted((a, b) => a.slot - b.slot);
  const idle = landed.filter(({ touched }) => touched.length === 0);
  const parts = splitInto(touching, Math.floor(Math.sqrt(touching.length)));
  const answers = parts.length === 1 ? [together] : await fetchAll(parts);
  if (!answers.some(isRead)) throw together;
  const failed = parts.filter((_, index) => !isRead(answers[index]!)).flat();
  const alone = await fetchAll(failed.map((transaction) => [transaction]));
  const read = [...answers, ...alone].filter(isRead).toSorted((a, b) => a.landed[0]!.slot - b.landed[0]!.slot);
  const unread = new Map<string, ChainUnavailableError>();
  for (const [index, { signature }] of failed.entries()) {
    const answer = alone[index]!;
    if (!isRead(answer)) unread.set(signature, answer);
  }
  return { read: [...read, { landed: idle, observed: [], unobserved: new Set() }], unread };
}

const isRead = (answer: Touched | ChainUnavailableError): answer is Touched =>
  !(answer instanceof ChainUnavailableError);

const splitInto = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

export async function fetchTouched(
  { chain, commitment }: FetchDeps,
  landed: readonly LandedTransaction[],
  signal: AbortSignal,
): Promise<Touched> {
  const addresses = [...new Set(landed.flatMap((transaction) => transaction.touched))];
  if (addresses.length === 0) return { landed, observed: [], unobserved: new Set() };
  const minSlot = Math.max(...landed.map(({ slot, listedSlot }) => Math.max(slot, listedSlot)));
  const creation = new Map(
    landed.flatMap((transaction) => transaction.created.map((address) => [address, transaction] as const)),
  );
  const options = { signal, commitment, minSlot, created: new Set(creation.keys()), toBind: true };
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
  return { landed, observed, unobserved };
}
