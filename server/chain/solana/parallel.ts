import { setImmediate as nextTurn } from "node:timers/promises";

/** Works through the items a few at a time; results in the items' order. The first failure ends it. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** Maps a long list a piece at a time, letting everything else in the process have its turn in between. */
export async function mapInTurns<T, R>(items: readonly T[], perTurn: number, map: (item: T) => R): Promise<R[]> {
  const results: R[] = [];
  for (const chunk of chunksOf(items, perTurn)) {
    for (const item of chunk) results.push(map(item));
    await nextTurn();
  }
  return results;
}
