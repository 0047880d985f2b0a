import { readdirSync, readFileSync } from "node:fs";

/** Of a busy machine's /proc a sample reads some hundred small files, in 5 ms. */
const SAMPLE_MS = 500;
/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

interface Process {
  readonly owner: string;
  readonly startedAt: string;
  cpuMs: number;
}

/**
 * Adds up the CPU time of the processes below this one, each for its owner: what a child of this process was started with
 * as its last argument, and all below that child, also those that it leaves behind. What a process computes after its last
 * sample is missing.
 */
export class CpuMeter {
  readonly #known = new Map<number, Process>();
  readonly #spentMs = new Map<string, number>();
  readonly #timer = setInterval(() => this.sample(), SAMPLE_MS).unref();

  /** Milliseconds of CPU by owner so far; this process is its own owner, "". */
  read(): ReadonlyMap<string, number> {
    this.sample();
    const { user, system } = process.cpuUsage();
    return new Map([...this.#spentMs, ["", (user + system) / 1000]]);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  sample(): void {
    const alive = new Set<number>();
    const unowned: { pid: number; parent: number; cpuMs: number; startedAt: string }[] = [];
    for (const name of readdirSync("/proc")) {
      const pid = Number(name);
      const stat = Number.isInteger(pid) ? readStat(pid) : null;
      if (stat === null) continue;
      alive.add(pid);
      const known = this.#known.get(pid);
      if (known?.startedAt === stat.startedAt) this.#count(known, stat.cpuMs);
      else unowned.push({ pid, ...stat });
    }
    // A parent has the lower number, except where the numbers began anew.
    for (const { pid, parent, startedAt, cpuMs } of unowned) {
      this.#known.delete(pid);
      const owner = parent === process.pid ? lastArgument(pid) : this.#known.get(parent)?.owner;
      if (owner === undefined) continue;
      const added = { owner, startedAt, cpuMs: 0 };
      this.#known.set(pid, added);
      this.#count(added, cpuMs);
    }
    for (const pid of this.#known.keys()) if (!alive.has(pid)) this.#known.delete(pid);
  }

  #count(one: Process, cpuMs: number): void {
    this.#spentMs.set(one.owner, (this.#spentMs.get(one.owner) ?? 0) + cpuMs - one.cpuMs);
    one.cpuMs = cpuMs;
  }
}

/** Null: the process has ended. */
function readStat(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program, in brackets, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return {
      parent: Number(fields[1]),
      cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      startedAt: fields[19]!,
    };
  } catch {
    return null; // It ended after the folder was listed.
  }
}

function lastArgument(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").at(-2);
  } catch {
    return undefined; // It ended after its statistics were read.
  }
}
