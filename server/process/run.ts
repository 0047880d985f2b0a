import { resolve } from "node:path";
import type { Figure } from "../edge/http/metrics.ts";
import type { ChainHeads } from "../features/chains/head.ts";
import { Listeners } from "../lib/listeners.ts";
import type { Config } from "./config.ts";
import type { Shutdown } from "./shutdown.ts";

/** Stops a part; undefined: nothing of it runs on, or it added the stops of its pieces to the shutdown itself. */
export type Stop = (() => Promise<unknown>) | undefined;

export const stopAll = (loops: readonly { stop(): Promise<void> }[]): Stop => {
  return () => Promise.all(loops.map((loop) => loop.stop()));
};

/** A process of the service: its settings, and what all its parts add to. */
export class Run {
  readonly config: Config;
  readonly shutdown: Shutdown;
  readonly dataDir: string;
  /** Passes on the businesses for which this process recorded events, and that it queued emails (`EMAILS_QUEUED`). */
  readonly eventsRecorded = new Listeners<readonly string[]>();
  readonly heads: ChainHeads = new Map();
  readonly figures: Figure[] = [];

  constructor(config: Config, shutdown: Shutdown) {
    this.config = config;
    this.shutdown = shutdown;
    this.dataDir = resolve(config.dataDir);
  }

  get isApi(): boolean {
    return this.config.role !== "worker";
  }

  get isWorker(): boolean {
    return this.config.role !== "api";
  }

  /** Waits for a part of the start. Throws if it fails, or if a stop was requested meanwhile. */
  async made<Made>(part: Promise<Made>): Promise<Made> {
    const made = await part;
    this.shutdown.check();
    return made;
  }

  /** Waits for a part that runs on until the process stops. Parts stop in the opposite order of their start. */
  async runs(name: string, part: Stop | Promise<Stop>): Promise<void> {
    const stop = await part;
    if (stop !== undefined) this.shutdown.add(name, stop);
    this.shutdown.check();
  }
}
