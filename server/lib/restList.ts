import { outcomeOf } from "./isolate.ts";

/**
 * Names of failed things, each to be skipped for a while: twice as long after every failure in a row. Kept in memory only,
 * since a restart may bring the remedy.
 */
export class RestList {
  readonly #firstMs: number;
  readonly #maxMs: number;
  readonly #sizeMax: number;
  readonly #now: () => number;
  readonly #rests = new Map<string, { readonly untilMs: number; readonly ms: number }>();

  constructor(
    firstMs: number,
    maxMs: number,
    { sizeMax = 10_000, now = () => performance.now() }: { sizeMax?: number; now?: () => number } = {},
  ) {
    this.#firstMs = firstMs;
    this.#maxMs = maxMs;
    this.#sizeMax = sizeMax;
    this.#now = now;
  }

  /** Lists the names to skip now. */
  list(): string[] {
    this.#forgetOld();
    return [...this.#rests.keys()].filter((name) => this.has(name));
  }

  has(name: string): boolean {
    return (this.#rests.get(name)?.untilMs ?? Number.NEGATIVE_INFINITY) > this.#now();
  }

  /** Records a failure and returns the wait in milliseconds. Null: the list is full, so this name is not skipped. */
  rest(name: string): number | null {
    const last = this.#rests.get(name);
    if (last === undefined && this.#rests.size >= this.#sizeMax) return null;
    const ms = last === undefined ? this.#firstMs : Math.min(2 * last.ms, this.#maxMs);
    this.#rests.set(name, { untilMs: this.#now() + ms, ms });
    return ms;
  }

  /**
   * Does the work of a name: success forgets its failures, a failure is reported and rests. Returns false if it failed and
   * is not skipped, since the list is full. Throws an outage, which would meet every name.
   */
  async attempt(name: string, work: () => Promise<unknown>, report: (error: unknown) => void): Promise<boolean> {
    const outcome = await outcomeOf(work);
    if (outcome.ok) {
      this.forget(name);
      return true;
    }
    report(outcome.error);
    return this.rest(name) !== null;
  }

  forget(name: string): void {
    this.#rests.delete(name);
  }

  /** Forgets names that have not failed again for the longest wait after their own: they recovered or no longer exist. */
  #forgetOld(): void {
    const oldest = this.#now() - this.#maxMs;
    for (const [name, { untilMs }] of this.#rests) if (untilMs < oldest) this.#rests.delete(name);
  }
}
