import { ErrorState, Skeleton } from "@holdfast/ui/states.tsx";
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { ApiError } from "../api/client.ts";
import { messageOf } from "../api/useAction.ts";

/** The page of something that is not there, or not for this user: the service says the same of both. */
const NotFoundPage = () => (
  <div className="mx-auto grid max-w-text gap-2 px-4 py-7">
    <h1 className="text-title font-semibold">There is nothing here</h1>
    <p className="text-soft">The address is wrong, or what it leads to is not in what you may see.</p>
    <p>
      <Link to="/">To the first page</Link>
    </p>
  </div>
);

/** The same, outside the frame of the pages. */
export const UnknownAddressPage = () => (
  <main>
    <NotFoundPage />
  </main>
);

export const LoadingPage = () => (
  <div className="mx-auto w-full max-w-page px-4 py-5">
    <Skeleton quietMs={0} />
  </div>
);

export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />;
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <div className="mx-auto max-w-text px-4 py-7">
      <ErrorState
        title="This page could not be opened"
        message={messageOf(error)}
        requestId={error instanceof ApiError ? error.requestId : null}
        onRetry={retry}
      />
    </div>
  );
}
