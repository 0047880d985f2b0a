import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { type Account, childEnvironment, runAs } from "./account.ts";

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A child that does not outlive us, however we die. */
export interface Tethered {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly exited: Promise<Exit>;
}

interface Tether {
  readonly account: Account;
  readonly stdio: StdioOptions;
  /** Signals for the child after we have ended, in this order, 1.2 s apart, until the child has ended too. */
  readonly signalsWhenOrphaned: readonly ("INT" | "QUIT" | "KILL")[];
  /** Folders to remove when both we and the child have ended. */
  readonly foldersToRemove: readonly string[];
}

/**
 * The watcher holds the reading end of a pipe whose only writing end is ours (Node opens it close-on-exec, so no other
 * child has it): it reads nothing until the kernel closes our end. It makes sure of the name before it signals, since a
 * number may by then belong to a stranger. The child leads its own process group, and the whole group is signalled:
 * initdb's helpers are in it; PostgreSQL's own children are not and follow their parent.
 */
const WATCH = `
read -r _
pid=$1; name=$2; signals=$3; shift 3
alive() {
  { read -r _ comm state _ < "/proc/$pid/stat"; } 2>/dev/null && [ "$comm" = "($name)" ] && [ "$state" != Z ]
}
for signal in $signals; do
  alive || break
  kill -s "$signal" -- "-$pid" 2>/dev/null
  i=0
  while alive && [ $i -lt 24 ]; do sleep 0.05; i=$((i + 1)); done
done
rm -rf -- "$@"
`;

/** Starts the child in a session of its own, out of reach of the terminal's Ctrl-C: its owner decides when it stops. */
export function spawnTethered(command: string, args: readonly string[], tether: Tether): Promise<Tethered> {
  const common = { cwd: "/", env: childEnvironment(), detached: true };
  const child = spawn(command, args, { ...common, ...runAs(tether.account), stdio: tether.stdio });
  const exited = new Promise<Exit>((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    const pid = child.pid;
    if (pid === undefined) return;
    const name = command.slice(command.lastIndexOf("/") + 1);
    const watched = [String(pid), name, tether.signalsWhenOrphaned.join(" "), ...tether.foldersToRemove];
    const watcher = spawn("/bin/sh", ["-c", WATCH, "holdfast-watch", ...watched], {
      ...common,
      stdio: ["pipe", "ignore", "ignore"],
    });
    watcher.once("error", reject);
    watcher.stdin.on("error", () => {}); // the watcher is stopped, not written to
    void exited.then(() => watcher.kill("SIGKILL"));
    // Neither keeps the event loop alive: a process that never calls stop() still ends, and the watcher then stops the server.
    child.unref();
    watcher.unref();
    (watcher.stdin as unknown as { unref(): void }).unref();
    resolve({ pid, child, exited });
  });
}

/** Waits for the exit, for at most `limitMs`; null when it is still running. */
export async function exitWithin(tethered: Tethered, limitMs: number): Promise<Exit | null> {
  tethered.child.ref();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, limitMs, null);
  });
  const exit = await Promise.race([tethered.exited, late]);
  clearTimeout(timer);
  return exit;
}
