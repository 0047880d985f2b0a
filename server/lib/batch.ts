import { isolate, type Outcome, outcomeOf } from "./isolate.ts";
import type { Log } from "./log.ts";
import { keepSpan, traced } from "./trace.ts";

export interface BatchOptions<Item, Result> {
  /** The batch's name in the log and in the count of its fallbacks. */
  readonly name: string;
  /** Runs all items together and returns one outcome for each, in their order. A throw means that no item was done. */
  readonly runAll: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>;
  /** Runs one item alone. A batch that failed falls back to this, which is counted and logged. */
  readonly runOne: (item: Item) => Promise<Result>;
  /** The most items in a batch. */
  readonly itemsMax: number;
  /** The most batches in flight; meanwhile the next one gathers. */
  readonly batchesMax: number;
  /** The most waiting items; any further one is refused at once. */
  readonly waitingMax: number;
  /** The longest wait. An item that waited longer is refused when its turn comes. */
  readonly waitMsMax: number;
  readonly log?: Log;
}

/** More work waits than can be done in time; the caller should retry later. */
export class OverloadedError extends Error {
  override readonly name = "OverloadedError";
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  /** Its request's span: a batch that starts behind another runs in that one's context. */
  readonly inSpan: ReturnType<typeof keepSpan>;
  readonly resolve: (value: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers calls made in the same moment into one. A lone call starts at the end of its tick, without a timer; under load a
 * batch gathers while the ones before it are in flight, so its size follows the load. `itemsMax: 1` switches it off.
 */
export function createBatch<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { name, runAll, runOne, itemsMax, batchesMax, waitingMax, waitMsMax, log } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let scheduled = false;

  const single = ({ item, resolve, reject }: Waiting<Item, Result>) => runOne(item).then(resolve, reject);

  const run = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    if (batch.length === 1) return single(batch[0]!);
    const outcomes = await isolate(batch, {
      name,
      log,
      all: (items) => runAll(items.map(({ item }) => item)),
      // An outage that one item meets is not one for the others.
      one: ({ item }) =>
        outcomeOf(
          () => runOne(item),
          () => false,
        ),
      concurrency: batch.length,
    });
    outcomes.forEach((outcome, index) => {
      const own = outcome.ok ? outcome.value : outcome;
      const { resolve, reject } = batch[index]!;
      if (own.ok) resolve(own.value);
      else reject(own.error);
    });
  };

  const refuseLate = (): void => {
    const latest = performance.now() - waitMsMax;
    const inTime = waiting.findIndex(({ since }) => since >= latest);
    const late = inTime < 0 ? waiting : waiting.slice(0, inTime);
    if (late.length === 0) return;
    waiting = waiting.slice(late.length);
    for (const { reject } of late) reject(new OverloadedError("The request waited too long for its turn."));
  };

  const start = (): void => {
    scheduled = false;
    refuseLate();
    while (running < batchesMax && waiting.length > 0) {
      const batch = waiting.slice(0, itemsMax);
      waiting = waiting.slice(itemsMax);
      running++;
      const runTraced = () => traced(`batch ${name}`, { items: batch.length }, () => run(batch));
      (batch[0]!.inSpan?.(runTraced) ?? runTraced())
        .catch((error: unknown) => {
          for (const { reject } of batch) reject(error);
        })
        .finally(() => {
          running--;
          if (waiting.length > 0) schedule();
        });
    }
  };

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    // Starts after the sockets of this turn of the event loop were read: their requests join the batch.
    setImmediate(start);
  };

  return (item) => {
    if (waiting.length >= waitingMax)
      return Promise.reject(new OverloadedError("More requests wait than can be answered in time."));
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, since: performance.now(), inSpan: keepSpan(), resolve, reject });
    if (running < batchesMax) schedule();
    return promise;
  };
}
