import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Asset } from "@holdfast/devnet/assets.ts";
import { keptWallets, type Wallets } from "@holdfast/devnet/chain.ts";
import { callRpc } from "@holdfast/devnet/client.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import { TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import type { Nodes } from "../faults/standaloneService.ts";
import { findFreePorts } from "../harness/ports.ts";
import { eventually } from "../harness/wait.ts";
import { give } from "./land.ts";
import { prepareChain } from "./prepare.ts";

/** The node's consensus: TowerBFT with votes, or Alpenglow, where what is confirmed is final. */
export const MODES = ["tower", "alpenglow"] as const;
export type Mode = (typeof MODES)[number];

/** SOL of each wallet that pays fees and rent. */
const LAMPORTS = 100_000_000_000n;
const UNITS = 1_000_000_000n;
const END_MS_MAX = 10_000;

/** A validator of another maker as the nodes of a service: one process, with a ledger of its own. */
export class RealNode implements Nodes {
  readonly walletsDir: string;
  readonly wallets: Wallets;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly mode: Mode;
  readonly #start: () => ChildProcess;
  #child: ChildProcess;
  #ready: Nodes["ready"] | null = null;
  #token2022: Pick<Asset, "address" | "tokenProgram"> | null = null;

  private constructor(file: string, folder: string, mode: Mode, port: number) {
    this.walletsDir = join(folder, "wallets");
    this.wallets = keptWallets(this.walletsDir);
    this.mode = mode;
    this.rpcUrl = `http://127.0.0.1:${port}`;
    this.wsUrl = `ws://127.0.0.1:${port + 1}`;
    // The faucet's key gets all SOL of the genesis.
    const words = [join(folder, "ledger"), String(port), join(this.walletsDir, "faucet.json")];
    this.#start = () =>
      spawn(file, [...words, ...(mode === "alpenglow" ? ["--alpenglow"] : [])], { cwd: folder, stdio: "ignore" });
    this.#child = this.#start();
    process.once("exit", () => this.#child.kill("SIGKILL"));
  }

  /** Starts the file with a new ledger, and deploys the program by the node's own loader. */
  static async start(file: string, folder: string, mode: Mode, program: Uint8Array): Promise<RealNode> {
    // RPC, WebSocket and faucet.
    const node = new RealNode(file, folder, mode, await findFreePorts(3));
    try {
      await node.#answers();
      await node.#prepare(program);
      return node;
    } catch (error) {
      await node.end("SIGKILL");
      throw error;
    }
  }

  get ready() {
    return this.#ready!;
  }
  get token2022() {
    return this.#token2022!;
  }
  get token(): Pick<Asset, "address" | "tokenProgram"> {
    return { address: this.ready.asset, tokenProgram: TOKEN_PROGRAM_ID };
  }

  node = (): string => this.rpcUrl;
  control = async <Result>(method: string): Promise<Result> => {
    throw new Error(`A validator has no devnet_${method}.`);
  };

  /** A new wallet with so much of a token, and with SOL unless it shall have none. */
  async newBuyer({ token = this.token, hasSol = true } = {}): Promise<LocalWallet> {
    const buyer = newWallet();
    if (hasSol) await give(this.rpcUrl, this.wallets.faucet, buyer.address, "SOL", LAMPORTS);
    await give(this.rpcUrl, this.wallets.faucet, buyer.address, token, UNITS);
    return buyer;
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, "exit");
    this.#child.kill(signal);
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), END_MS_MAX);
    await exited;
    clearTimeout(timer);
  }

  /** Starts it again on its ledger: it goes on after its last rooted block. */
  async restart(): Promise<void> {
    this.#child = this.#start();
    await this.#answers();
  }

  async #answers(): Promise<void> {
    let first: number | null = null;
    await eventually("the node answers and makes blocks", async () => {
      if (this.#child.exitCode !== null) throw new Error(`The node ended at its start (${this.#child.exitCode}).`);
      const form = [{ commitment: "confirmed" }];
      const height = await callRpc<number>(this.rpcUrl, "getBlockHeight", form).catch(() => null);
      first ??= height;
      return height !== null && height > first!;
    });
  }

  async #prepare(file: Uint8Array): Promise<void> {
    const { rpcUrl, walletsDir, wallets } = this;
    const { ready, token2022 } = await prepareChain({ rpcUrl, walletsDir, wallets, lamports: LAMPORTS, file });
    this.#ready = ready;
    this.#token2022 = token2022;
  }
}
