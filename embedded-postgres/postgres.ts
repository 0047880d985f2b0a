import { chownSync, closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRoot } from "./account.ts";
import { type Binaries, findBinaries } from "./binaries.ts";
import { type Home, makeSocketFolder, openHome, requireVersion } from "./home.ts";
import { initializeCluster, USER } from "./initialize.ts";
import { clearLeftovers } from "./leftovers.ts";
import { takeOwnerLock } from "./ownerLock.ts";
import { DURABLE, type Settings } from "./settings.ts";
import { type Exit, exitWithin, spawnTethered, type Tethered } from "./tether.ts";

export interface EmbeddedPostgres {
  /** For `pg`, for libpq, and for an environment variable: the socket's folder is in its `host`. */
  readonly url: string;
  /** For `pg`'s Pool and Client. */
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
    readonly ssl: false;
    readonly client_encoding: string;
  };
  /** The version in PostgreSQL's own form: "18.4". */
  readonly version: string;
  /** Settles when the server has ended, asked or not. */
  readonly exited: Promise<Exit>;
  /** Disconnects every client and ends within 2 s as a rule, 8 s at the most. May be called again. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** DATA_DIR: the cluster is `postgres` inside it. */
  readonly dataDir: string;
  readonly log: (line: string) => void;
  readonly settings?: Settings;
  /** PostgreSQL programs to use instead of the package's. */
  readonly binDir?: string | undefined;
  /** The folder for files that `nobody` could not reach elsewhere when root runs the service. */
  readonly stateDir?: string;
  /** For tests: DATA_DIR is removed when the server ends, however that happens; a crash of the machine may lose it. */
  readonly disposable?: boolean;
}

/**
 * The port only names the socket: PostgreSQL listens on no port. `pg` takes parameters that are missing here from PG…
 * variables of the shell.
 */
const PORT = 5432;
const STATE_DIR = "/var/lib/holdfast";
const LOG_BYTES_MAX = 10_000_000;
/** Replaying the log after a crash can take this long; a healthy start takes 0.1 s. */
const START_MS_MAX = 120_000;

/** Starts the cluster of a DATA_DIR, made on the first call. Throws one clear sentence when another process owns it. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, settings = DURABLE, stateDir = STATE_DIR, disposable = false } = options;
  const home = openHome(dataDir, stateDir, log);
  const lock = takeOwnerLock(join(home.folder, "owner.lock"), home.account, dataDir);
  try {
    await clearLeftovers(home.folder, home.data, log);
    const binaries = findBinaries(home.account, stateDir, options.binDir);
    if (!existsSync(home.data)) await initializeCluster(home, binaries, { log, durable: !disposable });
    requireVersion(home, binaries.version);
    const socketFolder = makeSocketFolder(home.account);
    const toRemove = disposable ? [socketFolder, dataDir] : [socketFolder];
    const server = await spawnServer(home, binaries, { ...settings, unix_socket_directories: socketFolder }, toRemove);
    void server.exited.then(() => {
      for (const folder of toRemove) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      lock.release();
    });
    await waitUntilReady(home, server, log);
    return {
      url: `postgresql://${USER}@localhost:${PORT}/postgres?host=${encodeURIComponent(socketFolder)}&sslmode=disable&client_encoding=UTF8`,
      connection: {
        host: socketFolder,
        port: PORT,
        user: USER,
        database: "postgres",
        ssl: false,
        client_encoding: "UTF8",
      },
      version: binaries.version,
      exited: server.exited,
      stop: () => stopServer(server),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function spawnServer(home: Home, binaries: Binaries, settings: Settings, toRemove: string[]): Promise<Tethered> {
  const output = openLog(home);
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  try {
    return spawnTethered(binaries.postgres, ["-D", home.data, ...flags], {
      account: home.account,
      // The log goes to a file, not a pipe to us: a server that logs must not wait for an owner that is stopped.
      stdio: ["ignore", output, output],
      signalsWhenOrphaned: ["INT", "QUIT", "KILL"],
      foldersToRemove: toRemove,
    });
  } finally {
    closeSync(output);
  }
}

function openLog(home: Home): number {
  const path = join(home.folder, "postgres.log");
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX) renameSync(path, `${path}.old`);
  const file = openSync(path, "a", 0o600);
  if (isRoot) chownSync(path, home.account.uid, home.account.gid);
  return file;
}

/** PostgreSQL writes its state on the eighth line of postmaster.pid; its own pg_ctl waits for the same word. */
async function waitUntilReady(home: Home, server: Tethered, log: (line: string) => void): Promise<void> {
  const startedAt = performance.now();
  let toldAt = startedAt;
  while (!isReady(home, server.pid)) {
    const exit = await exitWithin(server, 10);
    if (exit !== null) throw new Error(`PostgreSQL did not start:\n${lastLines(home)}`);
    if (performance.now() - toldAt > 5_000) {
      toldAt = performance.now();
      log("PostgreSQL is still recovering from a crash …");
    }
    if (performance.now() - startedAt > START_MS_MAX) {
      await stopServer(server);
      throw new Error(`PostgreSQL was not ready after ${START_MS_MAX / 1000} s:\n${lastLines(home)}`);
    }
  }
  server.child.unref();
}

function isReady(home: Home, pid: number): boolean {
  try {
    const lines = readFileSync(join(home.data, "postmaster.pid"), "utf8").split("\n");
    return lines[0] === String(pid) && lines[7]?.trim() === "ready";
  } catch {
    return false; // not written yet
  }
}

const lastLines = (home: Home): string =>
  readFileSync(join(home.folder, "postgres.log"), "utf8").trimEnd().split("\n").slice(-10).join("\n");

/** Stops fast (clients are disconnected), then immediately (the log is replayed at the next start), then by force. */
async function stopServer(server: Tethered): Promise<void> {
  for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
    server.child.kill(signal);
    if ((await exitWithin(server, signal === "SIGINT" ? 4_000 : 2_000)) !== null) break;
  }
  await sleep(0); // the lock and the socket's folder go in the turn after the exit
}
