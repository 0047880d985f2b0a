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
}

/** Returns the output of `npm run admin -- <words> --json` for a running service. Commands run one after the other. */
export async function admin(service: Instance, ...words: readonly string[]): Promise<Wire> {
  const { output, errors, failed } = await send(service, words);
  if (failed) throw new Error(`The admin CLI refused ${words.join(" ")}: ${errors}`);
  return JSON.parse(output);
}

/** Returns the sentence with which the CLI refuses a command. */
export async function adminRefusal(service: Instance, ...words: readonly string[]): Promise<string> {
  const { errors, failed } = await send(service, words);
  if (!failed) throw new Error(`The admin CLI did this: ${words.join(" ")}.`);
  return errors.trim();
}

/** Like {@link admin}, in a process of its own: for commands at the same moment. */
export async function adminApart(service: Instance, ...words: readonly string[]): Promise<Wire> {
  const options = { cwd: ROOT, env: { ...environment(), DATA_DIR: service.dataDir } };
  const { stdout } = await promisify(execFile)(process.execPath, ["server/admin.ts", ...words, "--json"], options);
  return JSON.parse(stdout);
}

/** The shell's own database and folder are left out: the command names the service. */
function environment(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, NODE_TEST_CONTEXT: __, DATA_DIR: ___, ...env } = process.env;
  return env;
}

let cli: ChildProcess | null = null;
let commands = 0;
const waiting = new Map<number, { done: (outcome: AdminOutcome) => void; fail: (error: Error) => void }>();

function send(service: Instance, words: readonly string[]): Promise<AdminOutcome> {
  cli ??= startProcess();
  const command: AdminCommand = { number: ++commands, dataDir: service.dataDir, words: [...words, "--json"] };
  cli.channel!.ref();
  return new Promise<AdminOutcome>((done, fail) => {
    waiting.set(command.number, { done, fail });
    cli!.send(command);
  }).finally(() => {
    if (waiting.size === 0) cli?.channel?.unref();
  });
}

/** It ends with this process, and keeps it from ending only while a command runs. */
function startProcess(): ChildProcess {
  const child = fork(PROCESS, { cwd: ROOT, env: environment() });
  child.unref();
  child.on("message", (outcome: AdminOutcome) => {
    waiting.get(outcome.number)?.done(outcome);
    waiting.delete(outcome.number);
  });
  child.once("exit", (code) => {
    cli = null;
    for (const { fail } of waiting.values()) fail(new Error(`The admin CLI's process ended with ${code}.`));
    waiting.clear();
  });
  return child;
}
