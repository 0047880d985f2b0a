import { createBatch } from "../lib/batch.ts";
import type { Outcome } from "../lib/isolate.ts";

/** Settings of calls that share a statement. `itemsMax: 1` gives every call its own. */
export interface BatchOptions {
  readonly itemsMax: number;
  readonly batchesMax: number;
  readonly waitingMax: number;
  readonly waitMsMax: number;
}

/**
 * Runs one statement for the calls of a moment; it answers each item by itself (null if it has none). A statement that
 * fails is retried item by item, counted and logged under `name`, unless the database is unavailable.
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
