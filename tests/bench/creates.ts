import type { Database } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";
import { startOpenService } from "../faults/serviceDatabase.ts";
import { databaseUrlOf } from "../harness/apiProcess.ts";
import { localChain } from "../harness/service.ts";
import { runBaseline } from "./baseline.ts";
import { cpuBetween, cpuMeter } from "./cpu.ts";
import type { LoadPlan, LoadResult } from "./load.ts";
import { seedBusinesses } from "./seed.ts";
import { load, median, ROUND_COLUMNS, roundCells } from "./startLoad.ts";

const WARM_MS = 3_000;
/** Load on each of the two builds between a checkpoint and the measurement after it. */
const AGAIN_MS = 6_000;
/** Segments of the log, of 16 MB, taken into use before the first round. */
const SEGMENTS = 60;

const COLUMNS = [
  "round",
  "creates/s",
  ...ROUND_COLUMNS,
  "pgbench/s",
  "ratio",
  "half the rate: p50 ms",
  "p99 ms",
  "alone: p50 ms",
  "p99 ms",
  "pgbench alone: ms",
  "twice the rate: good/s",
];

interface Round {
  readonly rate: number;
  readonly ratio: number;
  readonly half: LoadResult;
  readonly alone: LoadResult;
  readonly baseAlone: number;
  /** Good answers at twice the rate, as a share of the rate. */
  readonly twice: number;
}

/**
 * Creates a second, an Idempotency-Key each, against pgbench writing the same rows one statement a transaction; the
 * latency at half that rate and of one client alone; and the good answers at twice the rate. All of it in each round.
 */
export async function benchCreates(args: readonly string[]): Promise<void> {
  const [rounds = 5, seconds = 5, connections = 64, businesses = 1_000] = args.map(Number);
  const service = await startOpenService({ embedded: true, env: { ...localChain({ slotMs: 400 }) } });
  try {
    const { database, recipient, asset, port } = service;
    const url = await databaseUrlOf(service);
    const keys = await seedBusinesses(database, businesses);
    const plan: Omit<LoadPlan, "tag"> = {
      kind: "create",
      port,
      connections,
      durationMs: seconds * 1_000,
      ratePerSecond: null,
      keys,
      ids: [],
      recipient,
      asset,
    };
    const base = { clients: 16, seconds, businesses, recipient, asset };
    const cpu = await cpuMeter(service.process.pid!, database);
    await load({ ...plan, tag: "warm", durationMs: WARM_MS });
    await runBaseline(url, { ...base, seconds: 1 });
    await useSegments(database);

    const found: Round[] = [];
    console.log(`| ${COLUMNS.join(" | ")} |\n|${"---|".repeat(COLUMNS.length)}`);
    for (let round = 1; round <= rounds; round++) {
      // Used segments of the log come back to be used again, as they do where a service has run for long.
      await database.rows(sql`checkpoint`);
      // The first change of a page after a checkpoint logs the whole page, which is not measured here.
      await load({ ...plan, tag: `again${round}`, durationMs: AGAIN_MS });
      await runBaseline(url, { ...base, seconds: AGAIN_MS / 1_000 });
      const before = cpu();
      const ours = await load({ ...plan, tag: `full${round}` });
      const used = cpuBetween(before, cpu());
      const rate = ours.good / ours.seconds;
      // The second measurement follows at once, since the machine's own speed changes within a minute.
      const half = await load({ ...plan, tag: `half${round}`, ratePerSecond: rate / 2 });
      const twice = await load({
        ...plan,
        tag: `twice${round}`,
        ratePerSecond: rate * 2,
        connections: connections * 8,
      });
      const { perSecond } = await runBaseline(url, base);
      const alone = await load({ ...plan, tag: `alone${round}`, connections: 1 });
      const baseAlone = 1_000 / (await runBaseline(url, { ...base, clients: 1 })).perSecond;
      const ratio = rate / perSecond;
      found.push({ rate, ratio, half, alone, baseAlone, twice: twice.good / twice.seconds / rate });
      const cells = [
        round,
        rate.toFixed(0),
        ...roundCells(ours, used),
        perSecond.toFixed(0),
        ratio.toFixed(2),
        half.p50Ms.toFixed(1),
        half.p99Ms.toFixed(1),
        alone.p50Ms.toFixed(2),
        alone.p99Ms.toFixed(2),
        baseAlone.toFixed(2),
        (twice.good / twice.seconds).toFixed(0),
      ];
      const refused = [ours, half, alone].filter(({ good, answered }) => good !== answered);
      console.log(`| ${cells.join(" | ")} |${refused.map(({ statuses }) => ` ${JSON.stringify(statuses)}`).join("")}`);
    }
    const middle = (of: (round: Round) => number) => median(found.map(of));
    console.log(`
Medians: ${middle((round) => round.rate).toFixed(0)} creates/s, ${middle((round) => round.ratio).toFixed(2)} of pgbench.
At half that rate: p50 ${middle((round) => round.half.p50Ms).toFixed(1)} ms, p99 ${middle((round) => round.half.p99Ms).toFixed(1)} ms.
One client alone: p50 ${middle((round) => round.alone.p50Ms).toFixed(2)} ms; a transaction of pgbench alone: ${middle((round) => round.baseAlone).toFixed(2)} ms.
At twice the rate: ${middle((round) => round.twice).toFixed(2)} of capacity answered well.`);
  } finally {
    await service.remove();
  }
}

/**
 * Takes the segments of the log into use before measuring. PostgreSQL fills a new segment with zeros while all commits wait;
 * it reuses an old one as it is. A new cluster has no old segments, and at full rate needs one every second.
 */
async function useSegments(database: Database): Promise<void> {
  for (let segment = 0; segment < SEGMENTS; segment++)
    await database.rows(sql`select pg_logical_emit_message(false, 'bench', ''), pg_switch_wal()`);
}
