import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { callList, type InputOf, type ListId, type RowOf } from "../api/client.ts";
import { LIVE_MS, readPages } from "../api/queries.ts";
import { compareNewest } from "./newest.ts";

/** The newest rows that are read again: usually more than arrive between two reads. */
const NEWEST = "50";
/** Rows of a full page. A list whose pages read a limited number of rows may return fewer, though older ones match. */
const ROWS = 20;
/** Such pages are read on until there are as many rows, or this many pages. */
const PAGES = 10;
/** Rows change only when the reader asks, or acts on this page. */
const STILL = { staleTime: Number.POSITIVE_INFINITY, refetchOnReconnect: false, refetchOnWindowFocus: false };

/**
 * A list. With `orderOf`, which returns a text that grows with every newer row, it follows changes: shown rows keep their
 * places and take on their new state; newer ones are counted until the reader asks for them. It reads every few seconds,
 * and not while the page is unused. It does not end at the newest row unless `isFollowing`.
 */
export function useLiveList<Id extends ListId>(
  id: Id,
  input: InputOf<Id>,
  orderOf: ((row: RowOf<Id>) => string) | undefined,
  isFollowing: boolean,
) {
  const queries = useQueryClient();
  const options = readPages(id, input);
  const list = useInfiniteQuery({
    ...options,
    ...(orderOf === undefined ? {} : STILL),
  });
  const newest = useQuery({
    queryKey: [id, input, "newest"] as const,
    queryFn: () => callList(id, input, { limit: NEWEST }),
    enabled: orderOf !== undefined && isFollowing && list.isSuccess,
    refetchInterval: LIVE_MS,
    gcTime: 0,
  });
  const shown = list.data?.pages.flatMap(({ data }) => data) ?? [];
  // While a part of the list is read again, rows of a separate read may be older.
  const read = list.isRefetching ? undefined : newest.data;
  const followed = compareNewest(shown, read, orderOf ?? (({ id }) => id));
  const key = JSON.stringify(input);
  const [wanted, setWanted] = useState({ key, rows: ROWS, pages: PAGES });
  const { rows, pages } = wanted.key === key ? wanted : { rows: ROWS, pages: PAGES };
  const pagesRead = list.data?.pages.length ?? 0;
  const isShort = list.hasNextPage && shown.length < rows && pagesRead < pages;
  const isIdle = !list.isFetching && !list.isError;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that was read may ask for the next
  useEffect(() => {
    if (isShort && isIdle) void list.fetchNextPage();
  }, [isShort, isIdle, pagesRead]);
  const fetchMore = () => {
    setWanted({ key, rows: shown.length + ROWS, pages: pagesRead + PAGES });
    void list.fetchNextPage();
  };
  const showNew = () => {
    if (newest.data !== undefined)
      queries.setQueryData(options.queryKey, { pages: [newest.data], pageParams: [undefined] });
  };
  const isAwaited = list.isSuccess && shown.length === 0 && followed.newCount > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an empty list has no place to lose
  useEffect(() => {
    if (isAwaited) showNew();
  }, [isAwaited]);
  const more = {
    hasNextPage: list.hasNextPage,
    isFetchingNextPage: list.isFetchingNextPage || (isShort && isIdle),
    fetchNextPage: fetchMore,
  };
  const at = newest.data?.at ?? list.data?.pages.at(-1)?.at ?? "";
  return { list, more, ...followed, at, showNew, isBehind: newest.isError };
}
