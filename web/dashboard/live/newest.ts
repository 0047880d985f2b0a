/** A row of a list that is newest first. */
interface Row {
  readonly id: string;
}

/** The newest rows, as just read. */
export interface Newest<Item extends Row> {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
}

export interface Followed<Item extends Row> {
  /** The shown rows, in their places and in their present state. */
  readonly rows: readonly Item[];
  /** The count of rows that are newer than the shown ones, or came late among them. */
  readonly newCount: number;
  /** True if more rows may be new than were read. */
  readonly isMore: boolean;
  /** The ids of shown rows that left the list, such as those that changed past its filter. */
  readonly gone: ReadonlySet<string>;
}

/**
 * Updates the shown rows from the newest rows of the same list. Nothing moves: rows keep their places, and new ones are
 * only counted. `orderOf` returns a text that grows with every newer row.
 */
export function compareNewest<Item extends Row>(
  shown: readonly Item[],
  newest: Newest<Item> | undefined,
  orderOf: (row: Item) => string,
): Followed<Item> {
  if (newest === undefined) return { rows: shown, newCount: 0, isMore: false, gone: new Set() };
  const { data, hasMore } = newest;
  const known = new Set(shown.map(({ id }) => id));
  const read = new Map(data.map((row) => [row.id, row]));
  const oldestShown = shown.at(-1);
  const oldestRead = data.at(-1);
  const fresh = data.filter(
    (row) => !known.has(row.id) && (oldestShown === undefined || orderOf(row) > orderOf(oldestShown)),
  );
  // The answer says nothing about rows older than its own.
  const isWithin = (row: Item) => !hasMore || (oldestRead !== undefined && orderOf(row) >= orderOf(oldestRead));
  return {
    rows: shown.map((row) => read.get(row.id) ?? row),
    newCount: fresh.length,
    isMore: hasMore && fresh.length === data.length,
    gone: new Set(shown.filter((row) => !read.has(row.id) && isWithin(row)).map(({ id }) => id)),
  };
}
