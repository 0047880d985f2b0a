import { createBatch } from "../lib/batch.ts";
import type { Outcome } from "../lib/isolate.ts";

/** How calls of the same moment share a statement. `itemsMax: 1` gives every call its own. */
export interface BatchOptions {
  readonly itemsMax: number;
  readonly batchesMax: number;
  readonly waitingMax: number;
  readonly waitMsMax: number;
}

/**
 * One statement for the calls of a moment, which answers each item by itself (null where it has nothing). A statement that
 * fails is tried again item by item, counted and logged under `name`, unless the database is unavailable.
 */
export function batchStatements<Item, Result>(
  name: string,
  batching: BatchOptions,
  runAll: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  return createBatch<Item, Result>({
    ...batching,
    name,
    runAll: async (items) => (await runAll(items)).map((value): Outcome<Result> => ({ ok: true, value })),
    runOne: async (item) => (await runAll([item]))[0]!,
  });
}
