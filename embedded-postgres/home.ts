import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, canEnter, defaultAccount, isRoot } from "./account.ts";
import { removeForgotten } from "./forgotten.ts";

/** The folder of one cluster: `data` (PostgreSQL's own), `owner.lock`, `postgres.log`. */
export interface Home {
  readonly folder: string;
  readonly data: string;
  readonly account: Account;
}

/** Finds or makes `DATA_DIR/postgres`; the cluster keeps running as the account that made it. */
export function openHome(dataDir: string, stateDir: string, log: (line: string) => void): Home {
  mkdirSync(dataDir, { recursive: true });
  const name = join(realpathSync(dataDir), "postgres");
  const folder = findFolder(name) ?? makeFolder(name, stateDir, log);
  const data = join(folder, "data");
  const account = findOwner(data) ?? defaultAccount();
  if (!isRoot && account.uid !== process.getuid?.()) {
    throw new Error(`The data in ${folder} belongs to uid ${account.uid}: start as that user, or as root.`);
  }
  if (isRoot && !canEnter(account, folder)) {
    throw new Error(
      `uid ${account.uid}, who runs PostgreSQL, can no longer enter ${folder}: open its parent folders (chmod o+x).`,
    );
  }
  return { folder, data, account };
}

function findFolder(name: string): string | null {
  if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return null;
  try {
    return realpathSync(name);
  } catch {
    throw new Error(`${name} points to a database that is gone. Bring it back, or remove the link to make a new one.`);
  }
}

/**
 * Makes a folder under `stateDir` for the cluster when root runs the service and `nobody` cannot enter DATA_DIR. A link in
 * DATA_DIR names the folder. The name is never reused, since removing DATA_DIR asks for a new database.
 */
function makeFolder(name: string, stateDir: string, log: (line: string) => void): string {
  if (!isRoot || canEnter(defaultAccount(), join(name, ".."))) {
    makeOpenFolder(name);
    return realpathSync(name);
  }
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 8);
  const folder = join(stateDir, `${hash}-${randomBytes(4).toString("hex")}`);
  makeOpenFolder(stateDir);
  makeOpenFolder(folder);
  removeForgotten(stateDir);
  try {
    symlinkSync(folder, name);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return realpathSync(name); // another start was quicker; the owner lock decides between us
  }
  writeFileSync(join(folder, "named-by"), `${name}\n`); // after the link, without which it would be taken for forgotten
  log(`The database lives in ${folder}, since the user who runs it cannot enter ${join(name, "..")}.`);
  return folder;
}

/** Makes a folder that `nobody` can enter, with any umask of root. */
export function makeOpenFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o755);
}

function findOwner(data: string): Account | null {
  const found = statSync(data, { throwIfNoEntry: false });
  return found === undefined ? null : { uid: found.uid, gid: found.gid };
}

/** Refuses data of another major version. PostgreSQL would refuse too, but only in its own log. */
export function requireVersion(home: Home, version: string): void {
  const made = readFileSync(join(home.data, "PG_VERSION"), "utf8").trim();
  const ours = version.split(".")[0];
  if (made === ours) return;
  throw new Error(
    `${home.data} was made by PostgreSQL ${made}, this is ${ours}: dump it with ${made} and load the dump into a new one.`,
  );
}

/**
 * A folder for the socket that only the account enters, which is why the socket itself asks for no password. A socket's
 * path may have 107 bytes: a deep TMPDIR is passed over, and so is one the account cannot enter.
 */
export function makeSocketFolder(account: Account): string {
  const parent = tmpdir().length <= 60 && (!isRoot || canEnter(account, tmpdir())) ? tmpdir() : "/tmp";
  const folder = mkdtempSync(join(parent, "holdfast-"));
  if (isRoot) chownSync(folder, account.uid, account.gid);
  return folder;
}
