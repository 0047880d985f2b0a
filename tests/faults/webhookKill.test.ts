import assert from "node:assert/strict";
import { test } from "node:test";
import { inForm } from "../harness/form.ts";
import { runWebhookKills } from "./webhookKill.ts";
import { runWebhookLeases } from "./webhookLease.ts";

test("§6.4.5 workers killed under load lose nothing; their open deliveries come after the lease", async () => {
  const figures = await runWebhookKills({
    seed: 1,
    seconds: inForm({ short: 2, long: 4 }),
    workers: 2,
    eventsPerSecond: 40,
    frozenMs: 0,
    hurry: true,
  });
  assert.equal(figures.killed, inForm({ short: 2, long: 4 }));
});

test("workers that are killed and stopped leave no endpoint without one, and none over its concurrency limit", async () => {
  const figures = await runWebhookLeases({
    seed: 1,
    seconds: inForm({ short: 4, long: 8 }),
    workers: 3,
    endpoints: 40,
    eventsPerSecond: 20,
    endEverySeconds: 2,
  });
  const times = inForm({ short: 1, long: 2 });
  assert.deepEqual([figures.killed, figures.stopped], [times, times]);
});
