/** The counts of the chain that a node keeps at a moment of real time. */
interface Count {
  readonly slot: number;
  readonly transactions: number;
  readonly atMs: number;
}

const PERIOD_MS = 60_000;
export const SAMPLES_MAX = 720;

/** The slots and transactions of each minute since the start, newest first, in the form of getRecentPerformanceSamples. */
export class Samples {
  readonly #taken: ReturnType<typeof showSample>[] = [];
  #from: Count;

  constructor(from: Count) {
    this.#from = from;
  }

  record(count: Count): void {
    if (count.atMs - this.#from.atMs < PERIOD_MS) return;
    this.#taken.unshift(showSample(this.#from, count));
    if (this.#taken.length > SAMPLES_MAX) this.#taken.pop();
    this.#from = count;
  }

  newest = (limit: number) => this.#taken.slice(0, limit);
}

/** Slots without a block count too. The chain has no votes, so every transaction is another one. */
function showSample(from: Count, to: Count) {
  const numTransactions = to.transactions - from.transactions;
  return {
    slot: to.slot,
    numSlots: to.slot - from.slot,
    numTransactions,
    numNonVoteTransactions: numTransactions,
    samplePeriodSecs: Math.round((to.atMs - from.atMs) / 1_000),
  };
}
