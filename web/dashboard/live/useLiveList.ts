import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { call, type InputOf, type OperationId, type ResultOf } from "../api/client.ts";
import { LIVE_MS, type Listed, readPages } from "../api/queries.ts";
import { compareNewest, type Newest } from "./newest.ts";

/** The newest rows that are looked at: more than come in between two looks, as a rule. */
const LOOKED_AT = "50";

type RowOf<Id extends OperationId> = ResultOf<Id> extends { readonly data: readonly (infer Row)[] } ? Row : never;

/**
 * A list that follows what happens. Shown rows stay in their places and take on their new state; newer ones are counted
 * until the reader asks for them. One read every few seconds, none while nobody looks.
 */
export function useLiveList<Id extends OperationId>(
  id: Listed<Id>,
  input: InputOf<Id>,
  orderOf: (row: RowOf<Id>) => string,
  { isFollowing = true }: { readonly isFollowing?: boolean } = {},
) {
  type Row = RowOf<Id> & { readonly id: string };
  const queries = useQueryClient();
  const options = readPages<Id>(id, input);
  const list = useInfiniteQuery({
    ...options,
    // What is shown changes when the reader asks, and when something is done here.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  const newest = useQuery({
    queryKey: [id, input, "newest"] as const,
    queryFn: () => {
      const { query, ...rest } = input as { query?: Record<string, string> };
      return call(
        id,
        ...([{ ...rest, query: { ...query, limit: LOOKED_AT } }] as never),
      ) as Promise<unknown> as Promise<Newest<Row>>;
    },
    enabled: isFollowing && list.isSuccess,
    refetchInterval: LIVE_MS,
    gcTime: 0,
  });
  const pages = (list.data?.pages ?? []) as unknown as readonly Newest<Row>[];
  const shown = pages.flatMap(({ data }) => data);
  // While a part of the list is read again, what was read apart from it may be older.
  const read = list.isRefetching ? undefined : newest.data;
  const followed = compareNewest(shown, read, orderOf as (row: Row) => string);
  const showNew = () => {
    if (newest.data !== undefined)
      queries.setQueryData(options.queryKey, { pages: [newest.data as never], pageParams: [undefined] });
  };
  const isAwaited = list.isSuccess && shown.length === 0 && followed.newCount > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an empty list has no place that could be lost
  useEffect(() => {
    if (isAwaited) showNew();
  }, [isAwaited]);
  return { list, ...followed, showNew, isBehind: newest.isError };
}
