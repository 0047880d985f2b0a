import { ErrorState, Skeleton } from "@holdfast/ui/states.tsx";
import type { ReactNode } from "react";
import { ApiError } from "../api/client.ts";
import { messageOf } from "../api/useAction.ts";

interface Reading<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** What was read, or that it is being read, or why it could not be. What was read before stays while it is read again. */
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
      title={isForbidden ? "Your role does not allow this" : "This could not be read"}
      message={messageOf(query.error)}
      requestId={query.error instanceof ApiError ? query.error.requestId : null}
      {...(isForbidden ? {} : { onRetry: () => void query.refetch() })}
    />
  );
}
