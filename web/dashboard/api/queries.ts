import { infiniteQueryOptions, QueryClient, queryOptions } from "@tanstack/react-query";
import {
  ApiError,
  call,
  callList,
  callWrite,
  type InputOf,
  type ListId,
  type OperationId,
  type ResultOf,
  type WriteId,
} from "./client.ts";
import { CHANGES } from "./schema.ts";

const TRIES_MAX = 2;

/** Reads are shown at once and repeated in the background. Refusals are final; only failures are retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) =>
        count < TRIES_MAX && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
    },
  },
});

/** A read, under the name of its operation and its input. */
export const read = <Id extends Exclude<OperationId, WriteId>>(id: Id, input: InputOf<Id>) =>
  queryOptions({ queryKey: [id, input] as const, queryFn: () => call(id, input) });

/** A list that goes on page by page, each from the place where the one before ended. */
export const readPages = <Id extends ListId>(id: Id, input: InputOf<Id>) =>
  infiniteQueryOptions({
    queryKey: [id, input, "pages"] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => callList(id, input, { starting_after: pageParam }),
    getNextPageParam: ({ data, hasMore, next }) => (hasMore ? (next ?? data.at(-1)?.id) : undefined),
  });

/** Calls a write; returns its result once the reads that it changes were fetched again. */
export async function write<Id extends WriteId>(id: Id, input: InputOf<Id>): Promise<ResultOf<Id>> {
  try {
    const result = await callWrite(id, input);
    await readAgain(id);
    return result;
  } catch (error) {
    // It was done when its answer was lost: the page shows it.
    if (error instanceof ApiError && error.code === "sent_before") await readAgain(id);
    throw error;
  }
}

/** Fetches again the reads that a write changes, by its declaration. */
export const readAgain = (id: WriteId): Promise<unknown> =>
  Promise.all(CHANGES[id].map((read) => queryClient.invalidateQueries({ queryKey: [read] })));

/** The time between two reads of a page's object, while the page is in use. */
export const LIVE_MS = 5_000;
/** The same for the lower parts of a page. */
export const SLOW_MS = 15_000;

export const accountQuery = read("getAccount", {});
