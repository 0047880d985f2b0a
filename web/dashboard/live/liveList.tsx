import { Button } from "@holdfast/ui/button.tsx";
import { type ReactNode, useRef } from "react";

/**
 * A list with what is new above it. The button lies over the list and takes no room, so that no row moves when it comes; it
 * stays in sight while the reader is further down.
 */
export function LiveList({
  newCount,
  isMore,
  isBehind,
  onShow,
  children,
}: {
  readonly newCount: number;
  readonly isMore: boolean;
  /** The last look failed. */
  readonly isBehind: boolean;
  readonly onShow: () => void;
  readonly children: ReactNode;
}) {
  const top = useRef<HTMLDivElement>(null);
  const show = () => {
    onShow();
    // The button is gone then: the focus goes to the beginning of what it led to.
    top.current?.focus({ preventScroll: true });
    top.current?.scrollIntoView({ block: "nearest" });
  };
  const text = isMore ? `${newCount}+ new` : `${newCount} new`;
  return (
    <div ref={top} tabIndex={-1} className="grid gap-5 outline-none">
      <div className="sticky top-3 z-10 -mb-5 grid h-0 justify-items-center">
        {newCount === 0 ? null : (
          <span className="-mt-3">
            <Button kind="primary" className="shadow-raised" onClick={show}>
              {text}
            </Button>
          </span>
        )}
      </div>
      {/* It speaks when there is something new for the first time, not at each further row. */}
      <p role="status" className="sr-only">
        {newCount === 0 ? "" : "There are new rows. The button above the list shows them."}
      </p>
      {isBehind ? (
        <p className="text-small text-soft">The list may be behind: the service could not be asked just now.</p>
      ) : null}
      {children}
    </div>
  );
}
