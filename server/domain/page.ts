import { ApiError } from "./errors.ts";
import { type JsonText, showList } from "./show.ts";

/** The part of a list that was asked for (§4.9). */
export interface Page {
  readonly limit: number;
  /** The id of an item: the page begins with the next older one. */
  readonly startingAfter: string | null;
  /** The id of an item: the page ends with the next newer one. */
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

/** §4.9.5: the page's cursor is no item of the list. `item` with its article: "a payment". */
export const missingCursor = (page: Pick<Page, "startingAfter">, item: string): ApiError =>
  new ApiError(
    "not_found",
    `${page.startingAfter === null ? "ending_before" : "starting_after"} must be the id of ${item} of this list: there is none with this id for this key's business and environment.`,
  );
