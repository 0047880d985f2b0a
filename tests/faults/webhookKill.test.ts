import assert from "node:assert/strict";
import { test } from "node:test";
import { runWebhookKills } from "./webhookKill.ts";

test("§6.4.5 workers killed under load lose nothing; their open deliveries come after the lease", async () => {
  const figures = await runWebhookKills({
    seed: 1,
    seconds: 4,
    workers: 2,
    eventsPerSecond: 40,
    frozenMs: 0,
    hurry: true,
  });
  assert.equal(figures.killed, 4);
});
