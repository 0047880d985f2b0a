/** The clock of this folder, so that tests can move it: rests, time-outs and reconnecting wait on nothing else. */
export interface Clock {
  /** Milliseconds that only ever grow; no calendar. */
  now(): number;
  /** Runs once after `ms`; the function returned cancels it. */
  after(ms: number, run: () => void): () => void;
}

export const realClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
