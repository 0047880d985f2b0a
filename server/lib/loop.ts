import type { Log } from "./log.ts";
import { isOutage, type Outages, processOutages } from "./outages.ts";

/** One bounded batch of work; true when there is more to do at once. */
export type Step = (signal: AbortSignal) => Promise<boolean>;

export interface Loop {
  /** Ends the wait, so that work known to be there starts now. */
  wake(): void;
  /** Stops after the step under way; resolves when it has. */
  stop(): Promise<void>;
}

/** When each running loop last ended a step without an error, by `performance.now()`. */
const lastEnded = new Map<string, number>();

/** The running loops of this process, and how long ago each last ended a step without an error. */
export const listLoops = (): { name: string; seconds: number }[] =>
  [...lastEnded].map(([name, at]) => ({ name, seconds: (performance.now() - at) / 1_000 }));

/**
 * Runs a step again and again: at once while there is more, else after `idleMs` or a wake. After an error the loop waits
 * as after an empty batch, so that a broken database or node is not hammered. A message that repeats is logged once; an outage
 * that several loops see is logged once for all of them.
 */
export function startLoop(name: string, idleMs: number, step: Step, log: Log, outages: Outages = processOutages): Loop {
  const stopping = new AbortController();
  const bell = new Bell();
  let lastError: string | null = null;

  lastEnded.set(name, performance.now());
  const run = async () => {
    while (!stopping.signal.aborted) {
      bell.silence();
      const more = await step(stopping.signal).then(
        (result) => {
          lastEnded.set(name, performance.now());
          if (lastError !== null) log(`${name}: works again.`);
          lastError = null;
          for (const what of outages.recover(name)) log(`The ${what} works again.`);
          return result;
        },
        (error: unknown) => {
          const message = error instanceof Error ? error.message : String(error);
          if (stopping.signal.aborted) return false;
          if (isOutage(error)) {
            // Without the error, which the log would hold to have been said.
            if (outages.note(name, whatOf(name, error.outage), error.reason ?? message))
              log(`${name}: ${message}`, undefined, "warn");
            return false;
          }
          if (message !== lastError) log(`${name}: ${message}`, error);
          lastError = message;
          return false;
        },
      );
      if (!more && !stopping.signal.aborted) await bell.wait(idleMs);
    }
  };
  const ended = run().finally(() => lastEnded.delete(name));
  return {
    wake: () => bell.ring(),
    stop: () => {
      stopping.abort();
      bell.ring();
      return ended;
    },
  };
}

/** The loops of a chain begin with its environment: two chains are away apart from each other. */
const whatOf = (name: string, outage: string): string => (outage === "chain" ? `${name.split(" ")[0]} chain` : outage);

/** A wait that can be cut short, also before it begins. It is used at every commit, so it creates no signal and no error. */
class Bell {
  #rung = false;
  #end: (() => void) | null = null;

  silence(): void {
    this.#rung = false;
  }

  ring(): void {
    this.#rung = true;
    this.#end?.();
  }

  async wait(ms: number): Promise<void> {
    if (this.#rung) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#end = resolve;
    await promise;
    this.#end = null;
    clearTimeout(timer);
  }
}
