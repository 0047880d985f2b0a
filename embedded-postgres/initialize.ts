import { chownSync, closeSync, fsyncSync, mkdtempSync, openSync, renameSync } from "node:fs";
import { join } from "node:path";
import { isRoot } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import type { Home } from "./home.ts";
import { exitWithin, spawnTethered } from "./tether.ts";

export const USER = "holdfast";
const INITDB_MS_MAX = 120_000;
const OUTPUT_CHARS_MAX = 4_000;

/** Makes the cluster under another name and renames it: `data` is whole or absent, never half made. */
export async function initializeCluster(
  home: Home,
  binaries: Binaries,
  { log, durable }: { log: (line: string) => void; durable: boolean },
): Promise<void> {
  log(`Making the database (PostgreSQL ${binaries.version}) …`);
  const half = mkdtempSync(join(home.folder, "initdb-"));
  if (isRoot) chownSync(half, home.account.uid, home.account.gid);
  await runInitdb(home, binaries, half, durable);
  renameSync(half, home.data);
  syncFolder(home.folder);
}

async function runInitdb(home: Home, binaries: Binaries, folder: string, durable: boolean): Promise<void> {
  // The C locale is quick and the same on every machine. The socket's folder decides who may connect.
  const flags = ["--encoding=UTF8", "--no-locale", "--auth-local=trust", "--auth-host=reject", "--no-instructions"];
  const sync = durable ? [] : ["--no-sync"];
  const initdb = await spawnTethered(binaries.initdb, ["--pgdata", folder, `--username=${USER}`, ...flags, ...sync], {
    account: home.account,
    stdio: ["ignore", "pipe", "pipe"],
    signalsWhenOrphaned: ["KILL"],
    foldersToRemove: [folder],
  });
  let output = "";
  for (const stream of [initdb.child.stdout, initdb.child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-OUTPUT_CHARS_MAX);
    });
  }
  const exit = await exitWithin(initdb, INITDB_MS_MAX);
  if (exit?.code === 0) return;
  if (exit === null) process.kill(-initdb.pid, "SIGKILL");
  throw new Error(`The database could not be made (initdb as uid ${home.account.uid}):\n${output.trim()}`);
}

function syncFolder(folder: string): void {
  const file = openSync(folder, "r");
  fsyncSync(file);
  closeSync(file);
}
