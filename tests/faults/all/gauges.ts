import { exchange } from "../../harness/http.ts";
import { eventually } from "../../harness/wait.ts";
import type { World } from "./world.ts";

/** The most that each figure may say while nothing is broken and work goes on; a figure that stays above it stands still. */
const AT_REST: Readonly<Record<string, number>> = {
  holdfast_sweep_behind_seconds: 30,
  holdfast_webhook_oldest_due_seconds: 30,
  holdfast_inbox_unreadable: 0,
  holdfast_keeper_oldest_due_seconds: 120,
  holdfast_keeper_unlanded: 0,
  holdfast_loop_overdue_seconds: 30,
};
/** Means that it stands still, also on a machine that is ten times slower. */
const STILL_MS = 300_000;

/** The figures of a process that are above their rest, in words; null while it does not answer well. */
async function readAbove(port: number): Promise<string[] | null> {
  const [ready, metrics] = await Promise.all(
    ["readyz", "metrics"].map((page) => exchange("GET", `http://localhost:${port}/${page}`).catch(() => null)),
  );
  if (ready?.status !== 200 || metrics?.status !== 200) return null;
  return metrics.text.split("\n").filter((line) => {
    const most = AT_REST[/^[a-z_]+/.exec(line)?.[0] ?? ""];
    return most !== undefined && Number(line.split(" ").at(-1)) > most;
  });
}

/** Waits until every process is ready and all figures are at rest, while work goes on; returns the time that it took. */
export async function awaitRest(world: World): Promise<number> {
  const startedAt = performance.now();
  let above: readonly string[] = [];
  await eventually(
    "all figures are at rest",
    async () => {
      const read = await Promise.all(world.members.map(({ port }) => readAbove(port)));
      above = read.flatMap((lines, place) => lines ?? [`the process ${place} is not ready`]);
      return above.length === 0;
    },
    STILL_MS,
  ).catch((error: unknown) => {
    throw new Error(`Something stands still after the faults were healed: ${above.join("; ")}`, { cause: error });
  });
  return performance.now() - startedAt;
}
