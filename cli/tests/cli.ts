import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

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
  run(words: readonly string[], given?: Given): Promise<Result>;
  start(words: readonly string[], given?: Given): ChildProcess;
}

interface Given {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export async function newUser(env: Readonly<Record<string, string>> = {}): Promise<User> {
  const home = await mkdtemp(join(tmpdir(), "holdfast-cli-"));
  const children: ChildProcess[] = [];
  const start: User["start"] = (words, { env: more = {} } = {}) => {
    const { HOLDFAST_API_KEY: _, HOLDFAST_API_URL: __, NODE_TEST_CONTEXT: ___, ...inherited } = process.env;
    const child = spawn(process.execPath, [MAIN, ...words], {
      cwd: home,
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...inherited, HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: join(home, "state"), ...env, ...more },
    });
    children.push(child);
    return child;
  };
  return {
    home,
    start,
    run: async (words, given = {}) => {
      const child = start(words, given);
      child.stdin!.end(given.input ?? "");
      const exit = once(child, "exit");
      const [out, errors] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
      const [code] = (await exit) as [number | null];
      const lines = words.includes("--json")
        ? out
            .trimEnd()
            .split("\n")
            .filter(Boolean)
            .map((line) => JSON.parse(line))
        : [];
      return { code, out, errors, lines };
    },
    [Symbol.asyncDispose]: async () => {
      for (const child of children) child.kill("SIGKILL");
      await rm(home, { recursive: true, force: true });
    },
  };
}
