import assert from "node:assert/strict";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../server/store/sql.ts";
import { Random } from "./random.ts";
import {
  awaitDelivered,
  countByDelivery,
  openWebhookService,
  type SpawnedWorker,
  type WebhookService,
} from "./webhookService.ts";

export interface KillOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly workers: number;
  readonly eventsPerSecond: number;
  /** The time for which one worker is frozen: past its lease of 30 s, or 0. */
  readonly frozenMs: number;
  /** Ends the leases by hand at the end instead of waiting for them. */
  readonly hurry?: boolean;
}

/**
 * Workers run in processes of their own under load: one is killed every second, one is frozen past its lease and woken. No
 * event is lost, only those in flight come twice, and the late results of the frozen worker change nothing.
 */
export async function runWebhookKills({
  seed,
  seconds,
  workers,
  eventsPerSecond,
  frozenMs,
  hurry = false,
}: KillOptions) {
  const random = new Random(seed);
  await using service = await openWebhookService(2, 5, (_request, response) => {
    setTimeout(() => response.end("ok"), random.whole(0, 30));
  });
  const running = await Promise.all(Array.from({ length: workers }, () => service.spawnWorker()));
  const frozen = frozenMs > 0 ? await service.spawnWorker() : null;
  let killed = 0;
  /** The time at which a process was killed or frozen, by the port it sent to. */
  const ends = new Map<number, number>();
  const end = ({ process, port }: SpawnedWorker, signal: NodeJS.Signals) => {
    process.kill(signal);
    ends.set(port, performance.now());
  };
  const recorded: string[] = [];
  for (let second = 0; second < seconds; second++) {
    const endsAt = performance.now() + 1_000;
    for (const tenant of service.tenants)
      recorded.push(
        ...(await service.fixture.recordEvents(
          Math.ceil(eventsPerSecond / service.tenants.length),
          "payment_intent.created",
          tenant,
        )),
      );
    if (second === 1 && frozen !== null) end(frozen, "SIGSTOP");
    const place = random.whole(0, running.length - 1);
    end(running[place]!, "SIGKILL");
    killed++;
    running[place] = await service.spawnWorker();
    await sleep(Math.max(0, endsAt - performance.now()));
  }
  if (frozen !== null) {
    await sleep(Math.max(0, frozenMs - seconds * 1_000));
    await awaitDelivered(service);
    frozen.process.kill("SIGCONT");
    await sleep(1_500);
  }
  if (hurry) {
    // Living workers end their claims, or give them back: the leases that are left belong to workers that were killed.
    for (const worker of running) end(worker, "SIGTERM");
    await Promise.all(running.map(({ process }) => once(process, "exit")));
    await service.fixture.database.rows(sql`update webhook_queue set leased_until = now() where leased_until > now()`);
    await service.spawnWorker();
  }
  await awaitDelivered(service);

  const counts = countByDelivery(service, service.receiver.received);
  assert.equal(counts.size, recorded.length * 5, "everything arrived");
  assert.equal(service.countUnverified(service.receiver.received), 0);
  const duplicates = service.receiver.received.length - counts.size;
  const finished = await service.fixture.database.row<{ count: string; succeeded: string }>(
    sql`select count(*) as count, count(*) filter (where status = 'succeeded') as succeeded from webhook_deliveries`,
  );
  assert.deepEqual(
    [finished!.count, finished!.succeeded],
    [String(counts.size), String(counts.size)],
    "each ended once",
  );
  const logged = await service.fixture.database.row<{ count: string }>(
    sql`select count(*) from webhook_attempts where succeeded`,
  );
  assert.equal(Number(logged!.count), counts.size, "no late result was written beside another's");
  await checkDuplicates(service, ends);
  return { deliveries: counts.size, killed, duplicates, frozenMs };
}

/**
 * Checks that every request of a delivery but the last came from a process that was killed or frozen with the request under
 * way: the one recorded attempt began after its end, so the result of this request was
 * never recorded.
 */
async function checkDuplicates(service: WebhookService, ends: ReadonlyMap<number, number>): Promise<void> {
  const rows = await service.fixture.database.rows<{ event_id: string; endpoint_id: string; started: string }>(
    sql`select event_id, endpoint_id, extract(epoch from started_at) * 1000 as started from webhook_attempts where succeeded`,
  );
  // Both run on one machine, so the database's clock converts to this process's steady time.
  const startedAt = new Map(
    rows.map((row) => [`${row.event_id} ${row.endpoint_id}`, Number(row.started) - performance.timeOrigin]),
  );
  const idOf = new Map(service.endpoints.map(({ host, issued }) => [host, issued.endpoint.id]));
  const deliveries = Map.groupBy(
    service.receiver.received,
    (one) => `${one.headers["service-event-id"]} ${idOf.get(service.hostOf(one))}`,
  );
  for (const [delivery, requests] of deliveries)
    for (const [index, request] of requests.entries()) {
      const endedAt = ends.get(request.port) ?? Number.POSITIVE_INFINITY;
      const describe = () =>
        `requests ${JSON.stringify(requests.map(({ port, at }) => ({ at, endedAt: ends.get(port) })))}, the one written down began at ${startedAt.get(delivery)}`;
      if (index === requests.length - 1) continue;
      assert.ok(
        endedAt < Number.POSITIVE_INFINITY,
        `${delivery} came twice though its first process lived; ${describe()}`,
      );
      assert.ok(startedAt.get(delivery)! > endedAt, `${delivery} came again though it was written down; ${describe()}`);
    }
}
