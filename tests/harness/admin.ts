import { type ChildProcess, execFile, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { AdminCommand, AdminOutcome } from "./adminProcess.ts";
import type { Wire } from "./merchant.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROCESS = fileURLToPath(new URL("./adminProcess.ts", import.meta.url));

/** The admin CLI finds a service's database by this folder. */
interface Instance {
  readonly dataDir: string;
  /** The working tree of another build, whose CLI runs then, in a process of its own. */
  readonly root?: string;
  /** Further settings of a command in a process of its own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Returns the output of `npm run admin -- <words> --json` for a running service. Commands run one after the other. */
export async function admin(service: Instance, ...words: readonly string[]): Promise<Wire> {
  if ((service.root ?? ROOT) !== ROOT) return adminApart(service, ...words);
  const { output, errors, code } = await send("admin", service, [...words, "--json"]);
  if (code !== 0) throw new Error(`The admin CLI refused ${words.join(" ")}: ${errors}`);
  return JSON.parse(output);
}

/** Returns the sentence with which the CLI refuses a command. */
export async function adminRefusal(service: Instance, ...words: readonly string[]): Promise<string> {
  const { errors, code } = await send("admin", service, [...words, "--json"]);
  if (code === 0) throw new Error(`The admin CLI did this: ${words.join(" ")}.`);
  return errors.trim();
}

/** Runs `npm run receipt -- <words>`; returns its exit code and all that it wrote. */
export async function receiptCli(
  service: Instance,
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  const { output, errors, code } = await send("receipt", service, words);
  return { code, output: output + errors };
}

/** Like {@link admin}, in a process of its own: for commands at the same moment. */
export async function adminApart(service: Instance, ...words: readonly string[]): Promise<Wire> {
  const options = { cwd: service.root ?? ROOT, env: { ...environment(), ...service.env, DATA_DIR: service.dataDir } };
  const { stdout } = await promisify(execFile)(process.execPath, ["server/admin.ts", ...words, "--json"], options);
  return JSON.parse(stdout);
}

/** The shell's own database and folder are left out: the command names the service. */
function environment(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, NODE_TEST_CONTEXT: __, DATA_DIR: ___, ...env } = process.env;
  return env;
}

let child: ChildProcess | null = null;
let commands = 0;
const waiting = new Map<number, { done: (outcome: AdminOutcome) => void; fail: (error: Error) => void }>();

function send(cli: AdminCommand["cli"], { dataDir }: Instance, words: readonly string[]): Promise<AdminOutcome> {
  child ??= startProcess();
  const command: AdminCommand = { number: ++commands, cli, dataDir, words };
  child.channel!.ref();
  return new Promise<AdminOutcome>((done, fail) => {
    waiting.set(command.number, { done, fail });
    child!.send(command);
  }).finally(() => {
    if (waiting.size === 0) child?.channel?.unref();
  });
}

/** It ends with this process, and keeps it from ending only while a command runs. */
function startProcess(): ChildProcess {
  const started = fork(PROCESS, { cwd: ROOT, env: environment() });
  started.unref();
  started.on("message", (outcome: AdminOutcome) => {
    waiting.get(outcome.number)?.done(outcome);
    waiting.delete(outcome.number);
  });
  started.once("exit", (code) => {
    child = null;
    for (const { fail } of waiting.values()) fail(new Error(`The admin CLI's process ended with ${code}.`));
    waiting.clear();
  });
  return started;
}
