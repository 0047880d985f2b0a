import { setImmediate as nextTurn } from "node:timers/promises";
import type { NodeAnswer, ReadOptions } from "../port.ts";
import { REQUESTS_AT_ONCE } from "./limits.ts";
import type { NodeSession, Pool } from "./pool.ts";

/** Splits a long list into requests of `size` items to one node. The answer is as old as the oldest of them. */
export async function fetchInChunks<T, R>(
  pool: Pool,
  items: readonly T[],
  size: number,
  options: ReadOptions,
  fetchChunk: (session: NodeSession, chunk: readonly T[]) => Promise<{ slot: number; value: readonly R[] }>,
): Promise<NodeAnswer<readonly R[]>> {
  const chunks = chunksOf(items, size);
  const rounds = Math.max(1, Math.ceil(chunks.length / REQUESTS_AT_ONCE));
  if (chunks.length === 0) return { value: [], slot: options.minSlot ?? 0, node: 0 };
  return pool.queue(options, pool.deadlineMs * rounds).ask(async (session) => {
    const answers = await inParallel(chunks, (chunk) => fetchChunk(session, chunk));
    const slot = Math.min(...answers.map((answer) => answer.slot));
    return { value: answers.flatMap(({ value }) => value), slot, node: session.node };
  });
}

/** Works through the items a few at a time; results in the items' order. The first failure ends it. */
async function inParallel<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(REQUESTS_AT_ONCE, items.length) }, worker));
  return results;
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** Maps a long list in pieces, and lets other work of the process run between them. */
export async function mapInTurns<T, R>(items: readonly T[], perTurn: number, map: (item: T) => R): Promise<R[]> {
  const results: R[] = [];
  for (const chunk of chunksOf(items, perTurn)) {
    for (const item of chunk) results.push(map(item));
    await nextTurn();
  }
  return results;
}
