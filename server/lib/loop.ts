import { setTimeout as sleep } from "node:timers/promises";

/** One bounded batch of work; true when there is more to do at once. */
export type Step = (signal: AbortSignal) => Promise<boolean>;

export interface Loop {
  /** Ends the wait, so that work known to be there starts now. */
  wake(): void;
  /** Stops after the step under way; resolves when it has. */
  stop(): Promise<void>;
}

/**
 * Runs a step again and again: at once while there is more, else after `idleMs` or a wake. An error waits like an empty
 * batch and is told once per distinct message in a row: a broken neighbour is neither hammered nor logged to death.
 */
export function startLoop(
  name: string,
  idleMs: number,
  step: Step,
  log: (message: string, error?: unknown) => void,
): Loop {
  const stopping = new AbortController();
  let waking = new AbortController();
  let lastError: string | null = null;

  const run = async () => {
    while (!stopping.signal.aborted) {
      waking = new AbortController();
      const more = await step(stopping.signal).then(
        (result) => {
          if (lastError !== null) log(`${name}: works again.`);
          lastError = null;
          return result;
        },
        (error: unknown) => {
          const message = error instanceof Error ? error.message : String(error);
          if (!stopping.signal.aborted && message !== lastError) log(`${name}: ${message}`, error);
          lastError = message;
          return false;
        },
      );
      if (!more)
        await sleep(idleMs, null, { signal: AbortSignal.any([stopping.signal, waking.signal]) }).catch(() => undefined);
    }
  };
  const ended = run();
  return {
    wake: () => waking.abort(),
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}
