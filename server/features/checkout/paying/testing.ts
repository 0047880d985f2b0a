const TRIES_MAX = 3;

/** Repeats the work if it failed and a minute of this machine's clock, which is the database's, ended within it. */
export async function withinClockMinute(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    const startedAt = Math.floor(Date.now() / 60_000);
    const failure = await work().then(
      () => null,
      (error: unknown) => ({ error }),
    );
    if (failure === null) return;
    if (Math.floor(Date.now() / 60_000) === startedAt || tries >= TRIES_MAX) throw failure.error;
  }
}
