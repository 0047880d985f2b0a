import { ChainUnavailableError, type NodeAnswer } from "../../../chain/port.ts";
import type { ChainContext } from "../../context.ts";
import { type FeedCursor, findCursor, findProcessedBelow, type Progress, saveMissed } from "./queries.ts";

/** Signatures per page: the maximum of a node. */
const PAGE_MAX = 1_000;
const READ_MS = 10_000;
export const LOOK_BACK_MS = 300_000;
/** Enough for ten signatures a second during five minutes. A busier operator's span is not listed completely. */
const PAGES_MAX = 3;
/** Pages to reach the span that the second node's lists have covered before: more than any five minutes have. */
const JOINING_PAGES_MAX = 1_000;

/** What is remembered of the lists of the last minutes; it may be lost at any moment. */
export interface SecondList {
  /** The slot up to which a second node's lists are completely in the inbox; null if there is none, or no second node. */
  through: Progress | null;
  /** The list that the next step goes on with. */
  walk: Walk | null;
  /** The older page that the next list takes, and the number of newer ones. */
  older: { readonly before: string; readonly pages: number } | null;
}

/** A list from the newest page down to what earlier lists of the second node have covered. */
interface Walk {
  readonly head: NodeAnswer<{ blockTime: Date | null }>;
  /** The span of the last minutes ends at this slot, or at this signature. */
  readonly from: number;
  readonly until: string | null;
  readonly before: string | null;
  readonly pages: number;
  /** All its pages so far are of another node than the head. */
  readonly isSecond: boolean;
  readonly isThrough: boolean;
}

/**
 * Lists the last five minutes again, by another node than the feed's if there is one, and adds the signatures that the
 * feed missed: a node may leave some out for a while, or for good. If no other node answers, the feed's own is asked.
 * Nodes that do not answer delay nothing: the feed reports them. A step reads the head and two pages at most, however many
 * intents are open. Returns true while the second node's list has not reached what was covered before.
 */
export async function lookBack(ctx: ChainContext, second: SecondList, stopping: AbortSignal): Promise<boolean> {
  const { database, chain } = ctx;
  const { bindCommitment: commitment } = chain.reader;
  const cursor = await findCursor(database, chain.environment);
  // While the feed pages through a long history, its newest part is listed already.
  if (cursor === null || cursor.sweepPaused || cursor.pageBefore !== null) return false;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const orNull = (error: unknown): null => {
    if (error instanceof ChainUnavailableError && !stopping.aborted) return null;
    throw error;
  };
  const walk = second.walk ?? (await beginWalk(ctx, cursor, signal).catch(orNull));
  // After an error, or a fork that takes the end of a page, it begins anew.
  second.walk = null;
  if (walk === null) return false;
  const { head, from, until } = walk;
  const list = async (before: string | null) => {
    const query = {
      limit: PAGE_MAX,
      ...(until === null ? {} : { until }),
      ...(before === null ? {} : { before }),
    };
    const fetchPage = (notNode?: number) => {
      const options = { signal, commitment, minSlot: head.slot, ...(notNode === undefined ? {} : { notNode }) };
      return chain.reader.fetchSignatures(query, options).catch(orNull);
    };
    // The feed asks the node that answered about the head. If no other answers, ask it again: it may show signatures late.
    const page = (walk.isSecond ? await fetchPage(head.node) : null) ?? (await fetchPage());
    if (page === null) return null;
    const lines = page.value.filter((line) => line.slot >= from);
    await saveMissed(database, chain.environment, lines);
    // Without a last line, the span ends in this page.
    return { ...page, last: lines.length < PAGE_MAX ? null : lines.at(-1)! };
  };

  const page = await list(walk.before);
  if (page === null) return false;
  const { last } = page;
  const pages = walk.pages + 1;
  const isSecond = walk.isSecond && page.node !== head.node;
  const isThrough = walk.before === null ? page.slot >= head.slot : walk.isThrough;
  const isJoined = last === null || last.slot < (second.through?.slot ?? from);
  if (isSecond && isJoined && isThrough && head.value.blockTime !== null)
    second.through = { slot: head.slot, watermark: head.value.blockTime };
  if (last !== null && isSecond && !isJoined && pages < JOINING_PAGES_MAX) {
    second.walk = { ...walk, before: last.signature, pages, isSecond, isThrough };
    return true;
  }
  // One older page with each list: all of them, from a slow node, would keep the watermark waiting for the next list.
  const next = last && (second.older ?? { before: last.signature, pages });
  const older = next && (await list(next.before));
  second.older =
    next && older?.last && next.pages + 1 < PAGES_MAX ? { before: older.last.signature, pages: next.pages + 1 } : null;
  return false;
}

async function beginWalk({ database, chain }: ChainContext, cursor: FeedCursor, signal: AbortSignal): Promise<Walk> {
  const head = await chain.reader.fetchHead({ signal, commitment: "finalized" });
  const from = Math.min(cursor.slot, head.slot - chain.reader.slotsIn(LOOK_BACK_MS));
  const until = await findProcessedBelow(database, chain.environment, from);
  return { head, from, until, before: null, pages: 0, isSecond: chain.reader.nodes > 1, isThrough: false };
}
