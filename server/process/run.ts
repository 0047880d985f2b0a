import { resolve } from "node:path";
import type pg from "pg";
import type { ActionSender } from "../chain/actionSender.ts";
import type { Chain } from "../chain/chain.ts";
import type { Environment } from "../domain/terms.ts";
import type { Figure } from "../edge/http/metrics.ts";
import type { createServer } from "../edge/http/server.ts";
import type { ChainHeads } from "../features/chains/head.ts";
import type { LiveStates } from "../features/checkout/page/liveStates.ts";
import type { DomainCheckDeps } from "../features/domains/check.ts";
import type { EventWaiting } from "../features/events/longPoll.ts";
import type { RatesDeps } from "../features/rates/load.ts";
import type { RequestRecorder } from "../features/requests/recorder.ts";
import type { KeyRing } from "../features/webhooks/sending/secret.ts";
import { Listeners } from "../lib/listeners.ts";
import type { Database } from "../store/database.ts";
import type { SessionLocks } from "../store/locks.ts";
import type { ChainSettings } from "./chainSettings.ts";
import type { Config } from "./config.ts";
import type { LocalChain } from "./local/chain.ts";
import type { Demo } from "./local/demo.ts";
import type { Shutdown } from "./shutdown.ts";

/** Each has separate connections, so that no list, sweep or figure makes a request or a delivery wait. */
export interface Databases {
  readonly database: Database;
  /** For lists, sweeps and figures. */
  readonly slowDatabase: Database;
}

/** The HTTP server of a process, before it listens. */
export interface HttpServer extends ReturnType<typeof createServer> {
  readonly locks: SessionLocks;
  readonly waiting: EventWaiting;
  /** The states that it streams to buyers' pages; empty: this process shows none. */
  live: readonly Pick<LiveStates<never>, "stop">[];
}

export interface JoinedChain {
  readonly chain: Chain;
  readonly settings: ChainSettings;
}

/** A process of the service: its settings, and the objects that its parts leave for the parts after them. */
export class Run {
  readonly config: Config;
  readonly shutdown: Shutdown;
  readonly dataDir: string;
  /** Passes on the businesses for which this process recorded events, and that it queued emails (`EMAILS_QUEUED`). */
  readonly eventsRecorded = new Listeners<readonly string[]>();
  readonly heads: ChainHeads = new Map();
  readonly figures: Figure[] = [];
  connection!: pg.ClientConfig;
  databases!: Databases;
  lookups!: DomainCheckDeps & Pick<RatesDeps, "fetchFile">;
  http!: HttpServer;
  chains: readonly JoinedChain[] = [];
  /** Send the actions that people signed, for each chain. */
  readonly actionSenders = new Map<Environment, ActionSender>();
  /** Runs only if no chain is configured. */
  local: LocalChain | null = null;
  demo: Demo | null = null;
  /** The keys of webhook secrets; null: this process has none. */
  ring: KeyRing | null = null;
  /** Records requests of the merchant API; null if the settings switch that off. */
  requestLog: RequestRecorder | null = null;

  constructor(config: Config, shutdown: Shutdown) {
    this.config = config;
    this.shutdown = shutdown;
    this.dataDir = resolve(config.dataDir);
  }
}

/** Stops a part; undefined: nothing of it runs on, or it added the stops of its pieces to the shutdown itself. */
export type Stop = (() => Promise<unknown>) | undefined;

export const stopAll = (loops: readonly { stop(): Promise<void> }[]): Stop => {
  return () => Promise.all(loops.map((loop) => loop.stop()));
};

export interface Part {
  readonly name: string;
  /** The roles of processes that run it. */
  readonly roles: readonly Config["role"][];
  readonly start: (run: Run) => Stop | Promise<Stop>;
}

/** Starts the parts of the process's role, one after the other. Throws if one fails, or if a stop was requested meanwhile. */
export async function startParts(parts: readonly Part[], run: Run): Promise<void> {
  for (const { name, roles, start } of parts) {
    if (!roles.includes(run.config.role)) continue;
    const stop = await start(run);
    if (stop !== undefined) run.shutdown.add(name, stop);
    run.shutdown.check();
  }
}
