import type { Clock } from "../clock.ts";

export interface ManualClock extends Clock {
  /** Moves the time on and runs what falls due on the way, in order. */
  advance(ms: number): void;
  /** Milliseconds until each waiting timer falls due. */
  readonly due: readonly number[];
}

/** Time that moves only when a test says so. */
export function createManualClock(): ManualClock {
  let nowMs = 0;
  const timers = new Set<{ atMs: number; run: () => void }>();
  return {
    now: () => nowMs,
    after(ms, run) {
      const timer = { atMs: nowMs + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        const [next] = [...timers].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
        if (next === undefined) break;
        timers.delete(next);
        nowMs = next.atMs;
        next.run();
      }
      nowMs = untilMs;
    },
    get due() {
      return [...timers].map(({ atMs }) => atMs - nowMs);
    },
  };
}
