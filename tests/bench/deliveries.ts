import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newKeyRing, showKeyRing } from "../../server/features/webhooks/sending/secret.ts";
import { sql } from "../../server/store/sql.ts";
import { type OpenService, startOpenService } from "../faults/serviceDatabase.ts";
import { databaseUrlOf } from "../harness/apiProcess.ts";
import { createAuthority } from "../harness/certificates.ts";
import { localChain } from "../harness/service.ts";
import { runBaseline } from "./baseline.ts";
import { type CpuMs, cpuBetween, cpuMeter } from "./cpu.ts";
import type { LoadPlan } from "./load.ts";
import { seedBusinesses, seedEndpoints } from "./seed.ts";
import { load, median } from "./startLoad.ts";
import { type Receiving, startReceiving } from "./startReceiver.ts";

const DOMAIN = "shop-demo.com";
const WARM_MS = 3_000;
/** Part of the median rate that is held for the latency, as steady traffic. */
const HELD = 0.8;
const ARRIVAL_MS_MAX = 120_000;
const LOOK_MS = 20;

/**
 * Creates that each cause one delivery over HTTPS, to a receiver in a process of its own: how many a second from the first
 * create to the last arrival, the CPU of each process, and how long after its recording began an event arrived. In
 * interleaved rounds with pgbench, which writes the same rows and delivers nothing.
 */
export async function benchDeliveries(args: readonly string[]): Promise<void> {
  const [rounds = 5, seconds = 5, connections = 64, businesses = 1_000] = args.map(Number);
  const folder = await mkdtemp(join(tmpdir(), "holdfast-bench-"));
  const authority = createAuthority();
  const receiving = await startReceiving(authority.issue([`*.${DOMAIN}`]));
  const names = Array.from({ length: businesses }, (_, index) => `h${index + 1}.${DOMAIN}`);
  const ring = newKeyRing();
  await writeFile(join(folder, "ca.pem"), authority.ca);
  const service = await startOpenService({
    embedded: true,
    env: {
      ...localChain({ slotMs: 400 }),
      WEBHOOK_CA_FILE: join(folder, "ca.pem"),
      WEBHOOK_KEYS: JSON.stringify(showKeyRing(ring)),
      WEBHOOK_DEV_HOSTS: JSON.stringify(Object.fromEntries(names.map((name) => [name, `127.0.0.1:${receiving.port}`]))),
    },
  });
  try {
    const url = await databaseUrlOf(service);
    const keys = await seedBusinesses(service.database, businesses);
    await seedEndpoints(service.database, ring, names);
    // For pgbench: its deliveries are held, and taken away after each round.
    await seedBusinesses(service.database, businesses, businesses + 1);
    await seedEndpoints(service.database, ring, names, { first: businesses + 1, held: true });
    const plan: Plan = {
      kind: "create",
      port: service.port,
      connections,
      keys,
      ids: [],
      recipient: service.recipient,
      asset: service.asset,
    };
    const base = {
      clients: 16,
      seconds,
      first: businesses + 1,
      businesses,
      recipient: service.recipient,
      asset: service.asset,
    };
    const measure = await meter(service, receiving, plan);
    await measure({ tag: "warm", durationMs: WARM_MS, ratePerSecond: null });
    await runBaseline(url, { ...base, seconds: 1 });
    await dropHeld(service);

    const measured: Measured[] = [];
    console.log(`| round | ${HEADS} | pgbench/s | ratio |\n|${"---|".repeat(13)}`);
    for (let round = 1; round <= rounds; round++) {
      const ours = await measure({ tag: `r${round}`, durationMs: seconds * 1_000, ratePerSecond: null });
      const { perSecond } = await runBaseline(url, base);
      await dropHeld(service);
      measured.push(ours);
      console.log(
        `| ${round} | ${cellsOf(ours).join(" | ")} | ${perSecond.toFixed(0)} | ${(ours.perSecond / perSecond).toFixed(2)} |${ours.note}`,
      );
    }
    const most = median(measured.map((one) => one.perSecond));
    const held = await measure({ tag: "held", durationMs: seconds * 1_000, ratePerSecond: most * HELD });
    console.log(`
Median: ${most.toFixed(0)} deliveries/s, ${median(measured.map((one) => one.bothMs)).toFixed(3)} CPU-ms of service and PostgreSQL for a create and its delivery.
At ${HELD} of that rate:

| ${HEADS} |
|${"---|".repeat(10)}
| ${cellsOf(held).join(" | ")} |${held.note}`);
  } finally {
    receiving.stop();
    await service.remove();
    await rm(folder, { recursive: true });
  }
}

