import { followLife, type TransactionLife } from "@holdfast/wallet/life.ts";
import { useEffect, useRef, useState } from "react";

interface LifeOptions {
  readonly ask: (transaction: string) => Promise<TransactionLife>;
  readonly onEnd: (kind: "too_late" | "failed") => void;
}

/**
 * Follows a transaction until the chain can no longer take it; null: none. Returns the seconds that are left, null while
 * they are not known.
 */
export function useLife(transaction: string | null, options: LifeOptions): number | null {
  const [seconds, setSeconds] = useState<number | null>(null);
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    setSeconds(null);
    if (transaction === null) return;
    return followLife({
      ask: () => latest.current.ask(transaction),
      onLeft: setSeconds,
      onEnd: (status) => latest.current.onEnd(status === "ended" ? "too_late" : "failed"),
    });
  }, [transaction]);
  return seconds;
}
