import type { Log } from "../lib/log.ts";

interface Part {
  readonly name: string;
  readonly stop: () => Promise<unknown>;
}

/** The process ends after this long, even if some part has not stopped. */
const STOP_MS_MAX = 4_500;

/**
 * Stops the parts of the service, the last started first, on SIGINT or SIGTERM, or when a part that the others need ends
 * by itself. Work in flight is drained. A second signal changes nothing: Ctrl-C arrives twice, from the terminal and from
 * npm.
 */
export class Shutdown {
  readonly #parts: Part[] = [];
  readonly #log: Log;
  begun = false;

  constructor(log: Log, signals: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM"]) {
    this.#log = log;
    for (const signal of signals) process.on(signal, () => void this.run(0));
  }

  /** Adds a part that runs from now on. `exited` settles when the part ends by itself, which ends the service. */
  add(name: string, stop: () => Promise<unknown>, exited?: Promise<unknown>): void {
    this.#parts.push({ name, stop });
    void exited?.then(() => {
      if (this.begun) return;
      this.#log(`The ${name} ended unexpectedly, so the service stops. Start it again.`);
      void this.run(1);
    });
    // The part was started while the others were stopping.
    if (this.begun) void stop();
  }

  /** Throws if a stop was requested during the start, so that the start goes no further. */
  check(): void {
    if (this.begun) throw new Error("stopped during the start");
  }

  async run(code: number): Promise<void> {
    if (this.begun) return;
    this.begun = true;
    const timer = setTimeout(() => {
      this.#log("Some parts did not stop in time. Exiting anyway.");
      process.exit(code === 0 ? 1 : code);
    }, STOP_MS_MAX);
    for (const part of this.#parts.toReversed())
      await part.stop().catch((error: unknown) => this.#log(`The ${part.name} did not stop cleanly.`, error));
    clearTimeout(timer);
    process.exit(code);
  }
}
