import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUGS } from "./bugs.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PARTS = ["package.json", "server", "devnet", "program", "tests/faults", "tests/harness"];
const RUN_MS_MAX = 60_000;

/** Makes the mistake in a copy of the project, plays its scenario there, and returns the ids of the broken promises. */
export async function plant(number: number): Promise<readonly string[]> {
  const bug = BUGS[number]!;
  const tree = mkdtempSync(join(tmpdir(), "holdfast-planted-"));
  try {
    for (const part of PARTS)
      cpSync(join(ROOT, part), join(tree, part), {
        recursive: true,
        filter: (path) => !/\/(target|node_modules)$|\.test\.ts$/.test(path),
      });
    symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"));
    for (const [file, from, to] of bug.edits) {
      const path = join(tree, file);
      const text = readFileSync(path, "utf8");
      if (text.split(from).length !== 2) throw new Error(`"${from}" does not stand in ${file} exactly once.`);
      writeFileSync(
        path,
        text.replace(from, () => to),
      );
    }
    return await play(tree, number);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

async function play(tree: string, number: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [join(tree, "tests/faults/planted/play.ts"), String(number)], {
    cwd: tree,
    stdio: ["ignore", "pipe", "pipe"],
    // The tree has a template of its own: the mistake may be in the schema.
    env: { ...process.env, TEST_RUN_ID: `planted_${number}_${process.env.TEST_RUN_ID ?? process.pid}` },
    timeout: RUN_MS_MAX,
  });
  let [said, errors] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`The scenario could not be played to its end (${code}): ${errors}`);
  return JSON.parse(said) as string[];
}
