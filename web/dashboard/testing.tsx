import { type Query, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { renderToReadableStream } from "react-dom/server.browser";
import { queryClient } from "./api/queries.ts";
import { router } from "./router.tsx";

/** A page reads, and shows parts that read further. */
const ROUNDS_MAX = 10;

// A read that failed stays so: a page in a browser tries it again when it is opened.
const { queries = {} } = queryClient.getDefaultOptions();
queryClient.setDefaultOptions({ queries: { ...queries, retryOnMount: false } });

/** Renders the page at a path to text, for tests without a browser: before its reads are answered, and after. */
export async function render(path: string): Promise<{ readonly loading: string; readonly read: string }> {
  queryClient.clear();
  router.update({ history: createMemoryHistory({ initialEntries: [path] }), scrollRestoration: false });
  await router.load();
  const loading = await renderToText();
  for (let read = loading, rounds = 0; rounds < ROUNDS_MAX; rounds++) {
    const awaited = queryClient.getQueryCache().getAll().filter(isAwaited);
    if (awaited.length === 0) return { loading, read };
    await Promise.allSettled(awaited.map((query) => query.fetch()));
    read = await renderToText();
  }
  // biome-ignore lint/plugin: not a text for readers
  throw new Error(`The page at ${path} reads on and on.`);
}

const isAwaited = ({ state, options }: Query): boolean =>
  state.status === "pending" && options.queryFn !== undefined && (options as { enabled?: unknown }).enabled !== false;

async function renderToText(): Promise<string> {
  const errors: unknown[] = [];
  const stream = await renderToReadableStream(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
    // All of it in its place, and no part behind the others for a script to move.
    { onError: (error) => void errors.push(error), progressiveChunkSize: Number.MAX_SAFE_INTEGER },
  );
  await stream.allReady;
  if (errors.length > 0) throw errors[0];
  return new Response(stream).text();
}
