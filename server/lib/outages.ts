/** An error that says that something the service needs is away. It is no fault of the code: its stack says nothing. */
export interface OutageError extends Error {
  /** What is away: "database", "chain". Of each, what is said once is not said again until all works. */
  readonly outage: string;
}

export const isOutage = (error: unknown): error is OutageError =>
  error instanceof Error && "outage" in error && typeof error.outage === "string";

interface Outage {
  readonly failing: Set<string>;
  readonly said: Set<string>;
}

const SAID_MAX = 100;

/** What is away, as all loops of a process see it together: a dozen that fail for one reason are one line. */
export class Outages {
  readonly #byWhat = new Map<string, Outage>();

  /** Whether to log it: false where somebody has said the same since it last worked. */
  note(who: string, what: string, message: string): boolean {
    const outage = this.#byWhat.get(what) ?? { failing: new Set(), said: new Set() };
    this.#byWhat.set(what, outage);
    outage.failing.add(who);
    if (outage.said.has(message) || outage.said.size >= SAID_MAX) return false;
    outage.said.add(message);
    return true;
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
}
