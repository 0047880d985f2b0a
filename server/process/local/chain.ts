import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ChainUnavailableError } from "../../chain/port.ts";

/** The local chain, which runs in a separate process. */
export interface LocalChain {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly slotMs: number;
  readonly programId: string;
  readonly operator: string;
  /** USDC's mint. */
  readonly asset: string;
  /** Public keys by wallet name. `walletsDir` holds the key pairs, each as a JSON array of 64 bytes. */
  readonly wallets: Readonly<Record<string, string>>;
  readonly walletsDir: string;
  /** The lead of its clock over real time. */
  readonly offsetMs: number;
  readonly exited: Promise<number | null>;
  stop(): Promise<void>;
}

export interface LocalChainOptions {
  /** The chain's own folder is `devnet` inside it. */
  readonly dataDir: string;
  readonly rpcPort: number;
  readonly consensus: "tower" | "alpenglow";
  /** Null: as the consensus has it. */
  readonly slotMs: number | null;
  readonly finalizedSlots: number;
  readonly skipEvery: number | null;
  /** Each as `address=file`. */
  readonly programs: readonly string[];
}

interface ReadyMessage
  extends Pick<LocalChain, "slotMs" | "programId" | "operator" | "asset" | "wallets" | "offsetMs"> {
  readonly type: "ready";
  readonly rpcPort: number;
  readonly wsPort: number;
}

const START_MS_MAX = 60_000;
const STOP_MS_MAX = 3_000;
const ANSWER_MS_MAX = 30_000;
const ASK_AGAIN_MS = 100;

/** Starts the chain of a DATA_DIR. It ends with this process, since the channel between the two breaks then. */
export async function startLocalChain(options: LocalChainOptions): Promise<LocalChain> {
  const dataDir = join(options.dataDir, "devnet");
  const args = [
    ["data-dir", dataDir],
    ["rpc-port", options.rpcPort],
    ["consensus", options.consensus],
    ...(options.slotMs === null ? [] : [["slot-ms", options.slotMs]]),
    ["finalized-after", options.finalizedSlots],
    ...(options.skipEvery === null ? [] : [["skip-every", options.skipEvery]]),
    ...options.programs.map((one) => ["program", one]),
  ];
  // Detached: a Ctrl-C in the terminal must not stop the chain while the service still drains.
  const child = fork(
    fileURLToPath(import.meta.resolve("@holdfast/devnet/main.ts")),
    args.map(([name, value]) => `--${name}=${value}`),
    {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      detached: true,
    },
  );
  let lastOutput = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    lastOutput = (lastOutput + chunk.toString()).slice(-4_000);
    process.stderr.write(chunk);
  });
  const exited = once(child, "exit").then(([code]) => code as number | null);
  const ready = await waitUntilReady(child, exited, () => lastOutput);
  return {
    rpcUrl: `http://localhost:${ready.rpcPort}`,
    wsUrl: `ws://localhost:${ready.wsPort}`,
    slotMs: ready.slotMs,
    programId: ready.programId,
    operator: ready.operator,
    asset: ready.asset,
    wallets: ready.wallets,
    walletsDir: join(dataDir, "wallets"),
    offsetMs: ready.offsetMs,
    exited,
    stop: () => stop(child, exited),
  };
}

/** Repeats work that needs the chain's answers while the chain runs: on a busy machine an answer may come too late. */
export async function whileItLives<Result>(
  exited: Promise<unknown>,
  ask: () => Promise<Result>,
  msMax = ANSWER_MS_MAX,
): Promise<Result> {
  const until = performance.now() + msMax;
  let hasEnded = false;
  void exited.then(() => {
    hasEnded = true;
  });
  for (;;)
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ChainUnavailableError) || hasEnded || performance.now() > until) throw error;
      await sleep(ASK_AGAIN_MS);
    }
}

function waitUntilReady(
  child: ChildProcess,
  exited: Promise<number | null>,
  lastOutput: () => string,
): Promise<ReadyMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadyMessage>();
  const timer = setTimeout(() => reject(new Error("The local chain did not start within a minute.")), START_MS_MAX);
  child.on("message", (message: ReadyMessage) => {
    if (message.type === "ready") resolve(message);
  });
  child.on("error", reject);
  void exited.then((code) => reject(new Error(describeEnd(code, lastOutput().trim()))));
  return promise.finally(() => clearTimeout(timer));
}

const describeEnd = (code: number | null, output: string): string =>
  output.includes("ERR_MODULE_NOT_FOUND")
    ? "Without TEST_CHAIN and LIVE_CHAIN the service starts a local chain, and this installation has no development packages. Set one of the two, or run npm run setup."
    : `The local chain ended at its start (${code}). ${output}`;

async function stop(child: ChildProcess, exited: Promise<number | null>): Promise<void> {
  if (child.connected) child.disconnect();
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
  await exited;
  clearTimeout(timer);
}
