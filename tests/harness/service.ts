import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readWallets, type Wallets } from "@holdfast/devnet/chain.ts";
import { createReadyDatabase } from "@holdfast/embedded-postgres/testing.ts";
import { type Address, address } from "@solana/kit";
import { CHAIN_OF_RUN } from "./chainOfRun.ts";
import { findFreePorts } from "./ports.ts";
import { eventually } from "./wait.ts";

/** The folder of this working tree. */
export const PROJECT_ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const START_TRIES = 5;

export interface ServiceOptions {
  /** Further settings, as environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Even where the test run has a PostgreSQL to share: the one of its own DATA_DIR. */
  readonly embedded?: boolean;
  /** The working tree of another build, to compare it with this one. */
  readonly root?: string;
}

/** A running service with its local chain, as its callers know it. */
export interface RunningService {
  /** Ends a service that the caller started, and removes its data; does nothing to the service of the test run. */
  remove(): Promise<void>;
  readonly dataDir: string;
  readonly port: number;
  readonly apiUrl: string;
  readonly checkoutUrl: string;
  readonly controlUrl: string;
  readonly rpcUrl: string;
  readonly programId: Address;
  readonly operator: Address;
  readonly asset: Address;
  readonly recipient: Address;
  readonly business: string;
  readonly testKey: string;
  readonly wallets: Wallets;
}

/** The setting of the local chain's pace and programs; members that it leaves out are the harness's own. */
export const localChain = (members: Readonly<Record<string, unknown>>) => ({ LOCAL_CHAIN: JSON.stringify(members) });

/** A busy machine's chain answers later than in five seconds. A page waits for 20 seconds. */
const ANSWER_MS = 15_000;

/** Slots so long that a blockhash, which lives for 150, outlasts what a busy machine takes to sign and to start again. */
export const LASTING = { slotMs: 300 };

/** The setting of a chain that is not the service's own. */
export const testChain = ({ rpcUrl, programId, operator, ...members }: ChainOfTest) => ({
  TEST_CHAIN: JSON.stringify({ rpcUrls: rpcUrl, programId, operator, ...members }),
});
interface ChainOfTest extends Pick<RunningService, "rpcUrl" | "programId" | "operator"> {
  readonly wsUrls?: string;
  readonly sweepMs?: number;
  readonly keeper?: { readonly keyFile: string };
}

/** The real service in a process of the test's own. */
export interface Service extends RunningService {
  readonly process: ChildProcess;
  /** Standard error of the service so far. */
  errors(): string;
  /** Ends it with a signal and waits for the end; the data stays. */
  end(signal: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<Ended>;
  /** Starts it again on the same data, after its end; settings given here replace those it had. */
  restart(env?: Readonly<Record<string, string>>): Promise<Service>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly ms: number;
}

interface Setting {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly drop: () => Promise<void>;
  readonly env: Readonly<Record<string, string>>;
  readonly root?: string | undefined;
}

/** Starts a service of its own, on free ports, with a quick chain: a payment is confirmed after 0.1 s. */
export async function startService({ env = {}, embedded = false, root }: ServiceOptions = {}): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), "holdfast-"));
  // The account that runs PostgreSQL for root must be able to enter it, and the cluster is inside it.
  await chmod(dataDir, 0o755);
  const shared = process.env.TEST_DATABASE_URL === undefined || embedded ? null : await createReadyDatabase();
  return launch({
    dataDir,
    databaseUrl: shared?.url ?? null,
    env,
    root,
    drop: async () => {
      await shared?.drop();
      for (const folder of await foldersOf(dataDir)) await rm(folder, { recursive: true, force: true });
    },
  });
}

/** Names a file, in an environment variable, that says where the service of the whole test run is once it is ready. */
const SHARED = "TEST_SERVICE_FILE";

/**
 * The one service that the files of a test run share, for tests that call it and leave it as it is. A test that moves
 * its clock, pauses its sweep, breaks its chain, needs other settings or ends it starts a service of its own. A test that
 * counts on which businesses a user has adds a user of its own: other files sign in as the demo user too. Outside
 * `npm test` every file gets a service of its own.
 */
export async function sharedService(): Promise<RunningService> {
  const path = process.env[SHARED];
  if (path === undefined) return startService();
  const read = () => readFile(path, "utf8").catch(() => null);
  const text = await eventually("the service that the files share is ready", read);
  const { dataDir, port, ready, failure } = JSON.parse(text);
  if (failure !== undefined) throw new Error(`The service that the files share did not start: ${failure}`);
  return { ...readService(dataDir, port, ready), remove: async () => undefined };
}

const STANDING = { CLIENT_ADDRESS_HEADER: "X-Forwarded-For", OPERATOR_NAME: "Tom & Payments" };
const standing = new Map<string, Promise<Service>>();

/**
 * The service of this process with such a local chain, for files that move its clock, pause its sweep or break its chain, and
 * end what they disturbed. Files that share the process use it one after another: each makes its own business, counts
 * nothing of others, and finds the clock where the file before left it. It ends with the process.
 */
export async function standingService(chain: Readonly<Record<string, unknown>> = {}): Promise<RunningService> {
  const key = JSON.stringify(chain);
  const started = standing.get(key) ?? startStanding(chain);
  standing.set(key, started);
  return { ...(await started), remove: async () => undefined };
}

