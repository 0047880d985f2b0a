import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../config.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const GIB = 2 ** 30;
const FREE_BYTES_MIN = GIB;
const FREE_SHARE_MIN = 0.05;
/** A daily backup, and two hours for it to run. */
const BACKUP_HOURS_MAX = 26;
const HOUR_MS = 3_600_000;

/** The free part of the file system that holds a path. */
export type ReadFree = (path: string) => Promise<{ readonly freeBytes: number; readonly bytes: number }>;

export const readFree: ReadFree = async (path) => {
  const { bavail, blocks, bsize } = await statfs(path);
  return { freeBytes: bavail * bsize, bytes: blocks * bsize };
};

export async function checkDisk({ dataDir }: Pick<Config, "dataDir">, read: ReadFree): Promise<Finding[]> {
  const { freeBytes, bytes } = await read(dataDir).catch(() => read(dirname(dataDir)));
  const text = `${(freeBytes / GIB).toFixed(1)} GiB of ${(bytes / GIB).toFixed(1)} are free below ${dataDir}.`;
  const isLow = freeBytes < FREE_BYTES_MIN || freeBytes < bytes * FREE_SHARE_MIN;
  return [isLow ? fail("disk", text, "Free space, or move DATA_DIR, before the disk is full.") : ok("disk", text)];
}

/** Files with secrets that other users of this machine may read. `named`: those of variables with `_FILE`. */
export async function checkSecretFiles(config: Config, named: readonly string[]): Promise<Finding[]> {
  const files = [
    ...named,
    config.webhooks.keysFile,
    config.screening?.tokenFile ?? null,
    config.companySignIn?.clientSecretFile ?? null,
    ...config.chains.flatMap(({ keeper, sponsor }) => [keeper?.keyFile ?? null, ...(sponsor?.keyFiles ?? [])]),
  ].filter((file) => file !== null);
  const modes = await Promise.all(
    files.map(async (file) => ({ file, mode: (await stat(file).catch(() => null))?.mode })),
  );
  const open = modes.filter(({ mode }) => mode !== undefined && (mode & 0o007) !== 0).map(({ file }) => file);
  if (open.length === 0) return [ok("secret files", `${files.length} files, none open to other users.`)];
  return [
    warn(
      "secret files",
      `Every user of this machine may read ${open.join(" and ")}.`,
      "chmod 0400, with the service's user as owner.",
    ),
  ];
}

/** The age of the file that a finished backup rewrites; null: it is not there. */
export async function findBackupAgeMs(file: string, now: Date): Promise<number | null> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return found === null ? null : now.getTime() - found.mtimeMs;
}

/** `archivedAt`: when PostgreSQL last archived its log; null: it archives none. */
export async function checkBackups(
  { backupFile }: Pick<Config, "backupFile">,
  archivedAt: Date | null,
  now: Date,
): Promise<Finding[]> {
  const remedy = "Run the backup, and look why it did not: docs/how-to/back-up-and-restore.md";
  const archive =
    archivedAt === null ? [] : [ok("backups", `PostgreSQL archived its log at ${archivedAt.toISOString()}.`)];
  if (backupFile === null) {
    if (archive.length > 0) return archive;
    return [
      warn(
        "backups",
        "Nothing says when the last backup was made.",
        "Set BACKUP_FILE to a file that each finished backup touches, or archive PostgreSQL's log.",
      ),
    ];
  }
  const ageMs = await findBackupAgeMs(backupFile, now);
  if (ageMs === null) return [...archive, fail("backups", `${backupFile} is missing: no backup was finished.`, remedy)];
  const text = `The last backup was finished ${(ageMs / HOUR_MS).toFixed(1)} hours ago.`;
  return [...archive, ageMs > BACKUP_HOURS_MAX * HOUR_MS ? fail("backups", text, remedy) : ok("backups", text)];
}
