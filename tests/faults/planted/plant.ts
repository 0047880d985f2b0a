import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { PROJECT_ROOT } from "../../harness/service.ts";
import { HUNG_MS } from "../../harness/wait.ts";
import { BUGS } from "./bugs.ts";
import type { Mended } from "./findings.ts";

const FOLDER = import.meta.dirname;
/** Shorter than any wait by which the service itself gets over such a mistake in the end. */
const TEST_MS = 20_000;

const MISTAKES = ["--import", join(FOLDER, "mistakes.ts")];

/** Plays the scenario of a bug in a process that has its mistake, and returns the ids of the broken promises. */
export async function plant(number: number): Promise<readonly string[]> {
  const words = [...MISTAKES, join(FOLDER, "play.ts"), String(number)];
  const env = { ...process.env, PLANTED_EDITS: JSON.stringify(BUGS[number]!.edits) };
  const { stdout } = await promisify(execFile)(process.execPath, words, { env, timeout: HUNG_MS });
  return JSON.parse(stdout) as string[];
}

/** Runs the test of a mended mistake in a process that has it; returns true if the test is red. */
export async function isFound({ edit, test: [file, name] }: Mended): Promise<boolean> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const words = [
    "--test",
    "--test-isolation=none",
    "--test-force-exit",
    `--test-timeout=${TEST_MS}`,
    `--test-name-pattern=${name}`,
    file,
  ];
  const child = spawn(
    process.execPath,
    [...process.execArgv.filter((one) => !one.startsWith("--test")), ...MISTAKES, ...words],
    {
      cwd: PROJECT_ROOT,
      env: { ...env, PLANTED_EDITS: JSON.stringify([edit]) },
      stdio: ["ignore", "pipe", "inherit"],
      timeout: HUNG_MS,
    },
  );
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(child, "close");
  const said = Buffer.concat(chunks).toString();
  if (!/^(ℹ|#) (fail|cancelled) [0-9]+$/m.test(said)) throw new Error(`The test did not run: ${said}`);
  return /^(ℹ|#) (fail|cancelled) [1-9]/m.test(said);
}
