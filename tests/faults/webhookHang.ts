import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../server/store/sql.ts";
import { eventually } from "../harness/wait.ts";
import { countByDelivery, openWebhookService, quantile, type WebhookService } from "./webhookService.ts";

export interface HangOptions {
  readonly backlog: number;
  readonly seconds: number;
  readonly eventsPerSecond: number;
}

/** An endpoint of ten hangs, with a backlog. Measures how long the events of the other nine take, without it and with it. */
export async function runHangingNeighbour({ backlog, seconds, eventsPerSecond }: HangOptions) {
  let hanging = false;
  await using service = await openWebhookService(10, 1, (request, response) => {
    if (!(hanging && request.headers.host === "h0.shop-demo.com")) response.end("ok");
  });
  service.startWorker();
  await measure(service, 2, eventsPerSecond);
  const without = await measure(service, seconds, eventsPerSecond);
  hanging = true;
  for (let recorded = 0; recorded < backlog; recorded += 1_000)
    await service.fixture.recordEvents(
      Math.min(1_000, backlog - recorded),
      "payment_intent.created",
      service.tenants[0],
    );
  // The first attempts are under way, and hang.
  await sleep(500);
  const beside = await measure(service, seconds, eventsPerSecond);
  const hung = service.receiver.received.filter(
    (one) => one.headers.host === "h0.shop-demo.com" && one.at > beside.startedAt,
  );
  return {
    backlog,
    backlogLeft: await countBacklog(service),
    hungAttempts: hung.length,
    p50Without: round(without.p50),
    p99Without: round(without.p99),
    p50Beside: round(beside.p50),
    p99Beside: round(beside.p99),
    p99Ratio: round(beside.p99 / without.p99),
  };
}

/** The deliveries to the endpoint that hangs which have not ended. */
async function countBacklog({ fixture, endpoints }: WebhookService): Promise<number> {
  const row = await fixture.database.row<{ count: string }>(
    sql`select count(*) from webhook_queue where endpoint_id = ${endpoints[0]!.issued.endpoint.id}`,
  );
  return Number(row!.count);
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Records events for all but the first tenant, evenly; returns the times from commit to arrival, in ms. */
export async function measure(service: WebhookService, seconds: number, eventsPerSecond: number) {
  const startedAt = performance.now();
  const committedAt = new Map<string, number>();
  const from = service.receiver.received.length;
  const recordings: Promise<void>[] = [];
  const others = service.tenants.length > 1 ? service.tenants.slice(1) : service.tenants;
  for (let count = 0; count < seconds * eventsPerSecond; count++) {
    const tenant = others[count % others.length]!;
    const recorded = service.fixture.recordEvents(1, "payment_intent.created", tenant);
    recordings.push(recorded.then(([id]) => void committedAt.set(id!, performance.now())));
    await sleep(Math.max(0, startedAt + ((count + 1) * 1_000) / eventsPerSecond - performance.now()));
  }
  await Promise.all(recordings);
  const mine = () =>
    service.receiver.received.slice(from).filter((one) => committedAt.has(String(one.headers["service-event-id"])));
  await eventually("all of them arrive", () => mine().length >= committedAt.size);
  assert.equal(countByDelivery(service, mine()).size, mine().length, "none comes twice");
  const waits = mine().map((one) => one.at - committedAt.get(String(one.headers["service-event-id"]))!);
  return {
    startedAt,
    p50: quantile(waits, 0.5),
    p99: quantile(waits, 0.99),
    max: Math.max(...waits),
    count: waits.length,
  };
}
