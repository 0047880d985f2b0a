import { OverloadedError } from "./batch.ts";

interface Queue {
  last: Promise<unknown>;
  waiting: number;
}

/**
 * Runs the work of one name one piece after another, in this process. Work that waits for one lock then holds one connection,
 * and not all of them. Throws {@link OverloadedError} if too much waits, or when the turn of what waited too long comes.
 */
export class Turns {
  readonly #queues = new Map<string, Queue>();
  readonly #waitingMax: number;
  readonly #waitMsMax: number;

  constructor(waitingMax: number, waitMsMax = Number.POSITIVE_INFINITY) {
    this.#waitingMax = waitingMax;
    this.#waitMsMax = waitMsMax;
  }

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(name) ?? { last: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= this.#waitingMax) throw new OverloadedError(`Too many calls wait for ${name}.`);
    this.#queues.set(name, queue);
    queue.waiting++;
    const since = performance.now();
    const turn = queue.last.then(() => {
      if (performance.now() - since > this.#waitMsMax) throw new OverloadedError(`The wait for ${name} was too long.`);
      return work();
    });
    // The next one does not care how this one ended.
    queue.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      if (--queue.waiting === 0) this.#queues.delete(name);
    }
  }
}
