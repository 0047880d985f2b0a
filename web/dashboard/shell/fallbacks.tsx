import { ErrorState, Skeleton } from "@holdfast/ui/states.tsx";
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { ApiError } from "../api/client.ts";
import { messageOf } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";

/** The page for an address that does not exist or that the user may not see: the service answers both alike. */
const NotFoundPage = () => (
  <div className="mx-auto grid max-w-text gap-2 px-4 py-7">
    <h1 className="text-title font-semibold">{texts.shell.notFoundTitle}</h1>
    <p className="text-soft">{texts.shell.notFoundText}</p>
    <p>
      <Link to="/">{texts.shell.goHome}</Link>
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
        title={texts.shell.pageFailed}
        message={messageOf(error)}
        requestId={error instanceof ApiError ? error.requestId : null}
        onRetry={retry}
      />
    </div>
  );
}
