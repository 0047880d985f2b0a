import { ApiError } from "./errors.ts";
import { type JsonText, showList, showObject } from "./show.ts";

/** The requested part of a list (§4.9). */
export interface Page {
  readonly limit: number;
  /** An item's id: the page begins with the next older item. */
  readonly startingAfter: string | null;
  /** An item's id: the page ends with the next newer item. */
  readonly endingBefore: string | null;
}

/**
 * Shows the page of a list statement's rows: newest first, one more than the limit if there are more. `upward`: the page
 * holds the oldest of them.
 */
export function showPage<Item>(
  rows: readonly Item[],
  limit: number,
  show: (item: Item) => string,
  upward = false,
): JsonText {
  const hasMore = rows.length > limit;
  const items = upward ? rows.slice(-limit) : rows.slice(0, limit);
  return showList(
    items.map((item) => show(item)),
    hasMore,
  );
}

/** Shows a page of a list that was read whole, newest first. Null: the cursor is none of its items. */
export function showPart<Item extends { readonly id: string }>(
  all: readonly Item[],
  { limit, startingAfter, endingBefore }: Page,
  show: (item: Item) => string,
): JsonText | null {
  const cursor = startingAfter ?? endingBefore;
  const at = cursor === null ? -1 : all.findIndex(({ id }) => id === cursor);
  if (cursor !== null && at === -1) return null;
  const upward = endingBefore !== null;
  return showPage(upward ? all.slice(Math.max(0, at - limit - 1), at) : all.slice(at + 1), limit, show, upward);
}

/** The most rows that a page of a list with free filters reads: each may lie on a database page of its own. */
export const SCANNED_MAX = 101;

/** A row that a list has read; `matches`: it passes the filters. */
export interface ScannedRow {
  readonly id: string;
  readonly matches: boolean;
}

/**
 * Shows the rows that match among those that were scanned, newest first. `isPart`: older rows were not scanned. `next` is
 * the id behind which the next page begins; null at the end of the list. `at`: the environment's time, by which periods end.
 */
export function showScanned<Row extends ScannedRow>(
  scanned: readonly Row[],
  isPart: boolean,
  { limit, at }: Pick<Page, "limit"> & { readonly at: Date },
  show: (row: Row) => object,
): JsonText {
  const matching = scanned.filter(({ matches }) => matches);
  const isFull = matching.length > limit;
  const next = isFull ? matching[limit - 1]!.id : isPart ? scanned.at(-1)!.id : null;
  const data = matching.slice(0, limit).map((row) => show(row));
  return showObject({ object: "list", data, hasMore: next !== null, next, at });
}

/** Makes the error for a cursor that is not in the list (§4.9.5). `item` has its article: "a payment". */
export const missingCursor = (page: Pick<Page, "startingAfter">, item: string): ApiError =>
  new ApiError(
    "not_found",
    `${page.startingAfter === null ? "ending_before" : "starting_after"} must be the id of ${item} of this list: there is none with this id for this key's business and environment.`,
  );
