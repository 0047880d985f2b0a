import type { Chain } from "../../../chain/chain.ts";
import { type ChainSignature, ChainUnavailableError, type NodeAnswer } from "../../../chain/port.ts";
import { failpoint } from "../../../lib/failpoint.ts";
import type { ChainContext } from "../../context.ts";
import { LOOK_BACK_MS, type SecondList } from "./lookBack.ts";
import { Marks } from "./marks.ts";
import {
  type FeedCursor,
  findCursor,
  findOpenSlot,
  type ListedProgress,
  moveWatermark,
  type Progress,
  pruneInbox,
  restartPaging,
  saveLastPage,
  savePage,
} from "./queries.ts";

/** Signatures per page: the maximum of a node. */
const PAGE_MAX = 1_000;
const READ_MS = 10_000;
/**
 * The cursor stays this far below the finalized head. A node may call a slot final before it is complete, or order a
 * slot's transactions differently: transactions that it shows late are then still above the cursor.
 */
const OVERLAP_SLOTS = 16;
/** Less than the span of the look back, and less than the time for which lines are kept. */
const ALONE_MS = 240_000;
/** Lines are kept longer than the look back lists, even with a lagging head, so none is taken for a new one. */
const KEPT_MS = 2 * LOOK_BACK_MS;

/** The memory of the feed between its steps; it may be lost at any moment. */
export interface FeedState {
  readonly second: SecondList;
  readonly marks: Marks;
  /** Of a pass of several pages: where its next page begins, and the slot that its first page reached. */
  pass: { readonly before: string; readonly reached: Progress | null } | null;
}

export const newFeedState = (): FeedState => ({
  second: { through: null, walk: null, older: null },
  marks: new Marks(),
  pass: null,
});

/**
 * Adds the operator's newest signatures to the inbox, one page per step, and moves the cursor once the history down to
 * it is complete. The cursor is a transaction that was final some slots ago, so every transaction is listed again
 * until then. Progress through a long history survives a restart. A step reads the head and one page, however many
 * intents are open. Each pass also moves the watermark as far as the lines of earlier passes are processed.
 */
export async function feedInbox(
  { database, chain }: ChainContext,
  state: FeedState,
  stopping: AbortSignal,
): Promise<boolean> {
  const cursor = await findCursor(database, chain.environment);
  if (cursor === null || cursor.sweepPaused) return false;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  // Read before the page, so every transaction up to this slot is in the page or older than the page.
  const head = await chain.reader.fetchHead({ signal, commitment: "finalized" });
  const page = await chain.reader
    .fetchSignatures(
      {
        limit: PAGE_MAX,
        ...(cursor.signature === null ? {} : { until: cursor.signature }),
        ...(cursor.pageBefore === null ? {} : { before: cursor.pageBefore }),
      },
      // An empty page does not name its slot, so the node must have reached at least the head.
      { signal, commitment: chain.reader.bindCommitment, minSlot: head.slot },
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
  // A node that does not know the cursor answers with its newest page; the slot says where to stop.
  const fresh = listed.filter((line) => line.slot >= cursor.slot);
  const next = nextCursor(cursor, fresh, head.slot);
  const reached = reachedBy(state, cursor.pageBefore, head, listedSlot);
  if (fresh.length === PAGE_MAX) {
    const before = fresh.at(-1)!.signature;
    await savePage(database, chain.environment, fresh, before, next);
    state.pass = { before, reached };
    return true;
  }
  state.pass = null;
  const progress = progressOf(reached, chain.reader, state.second.through);
  const mark = await saveLastPage(database, chain.environment, fresh, next, progress);
  if (mark !== null) state.marks.add(mark);
  const passed = state.marks.take(await findOpenSlot(database, chain.environment));
  if (passed !== null) await moveWatermark(database, chain.environment, passed);
  await pruneInbox(database, chain.environment, head.slot - chain.reader.slotsIn(KEPT_MS));
  // Never true: a flood that is not final yet is listed with every pass, so the passes would never end.
  return false;
}

/** The finalized head that the first page of this pass reached; null if it did not, or another process read that page. */
function reachedBy(
  { pass }: FeedState,
  pageBefore: string | null,
  { slot, value: { blockTime } }: NodeAnswer<{ blockTime: Date | null }>,
  listedSlot: number,
): Progress | null {
  if (pageBefore !== null) return pass?.before === pageBefore ? pass.reached : null;
  return listedSlot >= slot && blockTime !== null ? { slot, watermark: blockTime } : null;
}

/**
 * The slot and time up to which everything is listed, even if one node left something out for a while. With a single
 * node: the finalized head. With several: the lower of two nodes' positions, but at most four minutes before the higher
 * one, since a node lists each line again and again for that long. The watermark never passes this.
 */
function progressOf(
  reached: Progress | null,
  { nodes, slotsIn }: Chain["reader"],
  second: Progress | null,
): ListedProgress | null {
  if (nodes === 1) return reached && { ...reached, listedSlot: reached.slot, isByOne: false };
  const alone = reached ?? second;
  if (alone === null) return null;
  const both = reached === null || second === null ? null : second.slot <= reached.slot ? second : reached;
  const late = {
    slot: Math.max(0, alone.slot - slotsIn(ALONE_MS)),
    watermark: new Date(alone.watermark.getTime() - ALONE_MS),
  };
  const isByBoth = both !== null && both.watermark >= late.watermark;
  if (isByBoth) return { ...both, listedSlot: both.slot, isByOne: false };
  // Slots and minutes are not of one length: a line above the slot may be older than the time.
  return { ...late, listedSlot: alone.slot, isByOne: true };
}

/** True if no node knows the transaction at which paging continues: a fork may have removed it for good. */
async function isGone(chain: Chain, signature: string | null, signal: AbortSignal): Promise<boolean> {
  return signature !== null && (await chain.reader.fetchSignatureStatuses([signature], { signal })).value[0] === null;
}

/** The newest transaction of this pass that was final some slots ago. The first page that has one is the newest, so it decides. */
function nextCursor(
  cursor: FeedCursor,
  fresh: readonly ChainSignature[],
  finalizedSlot: number,
): { slot: number; signature: string } | null {
  if (cursor.next !== null) return cursor.next;
  const newest = fresh.find((line) => line.slot <= finalizedSlot - OVERLAP_SLOTS);
  return newest === undefined ? null : { slot: newest.slot, signature: newest.signature };
}
