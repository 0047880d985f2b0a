import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";

/** The whole machine as it stood when the log had `offset` bytes. Only a shortcut: the log alone can build the same state. */
export interface Snapshot {
  readonly offset: number;
  readonly genesisHash: string;
  readonly machine: Uint8Array;
}

/** Writes a second file and renames it over the first, so that a crash leaves the old one or the new one. */
export function writeSnapshot(path: string, { offset, genesisHash, machine }: Snapshot): void {
  const file = openSync(`${path}.new`, "w", 0o600);
  const head = Buffer.from(`${JSON.stringify({ offset, genesisHash, crc: crc32(machine) })}\n`);
  for (const bytes of [head, machine]) for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
  const folder = openSync(dirname(path), "r");
  fsyncSync(folder);
  closeSync(folder);
}

/** Reads the snapshot at the path; null if there is none that can be trusted. */
export function readSnapshot(path: string): Snapshot | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const end = bytes.indexOf(10);
  if (end < 0) return null;
  const machine = bytes.subarray(end + 1);
  try {
    const head = JSON.parse(bytes.toString("utf8", 0, end)) as { offset: number; genesisHash: string; crc: number };
    return head.crc === crc32(machine) ? { offset: head.offset, genesisHash: head.genesisHash, machine } : null;
  } catch {
    // A head that is no JSON is a snapshot that was not written by us or not whole: the log is read instead.
    return null;
  }
}
