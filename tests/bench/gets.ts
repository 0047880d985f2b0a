import { startOpenService } from "../faults/serviceDatabase.ts";
import { newMerchant } from "../harness/merchant.ts";
import { localChain } from "../harness/service.ts";
import { cpuBetween, cpuMeter } from "./cpu.ts";
import type { LoadPlan } from "./load.ts";
import { load, median, ROUND_COLUMNS, roundCells, startBare } from "./startLoad.ts";

const MERCHANTS = 100;

/** Reads of an intent a second, against Node's bare HTTP server answering the same bytes, in interleaved rounds. */
export async function benchGets(args: readonly string[]): Promise<void> {
  const [rounds = 5, seconds = 5, connections = 64] = args.map(Number);
  const service = await startOpenService({ embedded: true, env: { ...localChain({ slotMs: 400 }) } });
  const merchants = await Promise.all(Array.from({ length: MERCHANTS }, () => newMerchant(service)));
  const intents = await Promise.all(merchants.map((merchant) => merchant.create()));
  const bare = await startBare(JSON.stringify(intents[0]));
  try {
    const plan: Omit<LoadPlan, "kind" | "port"> = {
      tag: "get",
      connections,
      durationMs: seconds * 1_000,
      ratePerSecond: null,
      keys: merchants.map((merchant) => merchant.key),
      ids: intents.map((intent) => intent.id),
      recipient: "",
      asset: "",
    };
    const cpu = await cpuMeter(service.process.pid!, service.database);
    await load({ ...plan, kind: "get", port: service.port });
    const ratios: number[] = [];
    console.log(`| round | GET/s | ${ROUND_COLUMNS.join(" | ")} | bare/s | ratio |\n|${"---|".repeat(9)}`);
    for (let round = 1; round <= rounds; round++) {
      const before = cpu();
      const ours = await load({ ...plan, kind: "get", port: service.port });
      const used = cpuBetween(before, cpu());
      const base = await load({ ...plan, kind: "bare", port: bare.port });
      const [rate, bareRate] = [ours.good / ours.seconds, base.good / base.seconds];
      ratios.push(rate / bareRate);
      const cells = [
        round,
        rate.toFixed(0),
        ...roundCells(ours, used),
        bareRate.toFixed(0),
        (rate / bareRate).toFixed(2),
      ];
      console.log(`| ${cells.join(" | ")} |`);
    }
    console.log(`\nMedian ratio ${median(ratios).toFixed(2)}.`);
  } finally {
    bare.stop();
    await service.remove();
  }
}
