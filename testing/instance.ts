import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface InstanceOptions {
  /** The folder of a clone of Holdfast. Its own `npm start` is run, on data of its own. */
  readonly dir: string;
  /** Further settings, as environment variables. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The longest start; five minutes if left out, since the first one installs the clone. */
  readonly startMsMax?: number | undefined;
}

/** An act of a buyer, the recipient or the arbiter on the local chain. */
export interface Act {
  /** Acts as, or on the payment of, a buyer who has not paid the intent yet. */
  readonly again?: boolean;
  /** The buyer's total in the end, in smallest units; of a refund everything if left out. */
  readonly total?: string;
}

/** A transaction of the local chain. */
export interface Acted {
  readonly signature: string;
  /** The payment's address. */
  readonly payment: string;
  readonly sender: string;
}

/** A throw-away Holdfast with a local chain. */
export interface TestInstance extends AsyncDisposable {
  readonly apiUrl: string;
  /** A test key with the scope `full`. */
  readonly apiKey: string;
  readonly checkoutUrl: string;
  /** A wallet whose key the instance has, so that it can refund. */
  readonly recipient: string;
  /** The mint of its USDC. */
  readonly asset: string;
  /** The folder that `HOLDFAST_DATA` names for the command line. */
  readonly dataDir: string;
  pay(intentId: string, act?: Act & { readonly late?: boolean; readonly amount?: string }): Promise<Acted>;
  dispute(intentId: string, act?: Act): Promise<Acted>;
  release(intentId: string, act?: Act): Promise<Acted>;
  refund(intentId: string, act?: Act): Promise<Acted>;
  /** Rules on a dispute: for one side, or by the buyer's total. */
  rule(intentId: string, to: "release" | "refund" | { readonly total: string }, act?: Act): Promise<Acted>;
  /** Moves the clock of chain and service together. */
  advance(seconds: number): Promise<void>;
  /** Takes a transaction out of the chain while it is not final. Returns false if it was. */
  drop(signature: string): Promise<boolean>;
  /** Kills it at once and starts it again, on the same data and ports. */
  restart(): Promise<void>;
  /** Ends it, and removes its data. */
  close(): Promise<void>;
}

/** Starting the clone, or an act on it, failed. */
export class InstanceError extends Error {
  override readonly name = "InstanceError";
}

const START_MS_MAX = 300_000;
const STOP_MS_MAX = 20_000;
const CALL_MS_MAX = 60_000;
const POLL_MS = 100;
const OUTPUT_CHARACTERS = 4_000;
/** Ports from 32768 up are taken by outgoing connections. An instance has four in a row. */
const PORTS = { from: 12_000, to: 32_000, inRow: 4 };
const PORT_TRIES_MAX = 50;
/** Another program may take one of its ports before it does. */
const START_TRIES_MAX = 3;
const PORT_TAKEN = /The port \d+ is in use|EADDRINUSE/;

type Ready = Readonly<Record<"apiUrl" | "testKey" | "checkoutUrl" | "controlUrl" | "recipient" | "asset", string>>;

/** Starts a clone on free ports and data of its own, and waits until it is ready. Throws {@link InstanceError}. */
export const createInstance = (options: InstanceOptions): Promise<TestInstance> => start(options, START_TRIES_MAX);

async function start(options: InstanceOptions, triesLeft: number): Promise<TestInstance> {
  const { dir, env = {}, startMsMax } = options;
  if (!existsSync(join(dir, "tools/bootstrap.mjs"))) throw new InstanceError(`${dir} is no clone of Holdfast.`);
  const dataDir = await mkdtemp(join(tmpdir(), "holdfast-instance-"));
  // The account that runs PostgreSQL for root must be able to enter it.
  await chmod(dataDir, 0o755);
  const launch = await drafted(dir, dataDir, env);
  let running = launch();
  const close = async () => {
    await stop(running.child, running.ended);
    for (const folder of await foldersOf(dataDir)) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const awaitStart = () => awaitReady(dataDir, running.child, performance.now() + (startMsMax ?? START_MS_MAX));
  const restart = async () => {
    signal(running.child, "SIGKILL");
    await running.ended;
    await rm(join(dataDir, "ready.json"), { force: true });
    running = launch();
    await awaitStart();
  };
  try {
    return instanceOf(await awaitStart(), { dataDir, restart, close });
  } catch (error) {
    await close();
    if (triesLeft > 1 && PORT_TAKEN.test(running.output())) return start(options, triesLeft - 1);
    throw new InstanceError(`${(error as Error).message} ${running.output()}`, { cause: error });
  }
}

/** Names of a clone's settings, as its page of them declares. */
async function listSettings(dir: string): Promise<ReadonlySet<string>> {
  const page = await readFile(join(dir, "docs/settings.md"), "utf8").catch(() => "");
  const names = [...page.matchAll(/^\| `([A-Z][A-Z_]+)` \|/gm)].map(([, name]) => name!);
  if (names.length === 0)
    throw new InstanceError(`${dir} has no docs/settings.md, which names the settings of a clone.`);
  // A secret may also come from the file that the variable with `_FILE` names.
  return new Set(names.flatMap((name) => [name, `${name}_FILE`]));
}

/** Another instance's settings must not become this one's: its database, above all, nor its mail. */
export async function withoutSettings(dir: string, env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const settings = await listSettings(dir);
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !settings.has(name) && name !== "NODE_TEST_CONTEXT"),
  );
}

