import { infiniteQueryOptions, QueryClient, queryOptions } from "@tanstack/react-query";
import { ApiError, call, type InputOf, type OperationId, type ResultOf } from "./client.ts";

const TRIES_MAX = 2;

/** What was read is shown at once and read again in the background. Refusals are final; only failures are tried again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) =>
        count < TRIES_MAX && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
    },
  },
});

/** A read, under the name of its operation and what it was given: `queryClient.invalidateQueries({ queryKey: ["listMembers"] })`. */
export const read = <Id extends OperationId>(id: Id, input: InputOf<Id>) =>
  queryOptions({
    queryKey: [id, input] as const,
    queryFn: () => call(id, ...([input] as never)) as Promise<ResultOf<Id>>,
  });

/** How often what is on the page is read again, as long as somebody looks. */
export const LIVE_MS = 5_000;
/** The same for what goes with it, in its lower parts. */
export const SLOW_MS = 15_000;

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly hasMore: boolean;
}
export type Listed<Id extends OperationId> = ResultOf<Id> extends Page ? Id : never;

/** A list that goes on page by page, each from the last id of the one before. */
export const readPages = <Id extends OperationId>(id: Listed<Id>, input: InputOf<Id>) =>
  infiniteQueryOptions({
    queryKey: [id, input, "pages"] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const { query, ...rest } = input as { query?: Record<string, string> };
      return call(id, ...([{ ...rest, query: { ...query, starting_after: pageParam } }] as never)) as Promise<
        ResultOf<Id>
      >;
    },
    getNextPageParam: (page) => {
      const { data, hasMore } = page as Page;
      return hasMore ? data.at(-1)?.id : undefined;
    },
  });

export const accountQuery = read("getAccount", {});
