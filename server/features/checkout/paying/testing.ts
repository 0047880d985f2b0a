/** Repeats the work if the database's minute ended within it: then its counts started again. */
export async function withinOneMinute(work: () => Promise<void>): Promise<void> {
  for (;;) {
    const startedAt = Math.floor(Date.now() / 60_000);
    const failure = await work().then(
      () => null,
      (error: unknown) => ({ error }),
    );
    if (failure === null) return;
    if (Math.floor(Date.now() / 60_000) === startedAt) throw failure.error;
  }
}
