import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createNotifier } from "../../server/features/webhooks/delivery/notify.ts";
import { log } from "../../server/lib/log.ts";
import { sql } from "../../server/store/sql.ts";
import { measure } from "./webhookHang.ts";
import { awaitDelivered, countByDelivery, openWebhookService } from "./webhookService.ts";

const round = (value: number): number => Math.round(value * 100) / 100;

/** Sends events to ten endpoints without a fault: each receives all of them once, and a library of another maker verifies them. */
export async function runWebhookLoad({ events }: { readonly events: number }) {
  await using service = await openWebhookService(2, 5);
  service.startWorker();
  const startedAt = performance.now();
  for (let recorded = 0; recorded < events; recorded += 20)
    await service.fixture.recordEvents(
      Math.min(20, events - recorded),
      "payment_intent.created",
      service.tenants[(recorded / 20) % 2],
    );
  await awaitDelivered(service);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { received } = service.receiver;
  const row = await service.fixture.database.row<{ count: string }>(sql`select count(*) from webhook_attempts`);
  const attempts = Number(row!.count);
  assert.equal(countByDelivery(service, received).size, events * 5, "none is lost");
  // On an overloaded machine a receiver may miss its time; then the delivery is tried again, and may come twice (§6.4).
  assert.ok(received.length <= attempts, `${received.length} requests came of ${attempts} attempts`);
  assert.equal(service.countUnverified(received), 0);
  return {
    events,
    endpoints: 10,
    deliveries: events * 5,
    requests: received.length,
    attempts,
    perSecond: Math.round(received.length / seconds),
  };
}

export interface LatencyOptions {
  readonly seconds: number;
  readonly eventsPerSecond: number;
  /** The worker in a process of its own, woken by NOTIFY. */
  readonly apart: boolean;
  /** Seconds that a write transaction is held open, in this database and in another, while it is measured again. */
  readonly pinnedSeconds: number;
}

/** From commit to arrival at a loopback receiver. */
export async function runWebhookLatency({ seconds, eventsPerSecond, apart, pinnedSeconds }: LatencyOptions) {
  await using service = await openWebhookService(1, 1);
  if (apart) {
    await service.spawnWorker();
    service.onEventsRecorded(createNotifier(service.fixture.database, log));
  } else service.startWorker();
  await measure(service, 3, eventsPerSecond);
  const free = await measure(service, seconds, eventsPerSecond);
  const figures = {
    apart: String(apart),
    count: free.count,
    p50Ms: round(free.p50),
    p99Ms: round(free.p99),
    maxMs: round(free.max),
  };
  if (pinnedSeconds === 0) return figures;
  const ends = [await holdWrite(service.fixture.url, null), await holdWrite(service.fixture.url, "postgres")];
  try {
    await sleep(500);
    const pinned = await measure(service, pinnedSeconds, eventsPerSecond);
    return { ...figures, pinnedSeconds, pinnedP50Ms: round(pinned.p50), pinnedP99Ms: round(pinned.p99) };
  } finally {
    for (const end of ends) await end();
  }
}

/** Opens a transaction that has written and stays open: it holds back every vacuum. A null URL means this database. */
async function holdWrite(url: string, database: string | null): Promise<() => Promise<void>> {
  const where = new URL(url);
  if (database !== null) where.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: where.href });
  await client.connect();
  await client.query("begin isolation level repeatable read");
  await client.query("create temporary table held (id integer)");
  await client.query("insert into held values (1)");
  return async () => {
    await client.query("rollback");
    await client.end();
  };
}
