import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readWallets, type Wallets } from "@holdfast/devnet/chain.ts";
import { createTestDatabase } from "@holdfast/embedded-postgres/testing.ts";
import type { Address } from "@solana/kit";
import { setClockAhead } from "../../server/features/chains/queries.ts";
import { type Database, openDatabase } from "../../server/store/database.ts";
import { migrate } from "../../server/store/migrate.ts";
import { PATIENT } from "../../server/store/testing.ts";
import { findFreePorts } from "../harness/ports.ts";
import {
  type Ended,
  isTaken,
  PROJECT_ROOT,
  type Service,
  type Spawned,
  START_TRIES,
  spawnService,
} from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";
import { type ChainPace, ChainProcess } from "./chainProcess.ts";
import type { Evidence } from "./checker.ts";

type Settings = Readonly<Record<string, string>>;
type Members = Readonly<Record<string, unknown>>;

/** Nodes that the service did not start: the local chain's, or those of another maker. */
export interface Nodes {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly walletsDir: string;
  readonly ready: { readonly programId: Address; readonly operator: Address; readonly asset: Address };
  /** The URL of one of them. */
  node(name: string): string;
  control<Result>(method: string, params?: object): Promise<Result>;
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

export interface StandaloneOptions extends Partial<ChainPace> {
  /** Nodes of the chain in the service's settings, the preferred first. */
  readonly nodes?: readonly string[];
  /** The RPC URLs, made of those of nodes by their names; default those of `nodes`. */
  readonly rpcUrls?: (nodeUrl: (name: string) => string) => readonly string[];
  readonly env?: Settings;
  /** Further members of the chain's setting. */
  readonly chain?: Members;
  /** A database of the caller's; else one of the test run's PostgreSQL. */
  readonly databaseUrl?: string;
  /** The working tree of another build that runs first; default this one. */
  readonly root?: string;
}

/**
 * The real service as it is deployed: its chain and its database are other processes, so that each can fail alone. It keeps
 * its port from one life to the next. Code that plays merchant or buyer can use it like the harness's service.
 */
export class StandaloneService<Chain extends Nodes = ChainProcess> implements Service {
  readonly dataDir: string;
  readonly port: number;
  /** The working tree that its next life runs. */
  root: string;
  readonly chain: Chain;
  readonly database: Database;
  readonly wallets: Wallets;
  readonly #databaseUrl: string;
  readonly #env: Settings;
  readonly #members: Members;
  readonly #drop: () => Promise<void>;
  #spawned: Spawned | null = null;
  #errors = "";

