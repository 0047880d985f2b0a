import { fetchAccountsOrLeave } from "../../../chain/fetchOrLeave.ts";
import type { ChainContext } from "../../context.ts";
import { unreadIn } from "../unread.ts";
import { deleteUnmatched, hasUnfinishedUnmatched, listUnmatchedBefore } from "./queries.ts";

const BATCH_MAX = 100;
const READ_MS = 10_000;

/**
 * Deletes unmatched payments that a fork removed: two reads at `finalized`, from two nodes if there are two, find
 * nothing `slots` of the rule past the last observation. They had no event, and are recorded again if they land again.
 * Returns true when there may be more.
 */
export async function pruneUnmatched(
  ctx: ChainContext,
  stopping: AbortSignal,
  unread = unreadIn(ctx, "unmatched"),
): Promise<boolean> {
  const { database, chain } = ctx;
  if (!(await hasUnfinishedUnmatched(database, chain.environment))) return false;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const head = await chain.reader.fetchHead({ signal, commitment: "finalized" });
  const rule = { finalizedSlot: head.slot, slots: chain.revertRule.slots, except: unread.list() };
  const addresses = await listUnmatchedBefore(database, chain.environment, rule, BATCH_MAX);
  if (addresses.length === 0) return false;
  const options = { signal, commitment: "finalized", minSlot: head.slot } as const;
  const first = unread.record(await fetchAccountsOrLeave(chain.reader, addresses, options));
  const missing = Map.groupBy(
    first.filter(({ account }) => account === null),
    ({ node }) => node,
  );
  const gone: string[] = [];
  for (const [notNode, some] of missing) {
    const names = some.map(({ address }) => address);
    const second = unread.record(await fetchAccountsOrLeave(chain.reader, names, { ...options, notNode }));
    gone.push(...second.filter(({ account }) => account === null).map(({ address }) => address));
  }
  await deleteUnmatched(database, chain.environment, gone, head.slot, chain.revertRule.slots);
  return gone.length === BATCH_MAX;
}
