import { sql } from "../../server/store/sql.ts";
import { databaseUrlOf } from "../harness/apiProcess.ts";
import { startService } from "../harness/service.ts";
import { runBaseline } from "./baseline.ts";
import { cpuBetween, cpuMeter } from "./cpu.ts";
import type { LoadPlan } from "./load.ts";
import { load, median, ROUND_COLUMNS, roundCells } from "./loading.ts";
import { seedBusinesses } from "./seed.ts";

const WARM_MS = 3_000;
/** Between a checkpoint and what is measured after it. */
const AGAIN_MS = 8_000;

/**
 * Creates a second, an Idempotency-Key each, against pgbench writing the same rows one statement a transaction, in
 * interleaved rounds; then the latency at half that rate, of one client alone, and the good answers at twice the rate.
 */
export async function benchCreates(args: readonly string[]): Promise<void> {
  const [rounds = 5, seconds = 5, connections = 64, businesses = 1_000] = args.map(Number);
  const service = await startService({ embedded: true, env: { LOCAL_SLOT_MS: "400" } });
  try {
    const url = await databaseUrlOf(service);
    const keys = await seedBusinesses(service.database, businesses);
    const plan: Omit<LoadPlan, "tag"> = {
      kind: "create",
      port: service.port,
      connections,
      durationMs: seconds * 1_000,
      ratePerSecond: null,
      keys,
      ids: [],
      recipient: service.recipient,
      asset: service.asset,
    };
    const base = { clients: 16, seconds, businesses, recipient: service.recipient, asset: service.asset };
    const cpu = await cpuMeter(service.process.pid!, service.database);
    await load({ ...plan, tag: "warm", durationMs: WARM_MS });
    await runBaseline(url, { ...base, seconds: 1 });

    const ratios: number[] = [];
    const rates: number[] = [];
    console.log(`| round | creates/s | ${ROUND_COLUMNS.join(" | ")} | pgbench/s | ratio |\n|${"---|".repeat(9)}`);
    for (let round = 1; round <= rounds; round++) {
      const before = cpu();
      const ours = await load({ ...plan, tag: `r${round}` });
      const used = cpuBetween(before, cpu());
      const { perSecond } = await runBaseline(url, base);
      const rate = ours.good / ours.seconds;
      rates.push(rate);
      ratios.push(rate / perSecond);
      const cells = [
        round,
        rate.toFixed(0),
        ...roundCells(ours, used),
        perSecond.toFixed(0),
        (rate / perSecond).toFixed(2),
      ];
      console.log(`| ${cells.join(" | ")} |${ours.good === ours.answered ? "" : ` ${JSON.stringify(ours.statuses)}`}`);
    }
    const most = median(rates);
    // So that the log has used segments to take, as it has where a service has run for long: a new one is filled with
    // zeros first, every second or two at this rate, while all commits wait.
    await service.database.rows(sql`checkpoint`);
    // What is first changed after it is written to the log as a whole page: so much of it that disks are busy with it.
    await load({ ...plan, tag: "again", durationMs: AGAIN_MS });
    const half = await load({ ...plan, tag: "half", ratePerSecond: most / 2 });
    const alone = await load({ ...plan, tag: "alone", connections: 1 });
    const baseAlone = await runBaseline(url, { ...base, clients: 1 });
    const twice = await load({ ...plan, tag: "twice", ratePerSecond: most * 2, connections: connections * 8 });
    console.log(`
Median: ${most.toFixed(0)} creates/s, ${median(ratios).toFixed(2)} of pgbench.
At half that rate: p50 ${half.p50Ms.toFixed(1)} ms, p99 ${half.p99Ms.toFixed(1)} ms.
One client alone: p50 ${alone.p50Ms.toFixed(2)} ms, p99 ${alone.p99Ms.toFixed(2)} ms; a transaction of pgbench alone: ${(1_000 / baseAlone.perSecond).toFixed(2)} ms.
At twice the rate: ${(twice.good / twice.seconds).toFixed(0)} good answers/s, ${(twice.good / twice.seconds / most).toFixed(2)} of capacity (${JSON.stringify(twice.statuses)}).`);
  } finally {
    await service.remove();
  }
}
