const METHODS_MAX = 200;

/** Counts the requests of each method, over all nodes. */
export class Requests {
  readonly #counts = new Map<string, number>();

  count(method: string): void {
    const known = this.#counts.get(method);
    if (known === undefined && this.#counts.size >= METHODS_MAX) return;
    this.#counts.set(method, (known ?? 0) + 1);
  }

  byMethod = (): Record<string, number> => Object.fromEntries(this.#counts);
}
