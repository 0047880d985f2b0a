const minutes = (count: number): number => count * 60_000;
const hours = (count: number): number => count * 3_600_000;

/** The wait after each failure, from its end (§6.4.1). Nine attempts have eight waits between them. */
export const RETRY_WAITS_MS: readonly number[] = [
  minutes(1),
  minutes(5),
  minutes(30),
  hours(2),
  hours(6),
  hours(12),
  hours(24),
  hours(24),
];
export const ATTEMPTS_MAX = RETRY_WAITS_MS.length + 1;

/** An endpoint with this many deliveries abandoned in a row is disabled (§6.4.3). */
export const ABANDONED_IN_A_ROW_MAX = 5;
