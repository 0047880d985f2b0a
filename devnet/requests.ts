const METHODS_MAX = 200;

/** Counts the requests of each method over all nodes, and those of them that got an error. */
export class Requests {
  readonly #counts = new Map<string, number>();
  readonly #refused = new Map<string, number>();

  count = (method: string): void => add(this.#counts, method);

  countRefused = (method: string): void => add(this.#refused, method);

  stats = () => ({ requests: Object.fromEntries(this.#counts), refused: Object.fromEntries(this.#refused) });
}

function add(counts: Map<string, number>, method: string): void {
  const known = counts.get(method);
  if (known === undefined && counts.size >= METHODS_MAX) return;
  counts.set(method, (known ?? 0) + 1);
}
