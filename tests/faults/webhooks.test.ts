import assert from "node:assert/strict";
import { test } from "node:test";
import { runHangingNeighbour } from "./webhookHang.ts";
import { runWebhookLatency, runWebhookLoad } from "./webhookLoad.ts";
import { runRecovery } from "./webhookRecovery.ts";

// Short runs: they hold the promises that do not depend on the machine's speed; the long ones give the figures.

test("§6.2 events to ten endpoints are all received, verify, and come once for each attempt", async () => {
  const figures = await runWebhookLoad({ events: 100 });
  assert.equal(figures.deliveries, 500);
});

test("an endpoint that hangs with a backlog delays no other one", async () => {
  const figures = await runHangingNeighbour({ backlog: 1_000, seconds: 2, eventsPerSecond: 30 });
  assert.ok(figures.backlogLeft > 0, "all of the others' events arrived, and the backlog still hung");
});

test("after an outage everything arrives once, at a growing concurrency, new events before the backlog", async () => {
  const figures = await runRecovery({ endpoints: 2, backlog: 500, fresh: 2 });
  assert.ok(figures.arrivedAfterTheNew > 0, "the backlog was not worked off when the last new event arrived");
});

test("a worker in another process is woken by NOTIFY, and an open transaction delays nothing", async () => {
  const figures = await runWebhookLatency({ seconds: 2, eventsPerSecond: 20, apart: true, pinnedSeconds: 2 });
  assert.equal(figures.count, 40);
});
