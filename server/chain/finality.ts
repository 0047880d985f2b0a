import { setTimeout as sleep } from "node:timers/promises";
import { type ChainReader, readDeadline } from "./port.ts";

/** `landed`: it is not final yet, whether it failed or not. `unknown`: the node that answered does not know it. */
export type Finality = "final" | "failed" | "landed" | "unknown";

type StatusReader = Pick<ChainReader, "fetchSignatureStatuses">;
const PAUSE_MS = { first: 200, max: 1_000, growth: 1.5 };

export async function fetchFinality(reader: StatusReader, signature: string): Promise<Finality> {
  const { value } = await reader.fetchSignatureStatuses([signature], readDeadline());
  const status = value[0] ?? null;
  if (status === null) return "unknown";
  if (status.commitment !== "finalized") return "landed";
  return status.failed ? "failed" : "final";
}

/**
 * Reads the status of a transaction until it is final, at least once, and until the signal at most. Returns the last
 * answer. `isSent`: it waits for a transaction that no node knows yet, too.
 */
export async function awaitFinality(
  reader: StatusReader,
  signature: string,
  { isSent, until }: { readonly isSent: boolean; readonly until: AbortSignal },
): Promise<Finality> {
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(PAUSE_MS.max, pauseMs * PAUSE_MS.growth)) {
    const finality = await fetchFinality(reader, signature);
    const isOver = finality === "final" || finality === "failed" || (finality === "unknown" && !isSent);
    if (isOver || until.aborted) return finality;
    await sleep(pauseMs, undefined, { signal: until }).catch(() => undefined);
  }
}