  private constructor(
    dataDir: string,
    port: number,
    chain: Chain,
    databaseUrl: string,
    options: StandaloneOptions,
    drop: () => Promise<void>,
  ) {
    this.dataDir = dataDir;
    this.port = port;
    this.root = options.root ?? PROJECT_ROOT;
    this.chain = chain;
    this.#databaseUrl = databaseUrl;
    this.wallets = readWallets(chain.walletsDir);
    this.database = openDatabase({
      connection: { connectionString: databaseUrl },
      connectionsMax: 4,
      statementTimeoutMs: 120_000,
      times: PATIENT,
      log: () => undefined,
    });
    const nodes = options.nodes ?? ["one", "two"];
    const nodeUrl = (name: string) => chain.node(name);
    this.#env = {
      WEBHOOK_KEYS: JSON.stringify({ current: 1, keys: { 1: Buffer.alloc(32, 1).toString("base64") } }),
      ...options.env,
    };
    this.#members = {
      rpcUrls: options.rpcUrls?.(nodeUrl) ?? nodes.map(nodeUrl),
      wsUrls: chain.wsUrl,
      programId: chain.ready.programId,
      operator: chain.ready.operator,
      keeper: { keyFile: join(chain.walletsDir, "keeper.json") },
      sweepMs: 60,
      ...options.chain,
    };
    this.#drop = drop;
  }

  static start(options: StandaloneOptions = {}): Promise<StandaloneService> {
    const pace = { slotMs: options.slotMs ?? 40, finalizedSlots: options.finalizedSlots ?? 8 };
    return StandaloneService.startOn((dataDir) => ChainProcess.start(join(dataDir, "devnet"), pace), options);
  }

  static async startOn<Chain extends Nodes>(
    startChain: (dataDir: string) => Promise<Chain>,
    options: StandaloneOptions = {},
  ): Promise<StandaloneService<Chain>> {
    const dataDir = await mkdtemp(join(tmpdir(), "holdfast-"));
    const chain = await startChain(dataDir);
    const made = options.databaseUrl === undefined ? await createTestDatabase(migrate) : null;
    const drop = async () => {
      await made?.drop();
    };
    for (let tries = 1; ; tries++) {
      const service = new StandaloneService(
        dataDir,
        await findFreePorts(4),
        chain,
        made?.url ?? options.databaseUrl!,
        options,
        drop,
      );
      const over = await service.begin().catch(async (error: unknown) => {
        await service.remove();
        throw error;
      });
      if (over === null) return service;
      // Another test took the port first, and keeps it.
      if (!isTaken(service.errors()) || tries >= START_TRIES) {
        await service.remove();
        throw new Error(`The service ended at its start: ${service.errors()}`);
      }
      await service.database.close();
    }
  }

  get apiUrl(): string {
    return `http://localhost:${this.port}/api/v1`;
  }
  get checkoutUrl(): string {
    return `http://localhost:${this.port}`;
  }
  get controlUrl(): string {
    throw new Error("There are no controls with a chain that is not the service's own.");
  }
  get rpcUrl(): string {
    return this.chain.rpcUrl;
  }
  get programId() {
    return this.chain.ready.programId;
  }
  get operator() {
    return this.chain.ready.operator;
  }
  get asset() {
    return this.chain.ready.asset;
  }
  get recipient() {
    return this.wallets.recipient.address;
  }
  readonly business = "";
  readonly testKey = "";
  get process(): ChildProcess {
    return this.#running().process;
  }
  get evidence(): NonNullable<Evidence["chain"]> {
    return { rpcUrl: this.rpcUrl, programId: this.programId, operator: this.operator };
  }

  /** Standard error of all its lives so far. */
  errors = (): string => this.#errors + (this.#spawned?.errors() ?? "");

  /** Starts the service, with further settings and members of the chain's; returns null when it answers, or how it ended before. */
  async begin(env: Settings = {}, chain: Members = {}): Promise<Omit<Ended, "ms"> | null> {
    for (let tries = 1; ; tries++) {
      const over = await this.#beginOnce(env, chain);
      // Another test may hold the port for a moment, to find out whether it is free. The port has to stay the same, so try
      // again.
      if (over === null || !isTaken(this.#running().errors()) || tries >= START_TRIES) return over;
    }
  }

  async #beginOnce(env: Settings, chain: Members): Promise<Omit<Ended, "ms"> | null> {
    const all = { ...this.#env, TEST_CHAIN: JSON.stringify({ ...this.#members, ...chain }), ...env };
    const place = { dataDir: this.dataDir, databaseUrl: this.#databaseUrl, env: all };
    const spawned = spawnService(place, this.port, this.root);
    this.#keepErrors();
    this.#spawned = spawned;
    let over: Omit<Ended, "ms"> | null = null;
    void spawned.ended.then((how) => {
      over = how;
    });
    // A process that answers on the port of a service that ended is a stranger.
    const isUp = async () => over !== null || ((await isReady(this.checkoutUrl)) && over === null);
    await eventually("the service is ready", isUp);
    return over;
  }

  /** The end of this life; resolves when it has ended. */
  get ended(): Promise<Omit<Ended, "ms">> {
    return this.#running().ended;
  }

  async end(signal: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<Ended> {
    const { process, ended } = this.#running();
    const startedAt = performance.now();
    process.kill(signal);
    const how = await ended;
    this.#keepErrors();
    return { ...how, ms: performance.now() - startedAt };
  }

  /** Keeps what the last life said, which may have ended by itself. */
  #keepErrors(): void {
    this.#errors = this.errors().slice(-100_000);
    this.#spawned = null;
  }

  async restart(): Promise<Service> {
    await this.begin();
    return this;
  }

  /** Moves the clock of chain and service together. */
  async advance(seconds: number): Promise<void> {
    const { offsetMs } = await this.chain.control<{ offsetMs: number }>("advance", { seconds });
    await setClockAhead(this.database, offsetMs);
  }

  async remove(): Promise<void> {
    if (this.#spawned !== null) await this.end("SIGKILL");
    await this.database.close();
    await this.chain.end("SIGKILL").catch(() => undefined);
    await this.#drop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  #running(): Spawned {
    if (this.#spawned === null) throw new Error("The service does not run.");
    return this.#spawned;
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) }).then(
    (answer) => answer.ok,
    () => false,
  );
