import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { EndpointLease } from "../../server/features/webhooks/delivery/endpointLease.ts";
import { createNotifier } from "../../server/features/webhooks/delivery/notify.ts";
import { STOP_MS } from "../../server/features/webhooks/delivery/worker.ts";
import { log } from "../../server/lib/log.ts";
import { sql } from "../../server/store/sql.ts";
import { Random } from "./random.ts";
import { awaitDelivered, countByDelivery, openWebhookService, type SpawnedWorker } from "./webhookService.ts";

export interface LeaseOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly workers: number;
  readonly endpoints: number;
  readonly eventsPerSecond: number;
  /** The time between two ends of a worker, a kill and a stop by turns. A new worker takes its place. */
  readonly endEverySeconds: number;
}

const PER_BUSINESS = 5;
const LOOK_MS = 250;

/**
 * Workers in processes of their own share many endpoints; they are killed and stopped in turn. No endpoint is without an
 * owner for long, no endpoint has more under way than its concurrency limit by the receiver's own count, and only what was
 * under way at a kill, or at a stop that took too long, comes twice.
 */
export async function runWebhookLeases(options: LeaseOptions) {
  const { seed, seconds, workers, endpoints, eventsPerSecond, endEverySeconds } = options;
  const random = new Random(seed);
  const limits = new LimitsByReceiver();
  await using service = await openWebhookService(endpoints / PER_BUSINESS, PER_BUSINESS, (request, response) => {
    const end = limits.begin(String(request.headers.host), String(request.headers["service-event-id"]));
    // The close of a killed process's connection ends its request. An answer ends it before the worker reads the answer.
    response.once("close", end);
    setTimeout(
      () => {
        end();
        response.end("ok");
      },
      random.whole(0, 60),
    );
  });
  service.onEventsRecorded(createNotifier(service.fixture.database, log));
  const running = await Promise.all(Array.from({ length: workers }, () => service.spawnWorker()));
  const watching = new AbortController();
  const watched = watchOwners(service.fixture.database, watching.signal);
  /** The ports of processes that may have cut attempts off. */
  const cutOff = new Set<number>();
  const counts = { killed: 0, stopped: 0, slowStops: 0 };
  const { tenants } = service;
  let recorded = 0;
  for (let second = 0; second < seconds; second++) {
    const endsAt = performance.now() + 1_000;
    for (let count = 0; count < eventsPerSecond; count++) {
      await service.fixture.recordEvents(1, "payment_intent.created", tenants[random.whole(0, tenants.length - 1)]!);
      recorded++;
    }
    if (second % endEverySeconds === endEverySeconds - 1) {
      const index = random.whole(0, running.length - 1);
      // By turns, so that short runs have both.
      if (counts.killed <= counts.stopped) kill(running[index]!);
      else stop(running[index]!);
      running[index] = await service.spawnWorker();
    }
    await sleep(Math.max(0, endsAt - performance.now()));
  }
  await awaitDelivered(service);
  watching.abort();
  const ownerless = await watched;

  function kill({ process, port }: SpawnedWorker): void {
    process.kill("SIGKILL");
    cutOff.add(port);
    counts.killed++;
  }

  function stop({ process, port }: SpawnedWorker): void {
    const stoppingAt = performance.now();
    process.kill("SIGTERM");
    counts.stopped++;
    // A stop cuts off attempts that take longer than its bound, as on a machine with no time.
    process.once("exit", () => {
      if (performance.now() - stoppingAt < STOP_MS) return;
      cutOff.add(port);
      counts.slowStops++;
    });
  }

  const { received } = service.receiver;
  const deliveries = countByDelivery(service, received);
  assert.equal(deliveries.size, recorded * PER_BUSINESS, "everything arrived");
  assert.equal(service.countUnverified(received), 0);
  const requests = Map.groupBy(received, (one) => `${one.headers["service-event-id"]} ${service.hostOf(one)}`);
  for (const [delivery, all] of requests)
    for (const { port } of all.slice(0, -1))
      assert.ok(cutOff.has(port), `${delivery} came twice, though nothing cut it off`);
  assert.equal(limits.broken, 0, "never more under way than the concurrency limit");
  return {
    deliveries: deliveries.size,
    ...counts,
    repeats: received.length - deliveries.size,
    ownerlessSecondsMax: Math.round(ownerless.secondsMax * 10) / 10,
    mostAtOnce: limits.most,
  };
}

/** The concurrency limit that each endpoint's successes allow, and the requests under way, both as the receiver sees them. */
class LimitsByReceiver {
  readonly #limits = new Map<string, EndpointLease>();
  readonly #underWay = new Map<string, () => void>();
  broken = 0;
  most = 0;

  /** Counts a request. Returns the function that ends it. One of the same delivery that was cut off has ended by now. */
  begin(host: string, eventId: string): () => void {
    const delivery = `${eventId} ${host}`;
    this.#underWay.get(delivery)?.();
    const limit = this.#limits.get(host) ?? new EndpointLease("biz_1", host);
    this.#limits.set(host, limit);
    limit.inFlight++;
    this.most = Math.max(this.most, limit.inFlight);
    if (limit.inFlight > limit.concurrencyLimit) this.broken++;
    const end = () => {
      if (this.#underWay.get(delivery) !== end) return;
      this.#underWay.delete(delivery);
      limit.ended("succeeded");
    };
    this.#underWay.set(delivery, end);
    return end;
  }
}

/** Watches until aborted how long an endpoint with waiting deliveries has no living worker. Returns the longest time. */
async function watchOwners(
  database: { rows<Row>(statement: ReturnType<typeof sql>): Promise<Row[]> },
  signal: AbortSignal,
): Promise<{ readonly id: string; readonly secondsMax: number }> {
  const ownerlessSince = new Map<string, number>();
  let longest = { id: "", secondsMax: 0 };
  while (!signal.aborted) {
    // A worker that was killed is no owner: its row says when it was last renewed.
    const rows = await database.rows<{ id: string }>(sql`
      select distinct q.endpoint_id as id from webhook_queue q
      where not exists (
        select from webhook_leases l join webhook_workers w on w.id = l.leased_by
        where l.endpoint_id = q.endpoint_id and w.alive_until > now() + interval '10 seconds')`);
    const now = performance.now();
    const ownerless = new Set(rows.map(({ id }) => id));
    for (const id of ownerlessSince.keys()) if (!ownerless.has(id)) ownerlessSince.delete(id);
    for (const id of ownerless) {
      if (!ownerlessSince.has(id)) ownerlessSince.set(id, now);
      const secondsMax = (now - ownerlessSince.get(id)!) / 1_000;
      if (secondsMax > longest.secondsMax) longest = { id, secondsMax };
    }
    await sleep(LOOK_MS);
  }
  return longest;
}
