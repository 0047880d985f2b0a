import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface Process {
  readonly pid: number;
  readonly command: string;
}

const readOrEmpty = (read: () => string): string => {
  try {
    return read();
  } catch {
    return ""; // It ended meanwhile, or its folder is not ours to read: either way nothing to see.
  }
};

/** Every process that runs with one of the folders in its command, environment or as its working folder; this one is left out. */
export function listProcessesOf(folders: readonly string[]): Process[] {
  const found: Process[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const command = readOrEmpty(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ");
    const isZombie = / Z /.test(readOrEmpty(() => readFileSync(`/proc/${pid}/stat`, "utf8")).replace(/^.*\)/s, ""));
    if (isZombie) continue;
    const words = [
      command,
      readOrEmpty(() => readFileSync(`/proc/${pid}/environ`, "utf8")),
      readOrEmpty(() => readlinkSync(`/proc/${pid}/cwd`)),
    ];
    if (words.some((text) => folders.some((folder) => text.includes(folder)))) found.push({ pid, command });
  }
  return found;
}