type Plan = Omit<LoadPlan, "tag" | "durationMs" | "ratePerSecond">;
type Turn = Pick<LoadPlan, "tag" | "durationMs" | "ratePerSecond">;

interface Measured {
  readonly perSecond: number;
  /** Deliveries created by the load's end that had not arrived by then. */
  readonly left: number;
  /** CPU for each create and delivery. */
  readonly eachMs: CpuMs;
  /** Service and PostgreSQL. */
  readonly bothMs: number;
  readonly receiverMs: number;
  readonly loadMs: number;
  /** TLS connections made to the receiver. */
  readonly connections: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Violations: answers other than 201, and events that came twice. */
  readonly note: string;
}

const HEADS =
  "deliveries/s | left at the load's end | service CPU-ms each | PostgreSQL | both | receiver | load | new connections | p50 ms | p99 ms";

const cellsOf = (one: Measured): string[] => [
  one.perSecond.toFixed(0),
  String(one.left),
  one.eachMs.service.toFixed(3),
  one.eachMs.postgres.toFixed(3),
  one.bothMs.toFixed(3),
  one.receiverMs.toFixed(3),
  one.loadMs.toFixed(3),
  String(one.connections),
  one.p50Ms.toFixed(1),
  one.p99Ms.toFixed(1),
];

/** A way to put a load on the service and wait until every event of it has arrived and been written down. */
async function meter(
  service: OpenService,
  receiving: Receiving,
  plan: Plan,
): Promise<(turn: Turn) => Promise<Measured>> {
  const cpu = await cpuMeter(service.process.pid!, service.database);
  return async (turn) => {
    const before = await receiving.take();
    const countBefore = await receiving.count();
    const cpuBefore = cpu();
    const startedAt = Date.now();
    const made = await load({ ...plan, ...turn });
    const left = countBefore + made.good - (await receiving.count());
    const deadline = Date.now() + ARRIVAL_MS_MAX;
    while ((await receiving.count()) < countBefore + made.good) {
      if (Date.now() > deadline) throw new Error(`Not every event arrived within ${ARRIVAL_MS_MAX / 1_000} s.`);
      await sleep(LOOK_MS);
    }
    while ((await countLeft(service)) > 0) await sleep(LOOK_MS);
    const used = cpuBetween(cpuBefore, cpu());
    const came = await receiving.take();
    const arrivals = Object.entries(came.at);
    const seconds = (Math.max(...arrivals.map(([, at]) => at)) - startedAt) / 1_000;
    const recorded = new Map(
      (
        await service.database.rows<{ id: string; at: number }>(sql`
          select id, extract(epoch from recorded_at)::double precision * 1000 as at
          from events where recorded_at >= ${new Date(startedAt - 1_000)}`)
      ).map(({ id, at }) => [id, at]),
    );
    const waits = arrivals.map(([id, at]) => at - recorded.get(id)!).sort((a, b) => a - b);
    const each = (ms: number) => ms / made.good;
    return {
      perSecond: made.good / seconds,
      left,
      eachMs: { service: each(used.service), postgres: each(used.postgres), chain: each(used.chain) },
      bothMs: each(used.service + used.postgres),
      receiverMs: each(came.cpuMs - before.cpuMs),
      loadMs: each(made.cpuMs),
      connections: came.connections - before.connections,
      p50Ms: waits[Math.floor(waits.length * 0.5)]!,
      p99Ms: waits[Math.floor(waits.length * 0.99)]!,
      note: [
        made.good === made.answered ? "" : ` ${JSON.stringify(made.statuses)}`,
        came.repeated === before.repeated ? "" : ` ${came.repeated - before.repeated} came twice`,
      ].join(""),
    };
  };
}

const HELD_OF_BASELINE = sql`
  select e.business_id from webhook_endpoints e where e.status = 'disabled'`;

async function countLeft(service: OpenService): Promise<number> {
  const row = await service.database.row<{ count: string }>(sql`
    select count(*) from webhook_queue where business_id not in (${HELD_OF_BASELINE})`);
  return Number(row!.count);
}

async function dropHeld(service: OpenService): Promise<void> {
  await service.database.rows(sql`delete from webhook_queue where business_id in (${HELD_OF_BASELINE})`);
  await service.database.rows(sql`vacuum webhook_queue`);
}
