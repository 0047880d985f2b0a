import type { FinalityDeps } from "../finality/finalize.ts";
import { deleteUnmatched, hasUnfinishedUnmatched, listUnmatchedBefore } from "./queries.ts";

const BATCH_MAX = 100;
const READ_MS = 10_000;

/**
 * Deletes unmatched payments that a fork took: two reads at `finalized`, from two nodes where there are two, find nothing so
 * far past the slot a payment was last observed at. There was no event of it, and if it lands again it is recorded again.
 * True when there may be more.
 */
export async function pruneUnmatched(
  { database, chain, revertRule }: FinalityDeps,
  stopping: AbortSignal,
): Promise<boolean> {
  if (!(await hasUnfinishedUnmatched(database, chain.environment))) return false;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const head = await chain.reader.fetchHead({ signal, commitment: "finalized" });
  const addresses = await listUnmatchedBefore(database, chain.environment, head.slot, revertRule.slots, BATCH_MAX);
  if (addresses.length === 0) return false;
  const options = { signal, commitment: "finalized", minSlot: head.slot } as const;
  const first = await chain.reader.fetchPayments(addresses, options);
  const missing = addresses.filter((_, index) => first.value[index] === null);
  if (missing.length === 0) return false;
  const second = await chain.reader.fetchPayments(missing, { ...options, notNode: first.node });
  const gone = missing.filter((_, index) => second.value[index] === null);
  await deleteUnmatched(database, chain.environment, gone, head.slot, revertRule.slots);
  return gone.length === BATCH_MAX;
}
