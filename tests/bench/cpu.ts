import { readdirSync, readFileSync } from "node:fs";
import type { Database } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";

/** Milliseconds of CPU, user and system, used so far. */
export interface CpuMs {
  readonly service: number;
  /** CPU of the postmaster and all its processes, also those that have ended. */
  readonly postgres: number;
  /** CPU of the local chain, which the service started. */
  readonly chain: number;
}

interface Process {
  readonly parent: number;
  readonly ownMs: number;
  /** CPU of children that have ended. */
  readonly endedMs: number;
}

const TICK_MS = 10;

/** A meter for a running service and the PostgreSQL on this machine that its database is in. */
export async function cpuMeter(servicePid: number, database: Database): Promise<() => CpuMs> {
  const backend = await database.row<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  const postmaster = readProcess(backend!.pid)!.parent;
  return () => {
    const processes = listProcesses();
    const isUnder = (pid: number, ancestor: number): boolean => {
      for (let at: number | undefined = pid; at !== undefined && at > 1; at = processes.get(at)?.parent)
        if (at === ancestor) return true;
      return false;
    };
    const used = { service: 0, postgres: 0, chain: 0 };
    for (const [pid, { ownMs, endedMs }] of processes)
      if (pid === servicePid) used.service += ownMs;
      else if (isUnder(pid, postmaster)) used.postgres += ownMs + endedMs;
      else if (isUnder(pid, servicePid)) used.chain += ownMs + endedMs;
    return used;
  };
}

export const cpuBetween = (before: CpuMs, after: CpuMs): CpuMs => ({
  service: after.service - before.service,
  postgres: after.postgres - before.postgres,
  chain: after.chain - before.chain,
});

function listProcesses(): Map<number, Process> {
  const found = new Map<number, Process>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    const one = Number.isInteger(pid) ? readProcess(pid) : null;
    if (one !== null) found.set(pid, one);
  }
  return found;
}

function readProcess(pid: number): Process | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return null; // ended since it was listed
  }
  // The name, in brackets, may hold anything; the numbers come after it.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  return {
    parent: fields[1]!,
    ownMs: (fields[11]! + fields[12]!) * TICK_MS,
    endedMs: (fields[13]! + fields[14]!) * TICK_MS,
  };
}
