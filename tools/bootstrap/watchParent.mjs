// This module is loaded before the script. A parent that is killed by force cannot signal its child, so the child watches the
// parent: once it has ended, the process sends itself SIGTERM, and SIGKILL later. The variable is deleted, since our children
// watch us.
import { isMainThread } from "node:worker_threads";

const PERIOD_MS = 250;
const DRAIN_MS_MAX = 8_000;

export function watchParent(parent) {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.kill(process.pid, "SIGKILL"), DRAIN_MS_MAX).unref();
  }, PERIOD_MS);
  timer.unref();
}

if (isMainThread && process.env.HOLDFAST_PARENT !== undefined) {
  watchParent(Number(process.env.HOLDFAST_PARENT));
  delete process.env.HOLDFAST_PARENT;
}
