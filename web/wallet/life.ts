/** The service's judgment of a transaction, by the heights of the chain's blocks (§4.14.11). */
export interface TransactionLife {
  readonly status: "live" | "landed" | "failed" | "ended";
  /** An estimate; null once the transaction is not `live`. */
  readonly msLeft: number | null;
}

/** The time between two questions: half of what is left, within these bounds. */
const ASK_MS_MIN = 2_000;
const ASK_MS_MAX = 5_000;

interface LifeOptions {
  readonly ask: () => Promise<TransactionLife>;
  /** Called each second with the whole seconds that are left, by the last answer. */
  readonly onLeft: (seconds: number) => void;
  /** Called once, when it is certain that the transaction did nothing and never will. */
  readonly onEnd: (status: "failed" | "ended") => void;
}

/**
 * Follows a transaction until the chain can no longer take it. The seconds are an estimate of the next answers; only an
 * answer ends it, never a clock. Returns the function that stops it.
 */
export function followLife({ ask, onLeft, onEnd }: LifeOptions): () => void {
  let isStopped = false;
  let endsAtMs: number | null = null;
  let next: ReturnType<typeof setTimeout> | undefined;
  const msLeft = () => (endsAtMs === null ? null : endsAtMs - performance.now());
  const say = () => {
    const left = msLeft();
    if (left !== null) onLeft(Math.max(0, Math.floor(left / 1_000)));
  };
  const seconds = setInterval(say, 1_000);
  const stop = () => {
    isStopped = true;
    clearInterval(seconds);
    clearTimeout(next);
  };
  const look = async () => {
    const life = await ask().catch(() => null);
    if (isStopped) return;
    if (life?.status === "failed" || life?.status === "ended") {
      stop();
      onEnd(life.status);
      return;
    }
    endsAtMs = life?.msLeft == null ? endsAtMs : performance.now() + life.msLeft;
    say();
    const left = msLeft();
    next = setTimeout(look, Math.max(ASK_MS_MIN, Math.min(ASK_MS_MAX, (left ?? 0) / 2)));
  };
  void look();
  return stop;
}
