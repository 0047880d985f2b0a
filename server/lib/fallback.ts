import type { Log } from "./log.ts";

const counts = new Map<string, number>();

/** Batches of this process that failed as a whole and were done item by item, by the batch's name. */
export const fallbackCounts: ReadonlyMap<string, number> = counts;

/** Without this pause, a statement that always fails would log thousands of lines a minute. */
const LOG_MS = 1_000;
const loggedAt = new Map<string, number>();

/** Counts a batch that failed and is done item by item instead. Logs the reason, at most once a second for each name. */
export function reportFallback(name: string, items: number, error: unknown, log: Log): void {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  const now = performance.now();
  if (now - (loggedAt.get(name) ?? Number.NEGATIVE_INFINITY) < LOG_MS) return;
  loggedAt.set(name, now);
  log(`A batch of ${items} (${name}) failed and is done item by item; failed so far: ${count}.`, error);
}