/** The start of a clone, on ports of its own that stay the same. */
async function drafted(dir: string, dataDir: string, env: Readonly<Record<string, string>>) {
  const port = await findFreePorts();
  const inherited = await withoutSettings(dir, process.env);
  return () => {
    const child = spawn("npm", ["start", "--silent"], {
      cwd: dir,
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own: npm and what it starts end together.
      detached: true,
      env: { ...inherited, DATA_DIR: dataDir, PORT: String(port), LOCAL: "on", ...env },
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        text = (text + chunk.toString()).slice(-OUTPUT_CHARACTERS);
      });
    child.on("error", () => undefined);
    const ended = once(child, "exit");
    const guard = startGuard(child, dataDir);
    // Its number may belong to a stranger from now on.
    child.once("exit", () => guard?.kill("SIGKILL"));
    return { child, ended, output: () => text };
  };
}

/**
 * The guard reads from a pipe whose only writing end is ours, so it goes on when this process has ended, by whichever signal:
 * it ends the instance's group, and removes its folders.
 */
const GUARD = `
read -r _
kill -s TERM -- "-$1" 2>/dev/null
i=0
while kill -s 0 -- "-$1" 2>/dev/null && [ $i -lt $2 ]; do sleep 0.1; i=$((i + 1)); done
kill -s KILL -- "-$1" 2>/dev/null
cluster=$(readlink -f -- "$3/postgres")
i=0
while [ -e "$3" ] && [ $i -lt 50 ]; do rm -rf -- "$cluster" "$3" 2>/dev/null || sleep 0.1; i=$((i + 1)); done
`;

function startGuard({ pid }: ChildProcess, dataDir: string): ChildProcess | null {
  if (pid === undefined) return null;
  const given = [String(pid), String(STOP_MS_MAX / 100), dataDir];
  const guard = spawn("/bin/sh", ["-c", GUARD, "holdfast-guard", ...given], {
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
    // Out of reach of the terminal's Ctrl-C.
    detached: true,
  });
  guard.on("error", () => undefined);
  guard.stdin.on("error", () => undefined);
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard;
}

function signal({ pid, exitCode, signalCode }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, name);
  } catch (error) {
    // It ended a moment ago.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  signal(child, "SIGTERM");
  const timer = setTimeout(() => signal(child, "SIGKILL"), STOP_MS_MAX);
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) await ended;
  clearTimeout(timer);
}

/** The data's folder, and that of its cluster, which lies elsewhere when the user who runs PostgreSQL cannot enter the first. */
async function foldersOf(dataDir: string): Promise<string[]> {
  const cluster = await realpath(join(dataDir, "postgres")).catch(() => null);
  return cluster === null ? [dataDir] : [cluster, dataDir];
}

async function awaitReady(dataDir: string, child: ChildProcess, endsAt: number): Promise<Ready> {
  while (performance.now() < endsAt) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
      throw new InstanceError("The instance ended at its start.");
    const text = await readFile(join(dataDir, "ready.json"), "utf8").catch(() => null);
    if (text !== null) return JSON.parse(text) as Ready;
    await sleep(POLL_MS);
  }
  throw new InstanceError("The instance was not ready in time.");
}

function instanceOf(ready: Ready, own: Pick<TestInstance, "dataDir" | "restart" | "close">): TestInstance {
  const { apiUrl, testKey, checkoutUrl, controlUrl, recipient, asset } = ready;
  const control = (path: string, body: object) =>
    call("POST", `${controlUrl}${path}`, { "Content-Type": "application/json" }, JSON.stringify(body));
  const play = async (action: string, intentId: string, act: object = {}) => {
    const intent = await call("GET", `${apiUrl}/payment-intents/${encodeURIComponent(intentId)}`, {
      Authorization: `Bearer ${testKey}`,
    });
    return (await control("/play", { ...act, action, intent })) as Acted;
  };
  return {
    ...{ apiUrl, apiKey: testKey, checkoutUrl, recipient, asset, ...own },
    pay: (id, act) => play("pay", id, act),
    dispute: (id, act) => play("dispute", id, act),
    release: (id, act) => play("release", id, act),
    refund: (id, act) => play("refund", id, act),
    rule: (id, to, act) =>
      typeof to === "string" ? play(`resolve_${to}`, id, act) : play("resolve_split", id, { ...act, ...to }),
    advance: async (seconds) => void (await control("/advance", { seconds })),
    drop: async (signature) => (await control("/drop", { signature })) !== null,
    [Symbol.asyncDispose]: own.close,
  };
}

async function call(method: string, url: string, headers: Record<string, string>, body?: string): Promise<unknown> {
  const timeout = { signal: AbortSignal.timeout(CALL_MS_MAX) };
  const answer = await fetch(url, { method, headers, ...timeout, ...(body === undefined ? {} : { body }) });
  const json = (await answer.json()) as { readonly error?: { readonly message: string } } | null;
  if (!answer.ok) throw new InstanceError(`${new URL(url).pathname}: ${json?.error?.message ?? answer.status}`);
  return json;
}

async function findFreePorts(): Promise<number> {
  const { from, to, inRow } = PORTS;
  for (let tries = 0; tries < PORT_TRIES_MAX; tries++) {
    const first = from + Math.floor(Math.random() * (to - from));
    const free = await Promise.all(Array.from({ length: inRow }, (_, index) => isFree(first + index)));
    if (free.every(Boolean)) return first;
  }
  throw new InstanceError(`There are no ${inRow} free ports in a row.`);
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer();
    server.once("error", () => done(false));
    server.listen({ port, host: "localhost" }, () => server.close(() => done(true)));
  });
