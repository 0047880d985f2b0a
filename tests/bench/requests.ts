import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../server/store/sql.ts";
import { startOpenService } from "../faults/serviceDatabase.ts";
import { type ApiProcess, startApiProcess } from "../harness/apiProcess.ts";
import { localChain } from "../harness/service.ts";
import type { LoadPlan } from "./load.ts";
import { seedBusinesses } from "./seed.ts";
import { load, median, ROUND_COLUMNS } from "./startLoad.ts";

const WARM_MS = 3_000;
/** Longer than what is gathered before it is written, so that one round's log is no part of the next. */
const SETTLE_MS = 1_500;

/**
 * Creates a second of two API processes on one database, one that keeps the log of requests and one that does not, by
 * turns: neither always runs in the other's wake.
 */
export async function benchRequests(args: readonly string[]): Promise<void> {
  const [rounds = 9, seconds = 5, connections = 64, perSecondMax = 500, businesses = 1_000] = args.map(Number);
  const service = await startOpenService({
    embedded: true,
    env: { ...localChain({ slotMs: 400 }), REQUEST_LOG: "off" },
  });
  const started: ApiProcess[] = [];
  try {
    const { database, recipient, asset } = service;
    const keys = await seedBusinesses(database, businesses);
    const start = async (env: Readonly<Record<string, string>>): Promise<number> => {
      const process = await startApiProcess(service, env);
      started.push(process);
      return process.service.port;
    };
    const ports = {
      off: await start({ REQUEST_LOG: "off" }),
      on: await start({ REQUEST_LOG: "on", REQUEST_LOG_PER_SECOND_MAX: String(perSecondMax) }),
    };
    const run = (kind: keyof typeof ports, tag: string, durationMs: number) => {
      const plan: Omit<LoadPlan, "port" | "durationMs" | "tag"> = {
        ...{ kind: "create", connections, ratePerSecond: null, keys, ids: [], recipient, asset },
      };
      return load({ ...plan, port: ports[kind], durationMs, tag });
    };
    for (const kind of ["off", "on"] as const) await run(kind, `warm-${kind}`, WARM_MS);

    const latency = ROUND_COLUMNS.slice(0, 2).map((name) => `${name} off | on`);
    const columns = ["round", "off: creates/s", "on: creates/s", "on ÷ off", ...latency, "logged", "load"];
    console.log(`| ${columns.join(" | ")} |\n|${"---|".repeat(columns.length + latency.length)}`);
    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      await database.rows(sql`checkpoint`);
      const before = await countLogged(database);
      const found: Record<string, Awaited<ReturnType<typeof load>>> = {};
      for (const kind of round % 2 === 1 ? (["off", "on"] as const) : (["on", "off"] as const)) {
        await sleep(SETTLE_MS);
        found[kind] = await run(kind, `${kind}-${round}`, seconds * 1_000);
        if (found[kind].good !== found[kind].answered)
          throw new Error(`${kind}, round ${round}: ${JSON.stringify(found[kind].statuses)}`);
      }
      await sleep(SETTLE_MS);
      const [off, on] = [found.off!, found.on!];
      const rate = (one: typeof on) => one.good / one.seconds;
      ratios.push(rate(on) / rate(off));
      const cells = [
        round,
        rate(off).toFixed(0),
        rate(on).toFixed(0),
        ratios.at(-1)!.toFixed(3),
        ...[off.p50Ms, on.p50Ms, off.p99Ms, on.p99Ms].map((ms) => ms.toFixed(1)),
        (await countLogged(database)) - before,
        loadavg()[0]!.toFixed(1),
      ];
      console.log(`| ${cells.join(" | ")} |`);
    }
    const sorted = ratios.toSorted((a, b) => a - b);
    console.log(
      `\nMedian: ${median(ratios).toFixed(3)} of creates/s without the log (${sorted[0]!.toFixed(3)} to ${sorted.at(-1)!.toFixed(3)} by round).`,
    );
  } finally {
    for (const process of started) await process.kill("SIGTERM");
    await service.remove();
  }
}

async function countLogged(database: Awaited<ReturnType<typeof startOpenService>>["database"]): Promise<number> {
  const row = await database.row<{ count: string }>(sql`select count(*) from request_log`);
  return Number(row!.count);
}
