import { setTimeout as sleep } from "node:timers/promises";

/** The pauses between reads grow: a long wait is no load on the service that is read. */
const POLL_MS = { first: 15, max: 100, growth: 1.2 };
/** The one bound of the tests on any wait: longer than the slowest machine takes, so that it means "hung", never "slow". */
export const HUNG_MS = 10 * 60_000;

/** Reads again and again until the answer is there (not null, undefined or false), and returns it; fails in words after `msMax`. */
export async function eventually<Value>(
  what: string,
  read: () => Promise<Value | null | undefined | false> | Value | null | undefined | false,
  msMax = HUNG_MS,
): Promise<Value> {
  const giveUpAt = performance.now() + msMax;
  for (let pauseMs = POLL_MS.first; ; pauseMs = Math.min(POLL_MS.max, pauseMs * POLL_MS.growth)) {
    const value = await read();
    if (value !== null && value !== undefined && value !== false) return value;
    if (performance.now() > giveUpAt) throw new Error(`Not within ${msMax} ms: ${what}.`);
    await sleep(pauseMs);
  }
}
