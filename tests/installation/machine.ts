import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** What an empty machine has: Node.js with its npm, and the commands that these two and the guides call. */
const COMMANDS = ["node", "npm", "sh", "tar", "gzip", "flock", "sha256sum"];
/** Of this process's environment, commands see what leads to npm's registry, and no more. */
const KEPT = /^(npm_config_userconfig|(https?|all|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i;
const RUN_MS_MAX = 15 * 60_000;
const OUTPUT_BYTES_MAX = 10_000_000;
const SAID_CHARACTERS = 5_000;

type Env = Readonly<Record<string, string>>;

export interface Started {
  readonly process: ChildProcess;
  /** All that it has written so far. */
  text(): string;
}

/** A folder outside of every repository that stands for an empty machine, with a HOME and a PATH of its own. */
export class Machine {
  readonly folder: string;
  readonly #env: Env;
  readonly #started: ChildProcess[] = [];

  private constructor(folder: string) {
    this.folder = folder;
    process.once("exit", () => this.stop());
    const kept = Object.entries(process.env).filter(([name]) => KEPT.test(name)) as [string, string][];
    this.#env = {
      npm_config_userconfig: join(homedir(), ".npmrc"),
      ...Object.fromEntries(kept),
      ...{ HOME: this.at("home"), PATH: this.at("bin") },
    };
  }

  static async create(): Promise<Machine> {
    const machine = new Machine(await mkdtemp(join(tmpdir(), "holdfast-machine-")));
    // The account that runs PostgreSQL for root must be able to enter it.
    await chmod(machine.folder, 0o755);
    for (const name of ["home", "bin", "logs"]) await mkdir(machine.at(name));
    for (const name of COMMANDS) await symlink(findCommand(name), machine.at("bin", name));
    return machine;
  }

  /** What a command of the machine sees, with more of its own. */
  environment = (more: Env): Record<string, string> => ({ ...this.#env, ...more });

  at = (...path: string[]): string => join(this.folder, ...path);

  /** Runs a command to its end and returns its output; fails with the last that it said. */
  async run(folder: string, words: readonly string[], { env = {}, input = "" }: Run = {}): Promise<string> {
    const [command, ...others] = words;
    const options = { cwd: folder, env: this.environment(env), timeout: RUN_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX };
    const running = promisify(execFile)(command!, others, options);
    running.child.stdin?.end(input);
    const { stdout } = await running.catch((error: Error & { stdout?: string; stderr?: string }) => {
      const said = `${error.stdout ?? ""}${error.stderr ?? ""}`.slice(-SAID_CHARACTERS);
      throw new Error(`${words.join(" ")}, in ${folder}, failed: ${said || error.message}`);
    });
    return stdout;
  }

  /** Starts a process that goes on until {@link stop}; what it writes is in `logs`, too. */
  async start(name: string, folder: string, words: readonly string[], env: Env): Promise<Started> {
    const [command, ...others] = words;
    const child = spawn(command!, others, {
      cwd: folder,
      env: this.environment({ HOLDFAST_PARENT: String(process.pid), ...env }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#started.push(child);
    const log = createWriteStream(this.at("logs", `${name}.log`));
    let text = "";
    for (const stream of [child.stdout!, child.stderr!])
      stream.on("data", (chunk: Buffer) => {
        log.write(chunk);
        text += chunk.toString();
      });
    await once(child, "spawn");
    return { process: child, text: () => text };
  }

  stop(): void {
    for (const child of this.#started) child.kill("SIGKILL");
  }

  remove = (): Promise<void> => rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
}

interface Run {
  readonly env?: Env;
  readonly input?: string;
}

/** Asks a process to end, and returns its exit code; null if it was killed. */
export async function endOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }
  return child.exitCode;
}

/** The machine's own command: npm puts those of this repository's packages before it. */
function findCommand(name: string): string {
  const folders = (process.env.PATH ?? "").split(":").filter((one) => one !== "" && !one.includes("node_modules"));
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`This machine has no ${name}.`);
  return found;
}
