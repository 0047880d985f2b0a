import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The user PostgreSQL runs as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export const isRoot = process.getuid?.() === 0;

/** Our own account; for root, who may not run PostgreSQL, the system's `nobody`. */
export function defaultAccount(): Account {
  if (!isRoot) return { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
  const entry = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .find(([name]) => name === "nobody");
  return { uid: Number(entry?.[2] ?? 65_534), gid: Number(entry?.[3] ?? 65_534) };
}

/** The options by which a child process runs as the account: only root may change a process's user. */
export const runAs = (account: Account): { uid?: number; gid?: number } => (isRoot ? account : {});

/** The whole environment of our children: none of the service's secrets, and no PG… variable of the host's. */
export const childEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
});

/** Tries to enter the folder as the account: mounts and access lists decide too, not only the modes of its parent folders. */
export function canEnter(account: Account, folder: string): boolean {
  const trial = spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], {
    ...runAs(account),
    cwd: "/",
    env: childEnvironment(),
    stdio: "ignore",
    timeout: 5_000,
  });
  return trial.status === 0;
}
