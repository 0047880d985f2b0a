import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Checks by other programs, each with its arguments after `node`. */
const COMMANDS: readonly (readonly [title: string, argv: readonly string[]])[] = [
  ["types (tsc)", ["node_modules/tsc/bin/tsc", "-p", "tsconfig.json"]],
  ["types of what runs in a browser (tsc)", ["node_modules/tsc/bin/tsc", "-p", "web/tsconfig.json"]],
  [
    "format and lint (biome)",
    ["node_modules/@biomejs/biome/bin/biome", "check", "--diagnostic-level=warn", "--error-on-warnings"],
  ],
  ["unused files and exports (knip)", ["node_modules/knip/bin/knip.js", "--no-progress", "--no-config-hints"]],
  ["generated files against their declarations", ["tools/openapi.ts", "--check"]],
];
const COMMAND_MS_MAX = 400_000;

export interface Outcome {
  readonly title: string;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly tookMs: number;
}

/** Runs the commands side by side. A command that is not installed is a problem, so that no check is skipped in silence. */
export function checkCommands(root: string): Promise<Outcome>[] {
  return COMMANDS.map(([title, argv]) => {
    if (existsSync(join(root, argv[0]!))) return run(root, title, argv);
    const problem = `${argv[0]} is not there. Install the packages again: npm ci`;
    return Promise.resolve({ title, problems: [problem], warnings: [], tookMs: 0 });
  });
}

function run(root: string, title: string, argv: readonly string[]): Promise<Outcome> {
  const startedAt = Date.now();
  const child = spawn(process.execPath, argv, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: COMMAND_MS_MAX,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  return new Promise((resolve) => {
    const done = (problems: string[]) => resolve({ title, problems, warnings: [], tookMs: Date.now() - startedAt });
    child.once("error", (error) => done([error.message]));
    child.once("close", (code, signal) => done(code === 0 ? [] : [`${output.trim()}\n(ended with ${code ?? signal})`]));
  });
}
