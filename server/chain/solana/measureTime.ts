import type { Clock } from "./clock.ts";
import { SLOT_AGE_MS_MAX, SLOT_MS_MIN } from "./limits.ts";

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
      const now = { number, atMs: clock.now() };
      if (newest !== null && number <= newest.number) {
        // A node that is behind tells nothing new, unless nothing newer was seen for long: then that was a mistake.
        if (now.atMs - newest.atMs > SLOT_AGE_MS_MAX) begun = newest = now;
        return;
      }
      newest = now;
      begun ??= newest;
      const [passed, tookMs] = [number - begun.number, newest.atMs - begun.atMs];
      if (passed < PASSED_MIN) return;
      measuredMs = Math.min(Math.max(tookMs / passed, SLOT_MS_MIN), MS_MAX);
      if (tookMs > MEASURED_MS_MAX) begun = newest;
    },
  };
}
