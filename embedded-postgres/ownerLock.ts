import { spawnSync } from "node:child_process";
import { closeSync, fchownSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { type Account, isRoot } from "./account.ts";

export interface OwnerLock {
  release(): void;
}

/**
 * Lets only one owner run a cluster. The kernel holds the lock as long as our descriptor is open, so it ends with the
 * process, however that ends, and it holds across containers that share the folder. The text inside only names the holder.
 * Node has no flock(2) of its own: the command locks the open file it inherits, which is ours.
 */
export function takeOwnerLock(path: string, account: Account, dataDir: string): OwnerLock {
  const file = openSync(path, "a+", 0o644);
  if (isRoot) fchownSync(file, account.uid, account.gid);
  const flock = spawnSync("flock", ["--exclusive", "--nonblock", "3"], {
    stdio: ["ignore", "ignore", "ignore", file],
    timeout: 5_000,
  });
  if (flock.status !== 0) {
    closeSync(file);
    if (flock.status !== 1) throw new Error("The command flock (package util-linux) is needed to guard the data.");
    const holder = readFileSync(path, "utf8").trim();
    throw new Error(
      `${dataDir} is in use by another process${holder === "" ? "" : ` (pid ${holder})`}. Stop it first.`,
    );
  }
  ftruncateSync(file);
  writeSync(file, `${process.pid}\n`);
  let held = true;
  return {
    release() {
      if (held) closeSync(file);
      held = false; // a second close would hit whatever file has the number by then
    },
  };
}
