import { execFileSync } from "node:child_process";
import { chownSync, closeSync, mkdtempSync, openSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canEnter, defaultAccount, isRoot } from "@holdfast/embedded-postgres/account.ts";
import { type Binaries, findBinaries } from "@holdfast/embedded-postgres/binaries.ts";
import { type Home, makeSocketFolder, openHome } from "@holdfast/embedded-postgres/home.ts";
import { initializeCluster, USER } from "@holdfast/embedded-postgres/initialize.ts";
import { EPHEMERAL } from "@holdfast/embedded-postgres/settings.ts";
import { exitWithin, spawnTethered, type Tethered } from "@holdfast/embedded-postgres/tether.ts";
import pg from "pg";
import { listProcessesOf } from "../harness/processes.ts";
import { eventually, HUNG_MS } from "../harness/wait.ts";

const FILL_TRIES_MAX = 50;
const STATE_DIR = "/var/lib/holdfast";
/** PostgreSQL's own shutdown modes: `fast` disconnects and ends in order, `immediate` leaves the log to be replayed. */
const SIGNALS = { fast: "SIGINT", immediate: "SIGQUIT" } as const;

/** A PostgreSQL of the test's own, to be stopped and started at one address. */
export class Cluster {
  readonly url: string;
  readonly diskMb: number | null;
  readonly #home: Home;
  readonly #binaries: Binaries;
  readonly #socketFolder: string;
  readonly #parent: string;
  #server: Tethered | null = null;

  private constructor(parent: string, home: Home, binaries: Binaries, socketFolder: string, diskMb: number | null) {
    this.#parent = parent;
    this.diskMb = diskMb;
    this.#home = home;
    this.#binaries = binaries;
    this.#socketFolder = socketFolder;
    this.url = `postgresql://${USER}@localhost/postgres?host=${encodeURIComponent(socketFolder)}`;
  }

  /** `diskMb`: its data lies on a disk of its own, which can be full; root alone can make one. */
  static async start({ diskMb = null }: { readonly diskMb?: number | null } = {}): Promise<Cluster> {
    const account = defaultAccount();
    const parent = mkdtempSync(join(!isRoot || canEnter(account, tmpdir()) ? tmpdir() : "/tmp", "holdfast-cluster-"));
    if (diskMb !== null) execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMb}m`, "tmpfs", parent]);
    if (isRoot) chownSync(parent, account.uid, account.gid);
    const home = openHome(parent, STATE_DIR, () => undefined);
    const binaries = findBinaries(home.account, STATE_DIR, process.env.PG_BIN);
    await initializeCluster(home, binaries, { log: () => undefined, durable: false });
    const cluster = new Cluster(parent, home, binaries, makeSocketFolder(home.account), diskMb);
    await cluster.begin();
    return cluster;
  }

  async begin(): Promise<void> {
    const output = openSync(join(this.#home.folder, "postgres.log"), "a", 0o600);
    if (isRoot) chownSync(join(this.#home.folder, "postgres.log"), this.#home.account.uid, this.#home.account.gid);
    const settings = { ...EPHEMERAL, unix_socket_directories: this.#socketFolder };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    try {
      this.#server = await spawnTethered(this.#binaries.postgres, ["-D", this.#home.data, ...flags], {
        account: this.#home.account,
        stdio: ["ignore", output, output],
        signalsWhenOrphaned: ["QUIT", "KILL"],
        foldersToRemove: [this.#parent, this.#home.folder, this.#socketFolder],
      });
    } finally {
      closeSync(output);
    }
    await eventually("PostgreSQL is back", () => this.admin((client) => client.query("select 1")).catch(() => null));
  }

  async stop(how: keyof typeof SIGNALS): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    server.child.kill(SIGNALS[how]);
    if ((await exitWithin(server, HUNG_MS)) === null) throw new Error(`PostgreSQL did not stop (${how}).`);
  }

  /** Null while it runs, or when it was stopped. */
  get exitCode(): number | null {
    return this.#server?.child.exitCode ?? null;
  }

  /** Sends a signal to PostgreSQL and all its processes, or to one of its connections. */
  signal(name: NodeJS.Signals, which: "all" | "one"): void {
    const found = listProcessesOf([this.#parent, this.#home.folder, this.#socketFolder]).filter(({ command }) =>
      which === "all" ? /postgres/.test(command) : /^postgres: .*\[local\]/.test(command),
    );
    for (const { pid } of which === "all" ? found : found.slice(0, 1)) {
      try {
        process.kill(pid, name);
      } catch {
        // A connection that ended meanwhile.
      }
    }
  }

  /** Gives its disk no more room than it uses, or all of its room again. */
  fillDisk(isFull: boolean): void {
    for (let tries = 1; ; tries++) {
      const { blocks, bfree, bsize } = statfsSync(this.#parent);
      const room = isFull ? `${Math.ceil(((blocks - bfree) * bsize) / 1_024)}k` : `${this.diskMb}m`;
      try {
        execFileSync("mount", ["-o", `remount,size=${room}`, this.#parent], { stdio: "pipe" });
        return;
      } catch (error) {
        // PostgreSQL took more meanwhile, and a disk has no less room than is used.
        if (!isFull || tries >= FILL_TRIES_MAX) throw error;
      }
    }
  }

  /** Ends every other connection; returns their number. */
  async terminateBackends(): Promise<number> {
    const { rowCount } = await this.admin((client) =>
      client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
      ),
    );
    return rowCount ?? 0;
  }

  async admin<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: HUNG_MS });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  async remove(): Promise<void> {
    await this.stop("immediate");
    if (this.diskMb !== null) execFileSync("umount", ["--lazy", this.#parent]);
    for (const folder of [this.#parent, this.#home.folder, this.#socketFolder])
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
