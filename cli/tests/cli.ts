import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Asked, Done } from "./commandRunner.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const RUNNER = fileURLToPath(new URL("./commandRunner.ts", import.meta.url));

interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
  /** The JSON lines of the output. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read into it and assert what they find.
  readonly lines: any[];
}

/** A user of the CLI, with folders of their own for settings and state. */
export interface User extends AsyncDisposable {
  readonly home: string;
  /** Runs a command line in the user's one process for them. */
  run(words: readonly string[], env?: Environment): Promise<Result>;
  /** Runs a command line in a process of its own, with this standard input. */
  runAlone(
    words: readonly string[],
    options?: { readonly input?: string; readonly env?: Environment },
  ): Promise<Result>;
  start(words: readonly string[], env?: Environment): ChildProcess;
}

type Environment = Readonly<Record<string, string>>;

export async function newUser(env: Environment = {}): Promise<User> {
  const home = await mkdtemp(join(tmpdir(), "holdfast-cli-"));
  const children: ChildProcess[] = [];
  const { HOLDFAST_API_KEY: _, HOLDFAST_API_URL: __, NODE_TEST_CONTEXT: ___, ...inherited } = process.env;
  const own = { ...inherited, HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: join(home, "state"), ...env };
  const start: User["start"] = (words, more = {}) => {
    const child = spawn(process.execPath, [MAIN, ...words], {
      cwd: home,
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...own, ...more },
    });
    children.push(child);
    return child;
  };
  let runner: ChildProcess | undefined;
  let asked = 0;
  const startRunner = (): ChildProcess => {
    const child = fork(RUNNER, { cwd: home, env: own, stdio: ["ignore", "ignore", "inherit", "ipc"] });
    child.setMaxListeners(0);
    children.push(child);
    return child;
  };
  return {
    home,
    start,
    run: (words, more = {}) => {
      runner ??= startRunner();
      const id = asked++;
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const onMessage = ({ id: of, code, out, errors }: Done) => {
        if (of === id) resolve({ code, out, errors, lines: linesOf(words, out) });
      };
      const onExit = () => reject(new Error(`The process of the commands ended: ${words.join(" ")}`));
      runner.on("message", onMessage).once("exit", onExit);
      runner.send({ id, words, env: { ...own, ...more } } satisfies Asked);
      return promise.finally(() => runner!.off("message", onMessage).off("exit", onExit));
    },
    runAlone: async (words, { input = "", env: more } = {}) => {
      const child = start(words, more);
      child.stdin!.end(input);
      const exit = once(child, "exit");
      const [out, errors] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
      const [code] = (await exit) as [number | null];
      return { code, out, errors, lines: linesOf(words, out) };
    },
    [Symbol.asyncDispose]: async () => {
      for (const child of children) child.kill("SIGKILL");
      await rm(home, { recursive: true, force: true });
    },
  };
}

const linesOf = (words: readonly string[], out: string): unknown[] =>
  words.includes("--json")
    ? out
        .trimEnd()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
