const minutes = (count: number): number => count * 60_000;
const hours = (count: number): number => count * 3_600_000;

/** §6.4.1: the wait after each failure, from its end. Nine attempts have eight waits between them. */
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

/** §6.4.3: an endpoint with this many deliveries abandoned in a row is disabled. */
export const ABANDONED_IN_A_ROW_MAX = 5;
