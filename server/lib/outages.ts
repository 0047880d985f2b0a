/** An error that says that something the service needs is unavailable. The code is not at fault: the stack is of no use. */
export interface OutageError extends Error {
  /** The unavailable thing: "database", "chain". */
  readonly outage: string;
  /** The reason: errors of one reason are one outage, whatever their messages. Without it the message counts. */
  readonly reason?: string;
}

export const isOutage = (error: unknown): error is OutageError =>
  error instanceof Error && "outage" in error && typeof error.outage === "string";

interface Outage {
  /** The loops that met it, and when they last did, by `performance.now()`; null: it has worked since. */
  readonly met: Map<string, number | null>;
  readonly said: Set<string>;
  /** The last time it was met, by `performance.now()`. */
  lastMetAt: number;
}

const SAID_MAX = 100;
/** An outage that no loop met counts as over once it was not met for this long. */
const UNSEEN_MS = 60_000;
/**
 * Ignore a loop that has reported nothing for 150 s: its step hangs. Waiting for it would hide the end of this outage and
 * the start of the next. The others try again every minute at least.
 */
const SILENT_MS = 150_000;

/** The outages that the parts of a process meet: a dozen parts that fail for one reason write one line. */
export class Outages {
  readonly #byWhat = new Map<string, Outage>();

  /**
   * Returns true if it should be logged: false if another part has met the same and not recovered yet. The loop `who` says
   * when it works again.
   */
  record(who: string, what: string, reason: string): boolean {
    const outage = this.#find(what);
    outage.met.set(who, outage.lastMetAt);
    return isNew(outage, reason);
  }

  /** The same for a failure that is not retried, such as a connection that broke while idle. */
  mention(what: string, reason: string): boolean {
    return isNew(this.#find(what), reason);
  }

  /** Records that a part works again; returns the outages that are over for all parts. */
  recover(who: string): string[] {
    const over: string[] = [];
    const now = performance.now();
    for (const [what, { met }] of this.#byWhat) {
      if (!met.has(who)) continue;
      met.set(who, null);
      if ([...met.values()].some((at) => at !== null && now - at <= SILENT_MS)) continue;
      this.#byWhat.delete(what);
      over.push(what);
    }
    return over;
  }

  #find(what: string): Outage {
    const now = performance.now();
    const known = this.#byWhat.get(what);
    const isOver = known === undefined || (known.met.size === 0 && now - known.lastMetAt > UNSEEN_MS);
    const outage = isOver ? { met: new Map<string, number | null>(), said: new Set<string>(), lastMetAt: now } : known;
    outage.lastMetAt = now;
    this.#byWhat.set(what, outage);
    return outage;
  }
}

function isNew({ said }: Outage, reason: string): boolean {
  if (said.has(reason) || said.size >= SAID_MAX) return false;
  said.add(reason);
  return true;
}

export const processOutages = new Outages();
