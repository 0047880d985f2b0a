import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { HUNG_MS } from "../../harness/wait.ts";
import { BUGS } from "./bugs.ts";

const FOLDER = import.meta.dirname;

/** Plays the scenario of a bug in a process that has its mistake, and returns the ids of the broken promises. */
export async function plant(number: number): Promise<readonly string[]> {
  const words = ["--import", join(FOLDER, "mistakes.ts"), join(FOLDER, "play.ts"), String(number)];
  const env = { ...process.env, PLANTED_EDITS: JSON.stringify(BUGS[number]!.edits) };
  const { stdout } = await promisify(execFile)(process.execPath, words, { env, timeout: HUNG_MS });
  return JSON.parse(stdout) as string[];
}
