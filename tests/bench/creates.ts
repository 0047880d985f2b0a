import { fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startService } from "../harness/service.ts";
import { runBaseline } from "./baseline.ts";
import type { LoadPlan, LoadResult } from "./load.ts";
import { seedBusinesses } from "./seed.ts";

const LOAD = fileURLToPath(new URL("./load.ts", import.meta.url));

async function load(plan: LoadPlan): Promise<LoadResult> {
  const child = fork(LOAD, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  child.send(plan);
  const [result] = (await once(child, "message")) as [LoadResult];
  return result;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/** Creates a second with an Idempotency-Key each, against pgbench writing the same rows, in interleaved rounds. */
export async function benchCreates(args: readonly string[]): Promise<void> {
  const [rounds = 5, seconds = 5, connections = 64, businesses = 1_000] = args.map(Number);
  const service = await startService({ embedded: true });
  try {
    const url = JSON.parse(await readFile(join(service.dataDir, "database.json"), "utf8")).url as string;
    const keys = await seedBusinesses(service.database, businesses);
    const plan: Omit<LoadPlan, "tag" | "kind"> = {
      port: service.port,
      connections,
      durationMs: seconds * 1_000,
      ratePerSecond: null,
      keys,
      ids: [],
      recipient: service.recipient,
      asset: service.asset,
    };
    await load({ ...plan, kind: "create", tag: "warm", durationMs: 2_000 });
    const ratios: number[] = [];
    console.log(
      "| round | creates/s | p50 ms | p99 ms | pgbench/s | ratio | statuses |\n|---|---|---|---|---|---|---|",
    );
    for (let round = 1; round <= rounds; round++) {
      const ours = await load({ ...plan, kind: "create", tag: `r${round}` });
      const base = await runBaseline(url, {
        clients: 16,
        seconds,
        businesses,
        recipient: service.recipient,
        asset: service.asset,
      });
      const rate = ours.good / ours.seconds;
      ratios.push(rate / base.perSecond);
      console.log(
        `| ${round} | ${rate.toFixed(0)} | ${ours.p50Ms.toFixed(1)} | ${ours.p99Ms.toFixed(1)} | ${base.perSecond.toFixed(0)} | ${(rate / base.perSecond).toFixed(2)} | ${JSON.stringify(ours.statuses)} |`,
      );
    }
    const alone = await load({ ...plan, kind: "create", tag: "alone", connections: 1 });
    console.log(
      `\nMedian ratio ${median(ratios).toFixed(2)}; one client alone: p50 ${alone.p50Ms.toFixed(2)} ms, p99 ${alone.p99Ms.toFixed(2)} ms.`,
    );
  } finally {
    await service.remove();
  }
}
