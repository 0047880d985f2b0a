import { ErrorState, Skeleton } from "@holdfast/ui/states.tsx";
import type { ReactNode } from "react";
import { ApiError } from "../api/client.ts";
import { messageOf } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";

export interface Reading<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** Shows the data of a query, a placeholder while it loads, or the error. Data stays on the page while it loads again. */
export function QueryState<Data>({
  query,
  children,
}: {
  readonly query: Reading<Data>;
  readonly children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error === null) return <Skeleton />;
  const isForbidden = query.error instanceof ApiError && query.error.code === "forbidden";
  return (
    <ErrorState
      title={isForbidden ? texts.shell.forbidden : texts.shell.failed}
      message={messageOf(query.error)}
      requestId={query.error instanceof ApiError ? query.error.requestId : null}
      {...(isForbidden ? {} : { onRetry: () => void query.refetch() })}
    />
  );
}
