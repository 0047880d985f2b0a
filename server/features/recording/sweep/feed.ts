import { type ChainSignature, ChainUnavailableError } from "../../../chain/port.ts";
import { failpoint } from "../../../lib/failpoint.ts";
import type { Chain } from "../../chains/chain.ts";
import { type FeedCursor, findCursor, pruneInbox, restartPaging, saveLastPage, savePage } from "./queries.ts";
import type { SweepDeps } from "./sweep.ts";

/** Signatures a page; the most a node gives. */
const PAGE_MAX = 1_000;
const READ_MS = 10_000;
/**
 * The cursor stays so far below the finalized head. A node may call a slot final that it still fills, or order the
 * transactions of a slot in its own way: what it shows late is then above the cursor all the same.
 */
const OVERLAP_SLOTS = 16;

/**
 * Brings the operator's newest signatures into the inbox, one page a step, and moves the cursor once the history down to it
 * is complete. The cursor is a transaction that was final some slots ago, so every transaction is listed again until it is. Progress
 * through a long history survives a restart. Reads per step: head and one page, however many intents are open.
 */
export async function feedInbox({ database, chain, commitment }: SweepDeps, stopping: AbortSignal): Promise<boolean> {
  const cursor = await findCursor(database, chain.environment);
  if (cursor === null || cursor.sweepPaused) return false;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  // Read before the page, so that every transaction up to this slot is in the page or older than it.
  const head = await chain.reader.fetchHead({ signal, commitment: "finalized" });
  const page = await chain.reader
    .fetchSignatures(
      {
        limit: PAGE_MAX,
        ...(cursor.signature === null ? {} : { until: cursor.signature }),
        ...(cursor.pageBefore === null ? {} : { before: cursor.pageBefore }),
      },
      // An empty page does not say how new it is: the node must have come at least as far as the head.
      { signal, commitment, minSlot: head.slot },
    )
    .catch(async (error: unknown) => {
      const gone = error instanceof ChainUnavailableError && (await isGone(chain, cursor.pageBefore, signal));
      return gone ? null : Promise.reject(error);
    });
  if (page === null) {
    await restartPaging(database, chain.environment);
    return true;
  }
  const { value: listed, slot: listedSlot } = page;
  failpoint("feed.after_read");
  // A node that does not know the cursor answers with its newest page: the slot says where to stop.
  const fresh = listed.filter((line) => line.slot >= cursor.slot);
  const next = nextCursor(cursor, fresh, head.slot);
  const more = fresh.length === PAGE_MAX;
  if (more) {
    await savePage(database, chain.environment, fresh, fresh.at(-1)!.signature, next);
    return true;
  }
  // The watermark may only move when the page is known to reach up to the finalized head.
  const watermark = cursor.pageBefore === null && listedSlot >= head.slot ? head.value.blockTime : null;
  await saveLastPage(database, chain.environment, fresh, next, { slot: head.slot, watermark });
  await pruneInbox(database, chain.environment);
  // Not at once again: a flood that is not final yet is listed with every pass, and passes would never end.
  return false;
}

/** Whether no node knows the transaction that paging goes on from: a fork may have taken it for good. */
async function isGone(chain: Chain, signature: string | null, signal: AbortSignal): Promise<boolean> {
  return signature !== null && (await chain.reader.fetchSignatureStatuses([signature], { signal })).value[0] === null;
}

/** The newest transaction of this pass that was final some slots ago; the first page that has one, being the newest, decides. */
function nextCursor(
  cursor: FeedCursor,
  fresh: readonly ChainSignature[],
  finalizedSlot: number,
): { slot: number; signature: string } | null {
  if (cursor.next !== null) return cursor.next;
  const newest = fresh.find((line) => line.slot <= finalizedSlot - OVERLAP_SLOTS);
  return newest === undefined ? null : { slot: newest.slot, signature: newest.signature };
}
