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
