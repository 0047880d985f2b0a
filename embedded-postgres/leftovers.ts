import { readdirSync, readFileSync, readlinkSync, rmdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Marks the command line of every cluster we start, so that no other cluster is ever stopped. */
export const CLUSTER_NAME = "holdfast";

/**
 * Repairs what a dead owner left. Only the holder of the owner lock may call it. The watcher stops the cluster within two
 * seconds of its owner's death; a start that comes sooner, or after the watcher died too, finds it still running.
 */
export async function clearLeftovers(folder: string, data: string, log: (line: string) => void): Promise<void> {
  const postmasterFile = join(data, "postmaster.pid");
  const socketFolder = readQuietly(postmasterFile).split("\n")[4] ?? "";
  await stopOrphan(data, log);
  // The process number inside is stale and may belong to another process by now: PostgreSQL would refuse to start.
  rmSync(postmasterFile, { force: true });
  removeSocketFolder(socketFolder);
  for (const name of readdirSync(folder)) {
    if (name.startsWith("initdb-")) rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Removes PostgreSQL's own files there and nothing else, since the path comes from a file. */
function removeSocketFolder(folder: string): void {
  if (!/^holdfast-\w+$/.test(basename(folder))) return;
  for (const name of [".s.PGSQL.5432", ".s.PGSQL.5432.lock"]) rmSync(join(folder, name), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // It does not exist any more.
  }
}

async function stopOrphan(data: string, log: (line: string) => void): Promise<void> {
  let running = findServers(data);
  if (running.length === 0) return;
  const parent = running.find((pid) => readQuietly(`/proc/${pid}/cmdline`).includes(`cluster_name=${CLUSTER_NAME}\0`));
  const postmaster = Number.parseInt(readQuietly(join(data, "postmaster.pid")), 10);
  if (parent === undefined && running.includes(postmaster)) {
    throw new Error(`A PostgreSQL that Holdfast did not start (pid ${postmaster}) runs on ${data}. Stop it first.`);
  }
  log("Stopping the PostgreSQL that a run which died left behind.");
  const steps = [
    { signal: "SIGINT", waitMs: 3_000 },
    { signal: "SIGQUIT", waitMs: 3_000 },
    { signal: "SIGKILL", waitMs: 3_000 },
  ] as const;
  for (const { signal, waitMs } of steps) {
    // A backend without its parent gets the signal directly; otherwise the parent passes it on.
    for (const pid of parent === undefined ? running : [parent]) killQuietly(pid, signal);
    for (let waitedMs = 0; waitedMs < waitMs; waitedMs += 20) {
      running = findServers(data);
      if (running.length === 0) return;
      await sleep(20);
    }
    if (signal === "SIGQUIT") for (const pid of running) killQuietly(pid, "SIGKILL");
  }
  throw new Error(`A PostgreSQL left on ${data} does not stop (pid ${running.join(", ")}).`);
}

/** Finds PostgreSQL's processes by their working folder, which is the data folder, even for backends whose parent has ended. */
function findServers(data: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter(
      (pid) => readlinkQuietly(`/proc/${pid}/cwd`) === data && readQuietly(`/proc/${pid}/comm`).trim() === "postgres",
    )
    .map(Number);
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // gone, or another user's
  }
}

function readlinkQuietly(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function killQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}
