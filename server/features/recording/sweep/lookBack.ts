import { type ChainReader, type ChainSignature, ChainUnavailableError } from "../../../chain/port.ts";
import type { SweepDeps } from "../deps.ts";
import { findCursor, findProcessedBelow, type Progress, saveMissed } from "./queries.ts";

/** Signatures per page: the maximum of a node. */
const PAGE_MAX = 1_000;
const READ_MS = 10_000;
/** Five minutes of slots. */
export const LOOK_BACK_SLOTS = 750;
/** Enough for ten signatures a second during five minutes. A busier operator's span is not listed completely. */
const PAGES_MAX = 3;
/** Pages to reach the span that the second node's lists have covered before. */
const JOINING_PAGES_MAX = 20;

/** The slot up to which a second node's lists are completely in the inbox; null if there is none, or no second node. */
export interface SecondList {
  through: Progress | null;
}

/**
 * Lists the last five minutes again, by another node than the feed's if there is one, and adds the signatures that the
 * feed missed: a node may leave some out for a while, or for good. If no other node answers, the feed's own is asked.
 * Nodes that do not answer delay nothing: the feed reports them. A step reads the head and a page, however many
 * intents are open.
 */
export async function lookBack(
  { database, chain, commitment }: SweepDeps,
  second: SecondList,
  stopping: AbortSignal,
): Promise<boolean> {
  const cursor = await findCursor(database, chain.environment);
  // While the feed pages through a long history, its newest part is listed already.
  if (cursor === null || cursor.sweepPaused || cursor.pageBefore !== null) return false;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const orNull = (error: unknown): null => {
    if (error instanceof ChainUnavailableError && !stopping.aborted) return null;
    throw error;
  };
  const head = await chain.reader.fetchHead({ signal, commitment: "finalized" }).catch(orNull);
  if (head === null) return false;
  const from = Math.min(cursor.slot, head.slot - LOOK_BACK_SLOTS);
  const until = await findProcessedBelow(database, chain.environment, from);
  const covered = second.through?.slot ?? from;

  const fetchPage = (query: Parameters<ChainReader["fetchSignatures"]>[0], notNode?: number) => {
    const options = { signal, commitment, minSlot: head.slot, ...(notNode === undefined ? {} : { notNode }) };
    return chain.reader.fetchSignatures(query, options).catch(orNull);
  };
  const lines: ChainSignature[] = [];
  let listedSlot = 0;
  let isWhole = false;
  let isAnswered = true;
  let isSecond = chain.reader.nodes > 1;
  for (let pages = 0; !isWhole && pages < JOINING_PAGES_MAX; pages++) {
    const last = lines.at(-1);
    if (pages >= PAGES_MAX && (!isSecond || last!.slot < covered)) break;
    const query = {
      limit: PAGE_MAX,
      ...(until === null ? {} : { until }),
      ...(last === undefined ? {} : { before: last.signature }),
    };
    // The feed asks the node that answered about the head. If no other answers, ask it again: it may show signatures late.
    const page = (isSecond ? await fetchPage(query, head.node) : null) ?? (await fetchPage(query));
    isAnswered = page !== null;
    if (page === null) break;
    isSecond &&= page.node !== head.node;
    if (pages === 0) listedSlot = page.slot;
    const fresh = page.value.filter((line) => line.slot >= from);
    lines.push(...fresh);
    isWhole = fresh.length < PAGE_MAX;
  }
  await saveMissed(database, chain.environment, lines);
  const isJoined = isAnswered && (isWhole || lines.at(-1)!.slot < covered);
  if (isSecond && isJoined && listedSlot >= head.slot && head.value.blockTime !== null)
    second.through = { slot: head.slot, watermark: head.value.blockTime };
  return false;
}
