import { type ChainSignature, ChainUnavailableError } from "../../../chain/port.ts";
import { failpoint } from "../../../lib/failpoint.ts";
import type { Chain } from "../../chains/chain.ts";
import { type FeedCursor, findCursor, pruneInbox, restartPaging, saveLastPage, savePage } from "./inbox.ts";
import type { Sweeping } from "./sweep.ts";

/** Signatures a page; the most a node gives. */
const PAGE_MAX = 1_000;
const READ_MS = 10_000;

/**
 * Brings the operator's newest signatures into the inbox, one page a step, and moves the cursor when the history between
 * is complete. The cursor is a finalized transaction, so what is not final yet is listed again until it is. Progress
 * through a long history survives a restart. Reads per step: head and one page, however many intents are open.
 */
export async function feedInbox({ database, chain, commitment }: Sweeping, stopping: AbortSignal): Promise<boolean> {
  const cursor = await findCursor(database, chain.environment);
  if (cursor === null || cursor.sweepPaused) return false;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  // Before the page, so that all up to this slot is in the page or before it.
  const head = await chain.reader.fetchHead({ signal, commitment: "finalized" });
  const page = await chain.reader
    .fetchSignatures(
      {
        limit: PAGE_MAX,
        ...(cursor.signature === null ? {} : { until: cursor.signature }),
        ...(cursor.pageBefore === null ? {} : { before: cursor.pageBefore }),
      },
      // A history that has nothing new does not say how new it is: the node must have come at least as far as the head.
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
  const { value: listed, slot: listedAt } = page;
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
  const watermark = cursor.pageBefore === null && listedAt >= head.slot ? head.value.blockTime : null;
  await saveLastPage(database, chain.environment, fresh, next, { slot: head.slot, watermark });
  await pruneInbox(database, chain.environment);
  // A flood that is not final yet is listed again with every pass, and a pass at once after the other would never end.
  return false;
}

/** A fork may have taken the transaction that paging goes on from: then no node ever knows it again. */
async function isGone(chain: Chain, signature: string | null, signal: AbortSignal): Promise<boolean> {
  return signature !== null && (await chain.reader.fetchSignatureStatuses([signature], { signal })).value[0] === null;
}

/** The newest finalized transaction of this pass; the first page that has one, being the newest, decides. */
function nextCursor(
  cursor: FeedCursor,
  fresh: readonly ChainSignature[],
  finalizedSlot: number,
): { slot: number; signature: string } | null {
  if (cursor.next !== null) return cursor.next;
  const newest = fresh.find((line) => line.slot <= finalizedSlot);
  return newest === undefined ? null : { slot: newest.slot, signature: newest.signature };
}
