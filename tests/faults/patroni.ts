import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultAccount, isRoot } from "@holdfast/embedded-postgres/account.ts";
import { spawnTethered } from "@holdfast/embedded-postgres/tether.ts";
import { findFreePorts } from "../harness/ports.ts";
import { listProcessesOf } from "../harness/processes.ts";
import { eventually } from "../harness/wait.ts";

const NODES = ["node-1", "node-2", "node-3"] as const;
type NodeName = (typeof NODES)[number];
/** A node has a port for PostgreSQL and one for Patroni, etcd has two. */
const PORTS = NODES.length * 2 + 2;
const PASSWORD = "of-the-drill";

interface Member {
  readonly name: NodeName;
  readonly role: string;
  readonly state: string;
  readonly lag?: number | string;
}

/** Three PostgreSQL under Patroni with etcd, on loopback, with the settings of docs/how-to/fail-over.md. */
export class Patroni {
  readonly url: string;
  readonly #parent: string;
  readonly #firstPort: number;

  private constructor(parent: string, firstPort: number) {
    this.#parent = parent;
    this.#firstPort = firstPort;
    const hosts = NODES.map((name) => `127.0.0.1:${this.#portsOf(name).postgres}`).join(",");
    this.url = `postgresql://postgres:${PASSWORD}@${hosts}/postgres?target_session_attrs=read-write&sslmode=disable`;
  }

  static async start(): Promise<Patroni> {
    requireProgram("etcd");
    requireProgram("patroni");
    requireProgram(join(binDir(), "pg_rewind"));
    const parent = mkdtempSync("/tmp/holdfast-patroni-");
    chmodSync(parent, 0o755);
    const cluster = new Patroni(parent, await findFreePorts(PORTS));
    try {
      await cluster.#startEtcd();
      for (const name of NODES) await cluster.begin(name);
      await cluster.awaitWhole();
      return cluster;
    } catch (error) {
      cluster.remove();
      throw error;
    }
  }

  /** Starts a node, on its data if it has any. */
  async begin(name: NodeName): Promise<void> {
    const file = join(this.#parent, `${name}.yml`);
    writeFileSync(file, JSON.stringify(this.#settingsOf(name)));
    this.#makeFolder(name);
    await this.#spawn("patroni", [file], name);
  }

  /** Kills every process of the leader, as if its machine were lost; returns its name. */
  async killLeader(): Promise<NodeName> {
    const { name } = (await this.#members()).find(({ role }) => role === "leader")!;
    killAll([join(this.#parent, `${name}.yml`), join(this.#parent, name)]);
    return name;
  }

  /** Waits until there is a leader with two standbys that follow it, of which one confirms commits. */
  awaitWhole(): Promise<unknown> {
    return eventually("three nodes are in step", async () => {
      const members = await this.#members().catch(() => []);
      const roles = members.map(({ role }) => role).sort();
      const inStep = members.every(({ role, state, lag }) => state === "running" && (role === "leader" || lag === 0));
      return inStep && roles.join() === "leader,replica,sync_standby";
    });
  }

  remove(): void {
    killAll([this.#parent]);
    rmSync(this.#parent, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The members as the first node that answers knows them. */
  async #members(): Promise<readonly Member[]> {
    for (const name of NODES) {
      const url = `http://127.0.0.1:${this.#portsOf(name).patroni}/cluster`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    throw new Error("No node answers.");
  }

  #startEtcd(): Promise<void> {
    const [client, peer] = this.#etcdPorts().map((port) => `http://127.0.0.1:${port}`) as [string, string];
    this.#makeFolder("etcd");
    const flags = {
      "data-dir": join(this.#parent, "etcd"),
      "listen-client-urls": client,
      "advertise-client-urls": client,
    };
    const peers = {
      "listen-peer-urls": peer,
      "initial-advertise-peer-urls": peer,
      "initial-cluster": `default=${peer}`,
    };
    const args = Object.entries({ ...flags, ...peers }).map(([name, value]) => `--${name}=${value}`);
    return this.#spawn("etcd", args, "etcd");
  }

  #settingsOf(name: NodeName): object {
    const { postgres, patroni } = this.#portsOf(name);
    const userOf = (username: string) => ({ username, password: PASSWORD });
    return {
      scope: "holdfast",
      name,
      restapi: { listen: `127.0.0.1:${patroni}`, connect_address: `127.0.0.1:${patroni}` },
      etcd3: { host: `127.0.0.1:${this.#etcdPorts()[0]}` },
      bootstrap: {
        dcs: {
          ttl: 20,
          loop_wait: 5,
          retry_timeout: 5,
          synchronous_mode: true,
          synchronous_mode_strict: true,
          postgresql: { use_pg_rewind: true, parameters: { max_connections: 200 } },
        },
        initdb: [{ encoding: "UTF8" }, { locale: "C" }, "data-checksums"],
      },
      postgresql: {
        listen: `127.0.0.1:${postgres}`,
        connect_address: `127.0.0.1:${postgres}`,
        data_dir: join(this.#parent, name, "data"),
        bin_dir: binDir(),
        pgpass: join(this.#parent, name, "pgpass"),
        authentication: {
          superuser: userOf("postgres"),
          replication: userOf("replicator"),
          rewind: userOf("rewinder"),
        },
        parameters: { unix_socket_directories: join(this.#parent, name) },
        pg_hba: ["host all all 127.0.0.1/32 scram-sha-256", "host replication all 127.0.0.1/32 scram-sha-256"],
      },
    };
  }

  #portsOf(name: NodeName): { readonly postgres: number; readonly patroni: number } {
    const postgres = this.#firstPort + 2 * NODES.indexOf(name);
    return { postgres, patroni: postgres + 1 };
  }

  #etcdPorts(): readonly [number, number] {
    return [this.#firstPort + PORTS - 2, this.#firstPort + PORTS - 1];
  }

  #makeFolder(name: string): void {
    const folder = join(this.#parent, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, gid } = defaultAccount();
    if (isRoot) chownSync(folder, uid, gid);
  }

  async #spawn(command: string, args: readonly string[], name: string): Promise<void> {
    const signalsWhenOrphaned = ["INT", "KILL"] as const;
    await spawnTethered(command, args, {
      ...{ account: defaultAccount(), stdio: "ignore", signalsWhenOrphaned },
      foldersToRemove: [join(this.#parent, name)],
    });
  }
}

/** The folder of PostgreSQL's programs, as PG_BIN names it or Debian has it. */
const binDir = (): string => process.env.PG_BIN ?? "/usr/lib/postgresql/15/bin";

function requireProgram(command: string): void {
  if (spawnSync(command, ["--version"], { stdio: "ignore", timeout: 10_000 }).status !== 0)
    throw new Error(
      `${command} does not run here. This scenario needs Patroni, etcd and PostgreSQL with pg_rewind: on Debian the packages patroni, etcd-server and postgresql; PG_BIN names another folder of PostgreSQL.`,
    );
}

/** Kills what runs on these files and folders of ours. */
function killAll(paths: readonly string[]): void {
  for (const { pid } of listProcessesOf(paths))
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
}
