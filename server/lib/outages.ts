/** An error that says that something the service needs is away. It is no fault of the code: its stack says nothing. */
export interface OutageError extends Error {
  /** What is away: "database", "chain". */
  readonly outage: string;
  /** In what way: errors of one reason are one outage, in whatever words. Without it the words count. */
  readonly reason?: string;
}

export const isOutage = (error: unknown): error is OutageError =>
  error instanceof Error && "outage" in error && typeof error.outage === "string";

interface Outage {
  /** The loops that met it, and when they last did, by `performance.now()`; null: one has worked since. */
  readonly met: Map<string, number | null>;
  readonly said: Set<string>;
  /** By `performance.now()`. */
  notedAt: number;
}

const SAID_MAX = 100;
/** An outage that none of the loops met is taken for over when nobody has met it for so long. */
const UNSEEN_MS = 60_000;
/**
 * A loop that met it and is silent for so long fails no more: some wait for an hour before they look again, and until then
 * neither the end nor the next outage would be said. The others look every minute at least.
 */
const SILENT_MS = 150_000;

/** What is away, as all parts of a process see it together: a dozen that fail for one reason are one line. */
export class Outages {
  readonly #byWhat = new Map<string, Outage>();

  /** Whether to log it: false where somebody has met the same since it last worked. The loop `who` says when it works again. */
  note(who: string, what: string, reason: string): boolean {
    const outage = this.#find(what);
    outage.met.set(who, outage.notedAt);
    return isNew(outage, reason);
  }

  /** The same of what nobody tries again, such as a connection that broke while idle. */
  mention(what: string, reason: string): boolean {
    return isNew(this.#find(what), reason);
  }

  /** Somebody works again; answers with what is over for everybody. */
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
    const isOver = known === undefined || (known.met.size === 0 && now - known.notedAt > UNSEEN_MS);
    const outage = isOver ? { met: new Map<string, number | null>(), said: new Set<string>(), notedAt: now } : known;
    outage.notedAt = now;
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