async function startStanding(chain: Readonly<Record<string, unknown>>): Promise<Service> {
  const service = await startService({ env: { ...STANDING, ...localChain(chain) } });
  const { process: child } = service;
  // It keeps this process from ending only while it is removed.
  for (const one of [child, child.stdout as Socket, child.stderr as Socket]) one.unref();
  process.once("beforeExit", () => {
    child.ref();
    void service.remove();
  });
  return service;
}

/** Starts the service that {@link sharedService} returns to the processes of this one; returns the function that ends it. */
export function shareService(folder: string): () => Promise<void> {
  const path = join(folder, "service.json");
  process.env[SHARED] = path;
  const write = async (found: unknown) => {
    await writeFile(`${path}.part`, JSON.stringify(found));
    await rename(`${path}.part`, path);
  };
  const started = startService().then(
    async (service) => {
      const ready = JSON.parse(await readFile(join(service.dataDir, "ready.json"), "utf8"));
      await write({ dataDir: service.dataDir, port: service.port, ready });
      return service;
    },
    async (error: Error) => {
      await write({ failure: error.message });
      return null;
    },
  );
  return async () => (await started)?.remove();
}

/** The data's folder, and that of its cluster, which lies elsewhere when the user who runs PostgreSQL cannot enter the first. */
export async function foldersOf(dataDir: string): Promise<string[]> {
  const cluster = await realpath(join(dataDir, "postgres")).catch(() => null);
  return cluster === null ? [dataDir] : [cluster, dataDir];
}

/** Returns true when a service ended because another process had its port. */
export const isTaken = (errors: string): boolean => /EADDRINUSE|is in use/.test(errors);
/** Returns true when it ended because the database that the tests share was late: an operator starts it again then. */
const isLate = (errors: string): boolean => /could not start: The database did not answer/.test(errors);

async function launch(setting: Setting): Promise<Service> {
  for (let tries = 1; ; tries++) {
    const child = spawnService(setting, await findFreePorts(4), setting.root);
    try {
      return await serviceOf(setting, child);
    } catch (error) {
      child.process.kill("SIGKILL");
      const isWorthAnother = isTaken(child.errors()) || (setting.databaseUrl !== null && isLate(child.errors()));
      if (!isWorthAnother || tries >= START_TRIES) throw error;
    }
  }
}

export interface Spawned {
  readonly process: ChildProcess;
  readonly port: number;
  readonly ended: Promise<Omit<Ended, "ms">>;
  errors(): string;
}

/**
 * Runs `server/main.ts` on the data, under this process's flags; it ends with this process, however that happens. The
 * shell's own database is never its. `root`: another build's working tree, to compare it with this one.
 */
export function spawnService(
  { dataDir, databaseUrl, env }: Omit<Setting, "drop">,
  port: number,
  root: string = PROJECT_ROOT,
): Spawned {
  const { TEST_DATABASE_URL: _, NODE_TEST_CONTEXT: __, DATABASE_URL: ___, ...inherited } = process.env;
  const child = spawn(process.execPath, [...process.execArgv, "server/main.ts"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...inherited,
      HOLDFAST_PARENT: String(process.pid),
      DATA_DIR: dataDir,
      PORT: String(port),
      LOCAL: "on",
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
      ...env,
      ...localChain({
        slotMs: 40,
        finalizedSlots: 8,
        answerMs: ANSWER_MS,
        ...CHAIN_OF_RUN,
        ...JSON.parse(env.LOCAL_CHAIN ?? "{}"),
      }),
    },
  });
  child.stdout!.resume();
  let errors = "";
  child.stderr!.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = once(child, "exit").then(([code, signal]) => ({ code, signal }) as Omit<Ended, "ms">);
  return { process: child, port, ended, errors: () => errors };
}

async function serviceOf(setting: Setting, { process: child, port, ended, errors }: Spawned): Promise<Service> {
  let over: Omit<Ended, "ms"> | null = null;
  void ended.then((how) => {
    over = how;
  });
  const readyPath = join(setting.dataDir, "ready.json");
  const ready = await eventually("the service is ready", async () => {
    if (over !== null) throw new Error(`The service ended at its start (${JSON.stringify(over)}): ${errors()}`);
    const text = await readFile(readyPath, "utf8").catch(() => null);
    const read = text === null ? null : (JSON.parse(text) as Record<string, string>);
    // A killed service leaves its file behind, so check that the file names our port.
    return read?.checkoutUrl === `http://localhost:${port}` ? read : null;
  });
  const end: Service["end"] = async (signal) => {
    const startedAt = performance.now();
    child.kill(signal);
    return { ...(await ended), ms: performance.now() - startedAt };
  };
  return {
    ...readService(setting.dataDir, port, ready),
    process: child,
    errors,
    end,
    restart: (env = {}) => launch({ ...setting, env: { ...setting.env, ...env } }),
    remove: async () => {
      if (over === null) await end("SIGTERM");
      await setting.drop();
    },
  };
}

function readService(
  dataDir: string,
  port: number,
  ready: Readonly<Record<string, string>>,
): Omit<RunningService, "remove"> {
  const need = (name: string): string => {
    const value = ready[name];
    if (value === undefined) throw new Error(`ready.json has no ${name}.`);
    return value;
  };
  return {
    dataDir,
    port,
    apiUrl: need("apiUrl"),
    checkoutUrl: need("checkoutUrl"),
    controlUrl: need("controlUrl"),
    rpcUrl: need("rpcUrl"),
    business: need("business"),
    testKey: need("testKey"),
    programId: address(need("programId")),
    operator: address(need("operator")),
    asset: address(need("asset")),
    recipient: address(need("recipient")),
    wallets: readWallets(join(dataDir, "devnet", "wallets")),
  };
}
