// A process that runs command lines for a test, several at once: loading the commands takes most of a short command's time.
// Each has its own variables, output and exit code, as in a process of its own.
import { AsyncLocalStorage } from "node:async_hooks";
import { runCommand } from "../program.ts";

/** A command line as the test sends it. */
export interface Asked {
  readonly id: number;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The outcome of a command. */
export interface Done {
  readonly id: number;
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

interface Running {
  readonly env: NodeJS.ProcessEnv;
  out: string;
  errors: string;
}

const running = new AsyncLocalStorage<Running>();
const { env } = process;
Object.defineProperty(process, "env", { get: () => running.getStore()?.env ?? env });
for (const [stream, kept] of [
  [process.stdout, "out"],
  [process.stderr, "errors"],
] as const)
  stream.write = (text: string | Uint8Array) => {
    running.getStore()![kept] += text;
    return true;
  };

process.on("message", ({ id, words, env: own }: Asked) => {
  const command: Running = { env: own, out: "", errors: "" };
  void running.run(command, async () => {
    const code = await runCommand(words);
    process.send!({ id, code, out: command.out, errors: command.errors } satisfies Done);
  });
});
