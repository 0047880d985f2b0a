import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 15;
/** A bound that means "hung", not "slow". */
const WAIT_MS_MAX = 30_000;

/** Reads again and again until the answer is there (not null, undefined or false), and gives it; fails in words after `msMax`. */
export async function eventually<Value>(
  what: string,
  read: () => Promise<Value | null | undefined | false> | Value | null | undefined | false,
  msMax = WAIT_MS_MAX,
): Promise<Value> {
  const giveUpAt = performance.now() + msMax;
  for (;;) {
    const value = await read();
    if (value !== null && value !== undefined && value !== false) return value;
    if (performance.now() > giveUpAt) throw new Error(`Not within ${msMax} ms: ${what}.`);
    await sleep(POLL_MS);
  }
}
