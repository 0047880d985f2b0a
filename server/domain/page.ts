import { ApiError } from "./errors.ts";

/** The part of a list that was asked for (§4.9). */
export interface Page {
  readonly limit: number;
  /** The id of an item: the page begins with the next older one. */
  readonly startingAfter: string | null;
  /** The id of an item: the page ends with the next newer one. */
  readonly endingBefore: string | null;
}

/** Splits the rows of a list statement (at most one more than the limit, newest first) into the page and whether there is more. */
export function cutPage<Item>(rows: readonly Item[], page: Page): { items: readonly Item[]; hasMore: boolean } {
  const hasMore = rows.length > page.limit;
  if (!hasMore) return { items: rows, hasMore };
  return { items: page.endingBefore === null ? rows.slice(0, page.limit) : rows.slice(-page.limit), hasMore };
}

/** §4.9.5: the page's cursor is no item of the list. `item` with its article: "a payment". */
export const missingCursor = (page: Pick<Page, "startingAfter">, item: string): ApiError =>
  new ApiError(
    "not_found",
    `${page.startingAfter === null ? "ending_before" : "starting_after"} must be the id of ${item} of this list: there is none with this id for this key's business and environment.`,
  );
