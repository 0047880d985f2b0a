import { resolve } from "node:path";
import type pg from "pg";
import type { ActionSender } from "../chain/actionSender.ts";
import type { Environment } from "../domain/terms.ts";
import type { App } from "../edge/http/app.ts";
import type { Connections } from "../edge/http/connections.ts";
import type { Figure } from "../edge/http/metrics.ts";
import type { Chain } from "../features/chains/chain.ts";
import type { ChainHeads } from "../features/chains/head.ts";
import type { LiveStates } from "../features/checkout/page/liveStates.ts";
import type { DomainCheckDeps } from "../features/domains/check.ts";
import type { EventWaiting } from "../features/events/longPoll.ts";
import type { RatesDeps } from "../features/rates/load.ts";
import type { RequestRecorder } from "../features/requests/recorder.ts";
import type { KeyRing } from "../features/webhooks/sending/secret.ts";
import { Listeners } from "../lib/listeners.ts";
import { type Log, log } from "../lib/log.ts";
import type { ConnectionLimit } from "../store/connectionLimit.ts";
import type { Database } from "../store/database.ts";
import type { SessionLocks } from "../store/locks.ts";
import type { MovableDatabase, Place } from "../store/place.ts";
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

/** A pool of a cell. Each plans in its own way, and cells share the limit of its connections. */
export interface Pool {
  readonly connectionsMax: number;
  readonly statementTimeoutMs: number;
  readonly planning: string;
}
export type ConnectionLimits = ReadonlyMap<Pool, ConnectionLimit>;

/** The HTTP server of a process, before it listens. */
export interface HttpServer {
  readonly app: App;
  readonly connections: Connections;
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
  readonly heads: ChainHeads = new Map();
  /** The figures of the process itself; those of the database are the cells'. */
  readonly figures: Figure[] = [];
  connection!: pg.ClientConfig;
  /** Cell 0, in the main database, is the first. */
  cells: readonly CellRun[] = [];
  /** Of the connections of several cells. */
  limits: ConnectionLimits = new Map();
  lookups!: DomainCheckDeps & Pick<RatesDeps, "fetchFile">;
  http!: HttpServer;
  /** The chains of the settings, which no cell has joined yet. */
  chains: readonly JoinedChain[] = [];
  /** Send the actions that people signed, for each chain. */
  readonly actionSenders = new Map<Environment, ActionSender>();
  /** Runs only if no chain is configured. */
  local: LocalChain | null = null;
  demo: Demo | null = null;
  /** The keys of webhook secrets; null: this process has none. */
  ring: KeyRing | null = null;

  constructor(config: Config, shutdown: Shutdown) {
    this.config = config;
    this.shutdown = shutdown;
    this.dataDir = resolve(config.dataDir);
  }

  /** Cell 0. Its database is also that of users and sessions. */
  get main(): CellRun {
    return this.cells[0]!;
  }
}

/** One cell within a process: no object of it serves another cell. */
export class CellRun {
  readonly run: Run;
  readonly number: number;
  place: Place;
  databases!: Databases;
  /** Every database of it, unless it is cell 0. */
  readonly movable: MovableDatabase[] = [];
  /** Passes on the businesses for which this process recorded events. */
  readonly eventsRecorded = new Listeners<readonly string[]>();
  readonly log: Log;
  readonly figures: Figure[] = [];
  chains: readonly JoinedChain[] = [];
  /** Records requests of the merchant API; null if the settings switch that off. */
  requestLog: RequestRecorder | null = null;
  /** The routes of the cell's doors. */
  app!: App;
  /** The routes that answer for the cell: those of its doors, once they are open. */
  answering!: App;
  locks!: SessionLocks;
  waiting!: EventWaiting;
  /** The states that it streams to buyers' pages; empty: this process shows none. */
  live: readonly Pick<LiveStates<never>, "stop">[] = [];

  /** The parts that begin once the cell can be reached; null: it can, or could be since. */
  #postponed: (() => Promise<unknown>)[] | null = null;

  constructor(run: Run, number: number, place: Place) {
    this.run = run;
    this.number = number;
    this.place = place;
    this.log = number === 0 ? log : (message, ...more) => log(`Cell ${number}: ${message}`, ...more);
  }

  get isAway(): boolean {
    return this.#postponed !== null;
  }

  /** The cell's server is away: its parts wait, and those of the others begin. */
  postpone(): void {
    this.#postponed = [];
  }

  async begin(work: () => Promise<unknown>): Promise<void> {
    if (this.#postponed === null) await work();
    else this.#postponed.push(work);
  }

  /** The server is there: begins what was postponed, in its order. What fails is begun again by the next call. */
  async resume(): Promise<void> {
    while (this.#postponed !== null && this.#postponed.length > 0) {
      await this.#postponed[0]!();
      this.#postponed.shift();
    }
    this.#postponed = null;
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

/** A part that each cell has of its own. */
export const ofEachCell =
  (start: (cell: CellRun) => Stop | Promise<Stop>): Part["start"] =>
  async ({ cells }) => {
    const stops: Stop[] = [];
    await Promise.all(cells.map((cell) => cell.begin(async () => stops.push(await start(cell)))));
    return async () => void (await Promise.all(stops.map((stop) => stop?.())));
  };

/** Starts the parts of the process's role, one after the other. Throws if one fails, or if a stop was requested meanwhile. */
export async function startParts(parts: readonly Part[], run: Run): Promise<void> {
  for (const { name, roles, start } of parts) {
    if (!roles.includes(run.config.role)) continue;
    const stop = await start(run);
    if (stop !== undefined) run.shutdown.add(name, stop);
    run.shutdown.check();
  }
}
