import { Lru } from "./lru.ts";

interface Kept<Answer> {
  readonly atMs: number;
  readonly answer: Promise<Answer>;
}

interface KeptOptions {
  readonly keptMs: number;
  readonly keysMax?: number;
  readonly now?: () => number;
}

/** Keeps answers for a moment, so that all who ask for one meanwhile share a read. A failure is not kept. */
export class KeptAnswers<Answer> {
  readonly #kept: Lru<string, Kept<Answer>>;
  readonly #keptMs: number;
  readonly #now: () => number;

  constructor({ keptMs, keysMax = 1, now = () => performance.now() }: KeptOptions) {
    this.#kept = new Lru(keysMax);
    this.#keptMs = keptMs;
    this.#now = now;
  }

  read(key: string, fetch: () => Promise<Answer>): Promise<Answer> {
    const last = this.#kept.get(key);
    if (last !== undefined && this.#now() - last.atMs < this.#keptMs) return last.answer;
    const answer = fetch();
    const kept = { atMs: this.#now(), answer };
    this.#kept.set(key, kept);
    answer.catch(() => {
      if (this.#kept.get(key) === kept) this.#kept.set(key, { ...kept, atMs: Number.NEGATIVE_INFINITY });
    });
    return answer;
  }
}
