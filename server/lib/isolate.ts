import { reportFallback } from "./fallback.ts";
import { type Log, log as writeLog } from "./log.ts";
import { isOutage as isAnyOutage } from "./outages.ts";

/** The result of one item, or its error, which does not affect the others. */
export type Outcome<Result> =
  | { readonly ok: true; readonly value: Result }
  | { readonly ok: false; readonly error: unknown };

type IsOutage = (error: unknown) => boolean | Promise<boolean>;

/** Returns the outcome of work; throws an outage. */
export async function outcomeOf<Result>(
  work: () => Promise<Result>,
  isOutage: IsOutage = isAnyOutage,
): Promise<Outcome<Result>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (await isOutage(error)) throw error;
    return { ok: false, error };
  }
}

interface Isolation<Item, Result> {
  /** Runs all items together and returns one result for each, in their order. A throw means that no item was done. */
  readonly all: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Runs one item alone; left out: `all` with that item. */
  readonly one?: (item: Item) => Promise<Result>;
  /** Returns true if the failure would meet each item too. Left out: true for outages. */
  readonly isOutage?: IsOutage;
  /** The items that run alone at the same time; left out: one. */
  readonly concurrency?: number;
  /** The batch's name in the log and in the count of its fallbacks; left out: neither. */
  readonly name?: string;
  readonly log?: Log | undefined;
}

/**
 * Runs items together or, if that fails, each alone, in their order, so that one cannot hold up the others. A single item
 * is tried once. Returns the outcome of each, in their order. Throws an outage, and then leaves the rest.
 */
export async function isolate<Item, Result>(
  items: readonly Item[],
  work: Isolation<Item, Result>,
): Promise<readonly Outcome<Result>[]> {
  const { all, one = async (item) => (await all([item]))[0]!, isOutage, concurrency = 1, name, log = writeLog } = work;
  if (items.length === 0) return [];
  const together = await outcomeOf(() => all(items), isOutage);
  if (together.ok) {
    const { value: results } = together;
    if (results.length !== items.length) throw new Error(`A batch of ${items.length} came back as ${results.length}.`);
    return results.map((value) => ({ ok: true, value }));
  }
  if (items.length === 1) return [together];
  if (name !== undefined) reportFallback(name, items.length, together.error, log);
  const outcomes: Outcome<Result>[] = [];
  for (let start = 0; start < items.length; start += concurrency) {
    const some = items.slice(start, start + concurrency);
    outcomes.push(...(await Promise.all(some.map((item) => outcomeOf(() => one(item), isOutage)))));
  }
  return outcomes;
}
