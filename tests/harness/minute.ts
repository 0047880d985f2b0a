import type { Merchant } from "./merchant.ts";

const TRIES_MAX = 3;

/** Seconds until the minute ends by the clock that counts requests: the database's. */
const secondsLeft = async (merchant: Merchant): Promise<number> =>
  Number((await merchant.get("/me")).headers["ratelimit-reset"]);

/** Repeats the work if it failed and the minute turned meanwhile: the count of requests began again then. */
export async function withinOneMinute(merchant: Merchant, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    const before = await secondsLeft(merchant);
    const failure = await work().then(
      () => null,
      (error: unknown) => error,
    );
    if (failure === null) return;
    if ((await secondsLeft(merchant)) <= before || tries >= TRIES_MAX) throw failure;
  }
}

/**
 * The same for a count of a process, whose minute nobody can read: it does not turn in two tries right behind each other. Each
 * try counts something of its own.
 */
export const inOneOfTwoMinutes = (work: (tries: number) => Promise<void>): Promise<void> =>
  work(1).catch(() => work(2));
