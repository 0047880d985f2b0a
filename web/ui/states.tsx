import { type ReactNode, useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { PART_TEXTS } from "./texts.ts";

/** An empty list: its future contents, and how to get them. */
export const EmptyState = ({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) => (
  <div className="grid justify-items-center gap-2 rounded-card border border-dashed border-line px-4 py-7 text-center">
    <p className="text-lead font-semibold">{title}</p>
    <div className="max-w-text text-soft">{children}</div>
    {action === undefined ? null : <div className="pt-2">{action}</div>}
  </div>
);

/** A failed read: the reason, and a button that retries. */
export const ErrorState = ({
  title,
  message,
  requestId,
  onRetry,
}: {
  readonly title: string;
  readonly message: string;
  readonly requestId?: string | null;
  readonly onRetry?: () => void;
}) => (
  <div role="alert" className="grid justify-items-start gap-2 rounded-card border border-line bg-bad-wash px-4 py-4">
    <p className="flex items-center gap-2 font-semibold text-bad">
      <Icon name="warning" />
      {title}
    </p>
    <p>{message}</p>
    {requestId ? <p className="text-small text-soft">{PART_TEXTS.requestId(requestId)}</p> : null}
    {onRetry === undefined ? null : <Button onClick={onRetry}>{PART_TEXTS.retry}</Button>}
  </div>
);

/** Shorter waits show nothing: a page that flickers is slower to read than a late one. */
const QUIET_MS = 150;

/** The placeholder of a list while it loads. */
export function Skeleton({ rows = 4, quietMs = QUIET_MS }: { readonly rows?: number; readonly quietMs?: number }) {
  const [isShown, setShown] = useState(quietMs === 0);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), quietMs);
    return () => clearTimeout(timer);
  }, [quietMs]);
  return (
    <div role="status" aria-label={PART_TEXTS.loading} className="grid min-h-[160px] content-start gap-3 py-3">
      {isShown
        ? Array.from({ length: rows }, (_, index) => (
            // The rows have no identity and never move.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <span key={index} className="h-[20px] rounded-small bg-hover" />
          ))
        : null}
    </div>
  );
}
