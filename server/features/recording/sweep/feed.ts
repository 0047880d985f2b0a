import { type ChainSignature, ChainUnavailableError, type NodeAnswer } from "../../../chain/port.ts";
import { failpoint } from "../../../lib/failpoint.ts";
import type { Chain } from "../../chains/chain.ts";
import type { SweepDeps } from "../deps.ts";
import { LOOK_BACK_SLOTS, type SecondList } from "./lookBack.ts";
import {
  type FeedCursor,
  findCursor,
  type Progress,
  pruneInbox,
  restartPaging,
  saveLastPage,
  savePage,
} from "./queries.ts";

/** Signatures a page; the most a node gives. */
const PAGE_MAX = 1_000;
const READ_MS = 10_000;
/**
 * The cursor stays so far below the finalized head. A node may call a slot final that it still fills, or order the
 * transactions of a slot in its own way: what it shows late is then above the cursor all the same.
 */
const OVERLAP_SLOTS = 16;
/** Less than the span of the look back, and than that of a line of the log. */
const ALONE_MS = 240_000;
const ALONE_SLOTS = 600;
/** Lines are kept for longer than the look back lists, also by a head that lags: so none is taken for a new one. */
const KEPT_SLOTS = 2 * LOOK_BACK_SLOTS;

/**
 * Brings the operator's newest signatures into the inbox, one page a step, and moves the cursor once the history down to it
 * is complete. The cursor is a transaction that was final some slots ago, so every transaction is listed again until it is. Progress
 * through a long history survives a restart. Reads per step: head and one page, however many intents are open.
 */
export async function feedInbox(
  { database, chain, commitment }: SweepDeps,
  second: SecondList,
  stopping: AbortSignal,
): Promise<boolean> {
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
  const isThrough = cursor.pageBefore === null && listedSlot >= head.slot;
  const progress = progressOf(head, isThrough, chain.reader.nodes > 1, second.through);
  await saveLastPage(database, chain.environment, fresh, next, head.slot, progress);
  await pruneInbox(database, chain.environment, head.slot - KEPT_SLOTS);
  // Not at once again: a flood that is not final yet is listed with every pass, and passes would never end.
  return false;
}

/**
 * Up to where everything is listed, whatever one node left out for a while: up to the finalized head by a single node, or by
 * two, each of which was known to reach it; by one alone where another does not show the same, only up to four minutes ago,
 * which it has listed again and again since. The watermark goes no further.
 */
function progressOf(
  { slot, value: { blockTime } }: NodeAnswer<{ blockTime: Date | null }>,
  isThrough: boolean,
  isSeveral: boolean,
  second: Progress | null,
): Progress | null {
  const reached = isThrough && blockTime !== null ? { slot, watermark: blockTime } : null;
  if (!isSeveral) return reached;
  const alone = reached ?? second;
  if (alone === null) return null;
  const both = reached === null || second === null ? null : second.slot <= reached.slot ? second : reached;
  const late = {
    slot: Math.max(0, alone.slot - ALONE_SLOTS),
    watermark: new Date(alone.watermark.getTime() - ALONE_MS),
  };
  return both !== null && both.watermark >= late.watermark ? both : late;
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
