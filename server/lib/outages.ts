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
  readonly failing: Set<string>;
  readonly said: Set<string>;
  /** By `performance.now()`. */
  notedAt: number;
}

const SAID_MAX = 100;
/** An outage that none of the loops met is taken for over when nobody has met it for so long. */
const UNSEEN_MS = 60_000;

/** What is away, as all parts of a process see it together: a dozen that fail for one reason are one line. */
export class Outages {
  readonly #byWhat = new Map<string, Outage>();

  /** Whether to log it: false where somebody has met the same since it last worked. The loop `who` says when it works again. */
  note(who: string, what: string, reason: string): boolean {
    const outage = this.#find(what);
    outage.failing.add(who);
    return isNew(outage, reason);
  }

  /** The same of what nobody tries again, such as a connection that broke while idle. */
  mention(what: string, reason: string): boolean {
    return isNew(this.#find(what), reason);
  }

  /** Somebody works again; answers with what is over for everybody. */
  recover(who: string): string[] {
    const over: string[] = [];
    for (const [what, { failing }] of this.#byWhat) {
      if (!failing.delete(who) || failing.size > 0) continue;
      this.#byWhat.delete(what);
      over.push(what);
    }
    return over;
  }

  #find(what: string): Outage {
    const now = performance.now();
    const known = this.#byWhat.get(what);
    const isOver = known === undefined || (known.failing.size === 0 && now - known.notedAt > UNSEEN_MS);
    const outage = isOver ? { failing: new Set<string>(), said: new Set<string>(), notedAt: now } : known;
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
