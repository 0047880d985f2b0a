import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { callRpc } from "@holdfast/devnet/client.ts";
import type { Address } from "@solana/kit";
import { findFreePorts } from "../harness/ports.ts";
import { HUNG_MS } from "../harness/wait.ts";

const PROGRAM = join(import.meta.dirname, "../../devnet/main.ts");

interface Ready {
  readonly programId: Address;
  readonly operator: Address;
  readonly asset: Address;
  readonly wallets: Readonly<Record<string, Address>>;
}

export interface ChainPace {
  readonly slotMs: number;
  readonly finalizedSlots: number;
}

/** The local chain as nodes of another operator: a process that the service did not start, on ports that stay. */
export class ChainProcess {
  readonly dataDir: string;
  readonly rpcPort: number;
  readonly ready: Ready;
  #pace: ChainPace;
  #child: ChildProcess;
  #exited: Promise<unknown>;

  private constructor(dataDir: string, rpcPort: number, pace: ChainPace, started: Started) {
    this.dataDir = dataDir;
    this.rpcPort = rpcPort;
    this.#pace = pace;
    this.ready = started.ready;
    this.#child = started.child;
    this.#exited = once(started.child, "exit");
  }

  static async start(dataDir: string, pace: ChainPace): Promise<ChainProcess> {
    const rpcPort = await findFreePorts(2);
    return new ChainProcess(dataDir, rpcPort, pace, await launch(dataDir, rpcPort, pace));
  }

  get rpcUrl(): string {
    return `http://localhost:${this.rpcPort}`;
  }

  /** The URL of one of its nodes; faults name nodes by it. */
  node(name: string): string {
    return `${this.rpcUrl}/${name}`;
  }

  get wsUrl(): string {
    return `ws://localhost:${this.rpcPort + 1}`;
  }

  get walletsDir(): string {
    return join(this.dataDir, "wallets");
  }

  control<Result>(method: string, params: object = {}): Promise<Result> {
    return callRpc<Result>(this.rpcUrl, `devnet_${method}`, [params]);
  }

  signal(name: "SIGSTOP" | "SIGCONT"): void {
    this.#child.kill(name);
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    this.#child.kill(signal);
    await this.#exited;
  }

  /** Starts it again on its data and its ports, after {@link end}. */
  async restart(): Promise<void> {
    this.#child = (await launch(this.dataDir, this.rpcPort, this.#pace)).child;
    this.#exited = once(this.#child, "exit");
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly ready: Ready;
}

async function launch(dataDir: string, rpcPort: number, { slotMs, finalizedSlots }: ChainPace): Promise<Started> {
  const args = [`--data-dir=${dataDir}`, `--rpc-port=${rpcPort}`, `--slot-ms=${slotMs}`];
  const child = fork(PROGRAM, [...args, `--finalized-after=${finalizedSlots}`], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [ready] = (await once(child, "message", { signal: AbortSignal.timeout(HUNG_MS) })) as [Ready];
  return { child, ready };
}
