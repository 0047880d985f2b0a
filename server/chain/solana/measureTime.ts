import type { Clock } from "./clock.ts";

/** Mainnet's shortest slot. An estimate begins with it, so that no page promises more time than there is. */
const MS_DEFAULT = 200;
const MS_MAX = 2_000;
/** The slots or blocks of a measurement, at least, and the time after which a new one begins. */
const PASSED_MIN = 20;
const MEASURED_MS_MAX = 300_000;

interface Measured {
  readonly number: number;
  readonly atMs: number;
}

/** Measures the time of a slot, or of a block, by the numbers that pass, at most some minutes back. */
export function measureTime(clock: Clock) {
  let begun: Measured | null = null;
  let newest: Measured | null = null;
  let measuredMs = MS_DEFAULT;
  return {
    ms: () => measuredMs,
    record(number: number) {
      if (newest !== null && number <= newest.number) return; // A node that is behind tells nothing new.
      newest = { number, atMs: clock.now() };
      begun ??= newest;
      const [passed, tookMs] = [number - begun.number, newest.atMs - begun.atMs];
      if (passed < PASSED_MIN) return;
      measuredMs = Math.min(tookMs / passed, MS_MAX);
      if (tookMs > MEASURED_MS_MAX) begun = newest;
    },
  };
}
