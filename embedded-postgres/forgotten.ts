import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultAccount } from "./account.ts";
import { takeOwnerLock } from "./ownerLock.ts";

/**
 * Removes the clusters under `stateDir` whose DATA_DIR was in a temporary folder and no longer exists: runs of tests leave
 * them. A cluster whose DATA_DIR was anywhere else is never touched: it may have been moved, or its disk may be detached.
 */
export function removeForgotten(stateDir: string): void {
  for (const name of readdirSync(stateDir)) {
    const folder = join(stateDir, name);
    if (!isForgotten(folder)) continue;
    try {
      const lock = takeOwnerLock(join(folder, "owner.lock"), defaultAccount(), folder);
      rmSync(folder, { recursive: true, force: true });
      lock.release();
    } catch {
      // Another process runs it, or is removing it.
    }
  }
}

function isForgotten(folder: string): boolean {
  try {
    const namedBy = readFileSync(join(folder, "named-by"), "utf8").trim();
    const wasTemporary = [tmpdir(), "/tmp"].some((parent) => namedBy.startsWith(`${parent}/`));
    return wasTemporary && lstatSync(namedBy, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false; // binaries, or a folder that is being made
  }
}
