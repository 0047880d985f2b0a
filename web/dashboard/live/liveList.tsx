import { Button } from "@holdfast/ui/button.tsx";
import { type ReactNode, useRef } from "react";
import * as texts from "../catalogue/index.ts";

/**
 * A list with the count of new rows above it. The button overlays the list and takes no room, so that no row moves when it
 * appears; it stays visible while the reader scrolls down.
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
  /** The last read of the newest rows failed. */
  readonly isBehind: boolean;
  readonly onShow: () => void;
  readonly children: ReactNode;
}) {
  const top = useRef<HTMLDivElement>(null);
  const show = () => {
    onShow();
    // The button disappears: the focus moves to the beginning of the list.
    top.current?.focus({ preventScroll: true });
    top.current?.scrollIntoView({ block: "nearest" });
  };
  return (
    <div ref={top} tabIndex={-1} className="grid gap-5 outline-none">
      <div className="sticky top-3 z-10 -mb-5 grid h-0 justify-items-center">
        {newCount === 0 ? null : (
          <span className="-mt-3">
            <Button kind="primary" className="shadow-raised" onClick={show}>
              {texts.pages.newRows(newCount, isMore)}
            </Button>
          </span>
        )}
      </div>
      {/* It announces the first new row, not each further one. */}
      <p role="status" className="sr-only">
        {newCount === 0 ? "" : texts.pages.newRowsHeard}
      </p>
      {isBehind ? <p className="text-small text-soft">{texts.pages.isBehind}</p> : null}
      {children}
    </div>
  );
}
