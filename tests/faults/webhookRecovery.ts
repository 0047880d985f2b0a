import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { EndpointLease } from "../../server/features/webhooks/delivery/endpointLease.ts";
import { sql } from "../../server/store/sql.ts";
import { awaitDelivered, countByDelivery, openWebhookService, quantile } from "./webhookService.ts";

export interface RecoveryOptions {
  readonly endpoints: number;
  /** Events of each endpoint from the time it was down. */
  readonly backlog: number;
  /** New events of each after it is back. */
  readonly fresh: number;
}

/**
 * Every endpoint is down for four hours, then up. Only the database's clock passes: rows are made due. Everything arrives,
 * no endpoint has more under way than a cap that starts at 1 and grows by runs of successes, and new events pass the
 * backlog.
 */
export async function runRecovery({ endpoints, backlog, fresh }: RecoveryOptions) {
  let up = false;
  // The concurrency that each endpoint's own successes allow. The receiver ends an answer before the worker hears of it.
  const limits = new Map<string, EndpointLease>();
  const inFlight = new Map<string, number>();
  let broken = 0;
  let capSeen = 0;
  await using service = await openWebhookService(endpoints, 1, (request, response) => {
    const host = String(request.headers.host);
    if (!up) return void response.destroy();
    const limit = limits.get(host)!;
    const now = (inFlight.get(host) ?? 0) + 1;
    inFlight.set(host, now);
    if (now > limit.concurrencyLimit) broken++;
    capSeen = Math.max(capSeen, now);
    setTimeout(() => {
      limit.inFlight++;
      limit.ended("succeeded");
      inFlight.set(host, inFlight.get(host)! - 1);
      response.end("ok");
    }, 5);
  });
  service.startWorker();
  const recorded: string[] = [];
  for (const tenant of service.tenants)
    for (let count = 0; count < backlog; count += 500)
      recorded.push(
        ...(await service.fixture.recordEvents(Math.min(500, backlog - count), "payment_intent.created", tenant)),
      );
  await sleep(3_000);
  for (const { host } of service.endpoints) {
    const limit = new EndpointLease("biz_1", host);
    while (limit.concurrencyLimit > 1) {
      limit.inFlight++;
      limit.ended("overloaded");
    }
    limits.set(host, limit);
  }
  const triedWhileDown = service.receiver.received.length;
  up = true;
  const from = service.receiver.received.length;
  // The failures of this moment must be recorded first, or they would be due a minute later.
  await sleep(500);
  await service.fixture.database.rows(
    sql`update webhook_queue set due_at = now() - random() * interval '4 hours' where leased_until is null`,
  );
  const upAt = performance.now();
  const committedAt = new Map<string, number>();
  for (let count = 0; count < fresh; count++) {
    for (const tenant of service.tenants) {
      const [id] = await service.fixture.recordEvents(1, "payment_intent.created", tenant);
      committedAt.set(id!, performance.now());
    }
    await sleep(50);
  }
  const queueWhenRecorded = await service.pending();
  await awaitDelivered(service);
  const seconds = (performance.now() - upAt) / 1_000;

  const received = service.receiver.received.slice(from);
  assert.equal(countByDelivery(service, received).size, recorded.length + committedAt.size, "everything arrives");
  assert.equal(received.length, recorded.length + committedAt.size, "once");
  assert.equal(broken, 0, "never more under way than the runs of successes allow");
  const waits = received.flatMap((one) => {
    const at = committedAt.get(String(one.headers["service-event-id"]));
    return at === undefined ? [] : [one.at - at];
  });
  const lastNew = received.findLastIndex((one) => committedAt.has(String(one.headers["service-event-id"])));
  return {
    endpoints,
    backlog: recorded.length,
    arrivedAfterTheNew: received.length - 1 - lastNew,
    triedWhileDown,
    mostAtOnce: capSeen,
    stillQueuedAfterTheNew: queueWhenRecorded,
    newP50Ms: Math.round(quantile(waits, 0.5)),
    newMaxMs: Math.round(Math.max(...waits)),
    drainedInSeconds: Math.round(seconds),
  };
}
