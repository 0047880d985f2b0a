// The processes of a played shop.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

const START_MS_MAX = 120_000;
const POLL_MS = 200;

/** Kills a detached process and all that it started, at once. */
export async function killGroup(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  process.kill(-child.pid!, "SIGKILL");
  await ended;
}

/** Waits until a shop answers at an address. */
export async function awaitAnswer(child: ChildProcess, url: string): Promise<void> {
  for (const endsAt = performance.now() + START_MS_MAX; performance.now() < endsAt; await sleep(POLL_MS)) {
    if (child.exitCode !== null) throw new Error("The shop ended at its start.");
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error("The shop did not start in time.");
}

/** Reads again until there is an answer. */
export async function awaitValue<Value>(read: () => Promise<Value | undefined>, failure: string): Promise<Value> {
  for (const endsAt = performance.now() + ENTERED_MS_MAX; performance.now() < endsAt; await sleep(POLL_MS)) {
    const value = await read();
    if (value !== undefined) return value;
  }
  throw new Error(failure);
}
/** Longer than the slowest machine takes: it means that the shop hangs. */
const ENTERED_MS_MAX = 600_000;
