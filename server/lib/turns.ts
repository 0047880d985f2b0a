import { OverloadedError } from "./batch.ts";

interface Queue {
  running: number;
  /** Each begins its work. */
  readonly waiting: (() => void)[];
}

interface TurnsOptions {
  /** Pieces of work of one name that run or wait. */
  readonly waitingMax: number;
  readonly waitMsMax?: number;
  /** Pieces of work of one name that run at the same time; default 1. */
  readonly atOnce?: number;
}

/**
 * Bounds the work of one name that runs at the same time in this process; the rest waits in order. Work that waits for one
 * lock then holds few connections, and not all of them. Throws {@link OverloadedError} if too much waits, or when the turn
 * of work that waited too long comes.
 */
export class Turns {
  readonly #queues = new Map<string, Queue>();
  readonly #options: Required<TurnsOptions>;

  constructor({ waitingMax, waitMsMax = Number.POSITIVE_INFINITY, atOnce = 1 }: TurnsOptions) {
    this.#options = { waitingMax, waitMsMax, atOnce };
  }

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const { waitingMax, waitMsMax, atOnce } = this.#options;
    const queue = this.#queues.get(name) ?? { running: 0, waiting: [] };
    if (queue.running + queue.waiting.length >= waitingMax)
      throw new OverloadedError(`Too many calls wait for ${name}.`);
    this.#queues.set(name, queue);
    const since = performance.now();
    if (queue.running < atOnce) queue.running++;
    else await new Promise<void>((begin) => queue.waiting.push(begin));
    try {
      if (performance.now() - since > waitMsMax) throw new OverloadedError(`The wait for ${name} was too long.`);
      return await work();
    } finally {
      const next = queue.waiting.shift();
      if (next !== undefined) next();
      else if (--queue.running === 0) this.#queues.delete(name);
    }
  }
}
