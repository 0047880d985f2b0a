import { Lru } from "../lib/lru.ts";
import type { ChainReader, NodeAnswer, ReadOptions, TransactionLookup } from "./port.ts";

/** Time for which a landed transaction is remembered: the cells read it within seconds of one another. */
const KEPT_MS = 15_000;
const KEPT_MAX = 4_000;

interface Kept {
  readonly answer: NodeAnswer<TransactionLookup>;
  readonly keptAtMs: number;
}

/**
 * A reader for several cells of one process. Each cell reads the history of the operator account for itself; equal reads at
 * the same time are one request, and a transaction is read once. Its accounts, which decide, are read by each.
 */
export function shareReads(reader: ChainReader): ChainReader {
  const running = new Map<string, Promise<unknown>>();
  const landed = new Lru<string, Kept>(KEPT_MAX);

  /** Joins an equal read under way. If that one fails, perhaps since its caller gave up, the read is begun anew. */
  function share<Answer>(name: string, input: unknown, options: ReadOptions, read: () => Promise<Answer>) {
    const { signal: _, ...rest } = options;
    const key = JSON.stringify([name, input, rest]);
    const known = running.get(key) as Promise<Answer> | undefined;
    if (known !== undefined) return known.catch(read);
    const reading = read().finally(() => running.delete(key));
    running.set(key, reading);
    return reading;
  }

  return {
    ...reader,
    fetchHead: (options) => share("head", null, options, () => reader.fetchHead(options)),
    fetchSignatures: (query, options) =>
      share("signatures", query, options, () => reader.fetchSignatures(query, options)),
    fetchTransaction: async (signature, options) => {
      const { signal: _, commitment = null, ...rest } = options;
      // A read of a certain node is a second opinion.
      if (Object.keys(rest).length > 0) return reader.fetchTransaction(signature, options);
      const key = `${commitment} ${signature}`;
      const kept = landed.get(key);
      if (kept !== undefined && performance.now() - kept.keptAtMs < KEPT_MS) return kept.answer;
      const answer = await share("transaction", signature, options, () => reader.fetchTransaction(signature, options));
      if (answer.value.kind === "landed") landed.set(key, { answer, keptAtMs: performance.now() });
      return answer;
    },
  };
}
