import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { ReadFigures } from "./edge/metrics.ts";
import type { Log } from "./lib/log.ts";
import { type Beginning, FiguresExchange, type Message } from "./processChannel.ts";

export interface ApiProcessesOptions {
  readonly beginning: Omit<Beginning, "name">;
  /** The main process's own figures. */
  readonly readOwn: () => Promise<ReadFigures>;
  readonly log: Log;
}

const PROGRAM = fileURLToPath(new URL("./apiProcess.ts", import.meta.url));
const START_MS_MAX = 60_000;
/** Short of what the main process has for all of its parts. */
const STOP_MS_MAX = 4_000;
/** The wait before a successor: the first, and the most it doubles to while none lives for a minute. */
const RESTART_MS_MIN = 100;
const RESTART_MS_MAX = 10_000;
const SOUND_AFTER_MS = 60_000;
const FIGURES_MS_MAX = 1_000;

interface Running {
  readonly worker: Worker;
  readonly exchange: FiguresExchange;
}

/**
 * Several processes that answer behind one port, and a successor for each that ends. The main process has the port to
 * itself and hands connections out in turn; each child ends when the channel to the main process breaks, so with it.
 */
export class ApiProcesses {
  readonly #options: ApiProcessesOptions;
  readonly #running = new Map<string, Running>();
  readonly #stopping = new AbortController();
  #ended: Promise<unknown> = Promise.resolve();

  constructor(options: ApiProcessesOptions) {
    this.#options = options;
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({ exec: PROGRAM, args: [] });
  }

  /** Resolves once all of them listen; throws when one ends before. */
  async start(): Promise<void> {
    const names = Array.from({ length: this.#options.beginning.processes }, (_, index) => `api-${index + 1}`);
    const firsts = names.map((name) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      return { name, promise, resolve, reject };
    });
    this.#ended = Promise.all(firsts.map(({ name, resolve, reject }) => this.#keep(name, resolve, reject)));
    await Promise.all(firsts.map(({ promise }) => promise));
  }

  /** Asks all of them to drain, and ends those that do not. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const signalAll = (signal: "SIGTERM" | "SIGKILL") => {
      for (const { worker } of this.#running.values()) worker.process.kill(signal);
    };
    signalAll("SIGTERM");
    const timer = setTimeout(signalAll, STOP_MS_MAX, "SIGKILL");
    await this.#ended;
    clearTimeout(timer);
  }

  async #keep(name: string, listening: () => void, failed: (error: Error) => void): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    let listened = false;
    let waitMs = RESTART_MS_MIN;
    while (!signal.aborted) {
      const startedAt = performance.now();
      const how = await this.#live(name, () => {
        if (listened) log(`The API process ${name} answers again.`);
        listened = true;
        listening();
      });
      if (signal.aborted) break;
      if (!listened) return failed(new Error(`The API process ${name} ended at its start (${how}).`));
      if (performance.now() - startedAt > SOUND_AFTER_MS) waitMs = RESTART_MS_MIN;
      log(`The API process ${name} ended by itself (${how}); the next is started in ${waitMs} ms.`);
      await sleep(waitMs, null, { signal }).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, RESTART_MS_MAX);
    }
    failed(new Error("stopped during the start"));
  }

  /** One process from its start to its end; says how it ended. */
  async #live(name: string, onListening: () => void): Promise<string> {
    const { beginning, log } = this.#options;
    const worker = cluster.fork();
    hangUpWhenKilled(worker);
    const send = (message: Message): void => {
      // A process that ended meanwhile is noticed by its end.
      if (worker.isConnected()) worker.send(message, () => undefined);
    };
    const exchange = new FiguresExchange(send, () => this.#readAllBut(name));
    const late = setTimeout(() => {
      log(`The API process ${name} did not listen within ${START_MS_MAX / 1_000} s.`);
      worker.process.kill("SIGKILL");
    }, START_MS_MAX);
    worker.on("error", (error) => log(`The channel to the API process ${name} failed.`, error));
    worker.on("message", (message: Message) => {
      if (message.type === "hello") send({ type: "begin", name, ...beginning });
      if (message.type === "listening") {
        clearTimeout(late);
        onListening();
      }
      exchange.receive(message);
    });
    this.#running.set(name, { worker, exchange });
    const how = await new Promise<string>((resolve) =>
      worker.once("exit", (code, signal) => resolve(signal ?? `code ${code}`)),
    );
    clearTimeout(late);
    this.#running.delete(name);
    return how;
  }

  async #readAllBut(asker: string): Promise<readonly ReadFigures[]> {
    const others = [...this.#running].filter(([name]) => name !== asker);
    const read = await Promise.all([
      this.#options.readOwn().then((own) => [own]),
      ...others.map(([, { exchange }]) => exchange.ask(FIGURES_MS_MAX)),
    ]);
    return read.flat();
  }
}

/**
 * The connection on its way to a process that is killed just then would be forgotten open, and its client wait for ever:
 * node:cluster closes its end once the process has taken it. For each listener one is on its way at a time.
 */
function hangUpWhenKilled(worker: Worker): void {
  const child = worker.process as unknown as { send(message: { key?: string }, handle?: Closable): boolean };
  const handed = new Map<string, Closable>();
  const send = child.send.bind(child);
  child.send = (message, handle, ...rest: []) => {
    if (handle !== undefined && message.key !== undefined) handed.set(message.key, handle);
    return send(message, handle, ...rest);
  };
  worker.once("exit", (_code, signal) => {
    // Closing again what was closed does nothing. One that drains has given back what it did not take.
    if (signal !== null) for (const handle of handed.values()) handle.close();
  });
}

interface Closable {
  close(): void;
}
