import type { Log } from "./log.ts";
import { isOutage, type Outages, processOutages } from "./outages.ts";

/** Does one bounded batch of work; returns true when more is due at once. */
export type Step = (signal: AbortSignal) => Promise<boolean>;

export interface Loop {
  /** Ends the wait, so that known work starts now. */
  wake(): void;
  /** Stops after the current step; resolves when it has stopped. */
  stop(): Promise<void>;
}

/** The longest wait after an error: a loop that runs hourly need not wait for an hour. */
const RETRY_MS_MAX = 60_000;
/**
 * The bound to which the wait of a frequent loop grows, and the first wait of a rare one: a broken database or node is spared,
 * and used soon after.
 */
const GROWN_MS_MAX = 5_000;

/** The time from which the next step of each running loop is due, by `performance.now()`. */
const dueAt = new Map<string, number>();

/** Lists the running loops of this process, with the seconds since each has owed a step without an error; 0 while it waits. */
export const listLoops = (): { name: string; seconds: number }[] =>
  [...dueAt].map(([name, at]) => ({ name, seconds: Math.max(0, performance.now() - at) / 1_000 }));

/** The steps that run now, with the names of their loops. */
const running = new Map<Promise<unknown>, string>();

/** Counts work as a step of a loop until it settles. */
export function trackStep<Result>(name: string, work: Promise<Result>): Promise<Result> {
  running.set(work, name);
  const end = () => running.delete(work);
  work.then(end, end);
  return work;
}

/** Resolves once the steps that run now in this process, of loops whose names begin so, have ended. */
export async function endOfSteps(prefix: string): Promise<void> {
  await Promise.allSettled([...running].flatMap(([work, name]) => (name.startsWith(prefix) ? [work] : [])));
}

/**
 * The wait after so many errors in a row. It doubles up to a bound, and half of it is random: the loops of all processes
 * would otherwise retry in step.
 */
function waitAfter(errors: number, idleMs: number): number {
  const first = Math.min(idleMs, GROWN_MS_MAX);
  const most = idleMs < GROWN_MS_MAX ? GROWN_MS_MAX : Math.min(idleMs, RETRY_MS_MAX);
  return Math.max(first, Math.min(first * 2 ** errors, most) * (0.5 + Math.random() / 2));
}

/**
 * Runs a step again and again: at once while more is due, else after `idleMs` or a wake. After an error the loop waits for
 * longer each time ({@link waitAfter}), so that a broken database or node is not hammered. A message that repeats is
 * logged once; an outage that several loops meet is logged once for all of them.
 */
export function startLoop(name: string, idleMs: number, step: Step, log: Log, outages: Outages = processOutages): Loop {
  const stopping = new AbortController();
  const bell = new Bell();
  let lastError: string | null = null;
  let errors = 0;

  dueAt.set(name, performance.now());
  const run = async () => {
    while (!stopping.signal.aborted) {
      bell.silence();
      // A wake makes a step due before its time.
      dueAt.set(name, Math.min(dueAt.get(name) ?? Infinity, performance.now()));
      let waitMs = idleMs;
      const more = await trackStep(name, step(stopping.signal)).then(
        (result) => {
          dueAt.set(name, performance.now() + (result ? 0 : idleMs));
          if (lastError !== null) log(`${name}: works again.`);
          lastError = null;
          errors = 0;
          for (const what of outages.recover(name)) log(`The ${what} works again.`);
          return result;
        },
        (error: unknown) => {
          const message = error instanceof Error ? error.message : String(error);
          if (stopping.signal.aborted) return false;
          waitMs = waitAfter(++errors, idleMs);
          if (isOutage(error)) {
            // The error is not passed: the log would skip it as a repeated outage.
            if (outages.record(name, whatOf(name, error.outage), error.reason ?? message))
              log(`${name}: ${message}`, undefined, "warn");
            return false;
          }
          if (message !== lastError) log(`${name}: ${message}`, error);
          lastError = message;
          return false;
        },
      );
      if (!more && !stopping.signal.aborted) await bell.wait(waitMs);
    }
  };
  const ended = run().finally(() => dueAt.delete(name));
  return {
    wake: () => bell.ring(),
    stop: () => {
      stopping.abort();
      bell.ring();
      return ended;
    },
  };
}

/** A loop of a chain begins with its environment: each of the two chains has its own outages. */
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
