import assert from "node:assert/strict";
import { test } from "node:test";
import { runWebhookModel } from "./webhookModel.ts";

test("§6.4 random histories of deliveries follow the document's schedule and limits", async () => {
  const figures = await runWebhookModel({ seed: 1, histories: 60, steps: 90 });
  assert.ok(
    figures.abandoned! > 10 && figures.disabled! > 0,
    `the histories reach every state: ${JSON.stringify(figures)}`,
  );
});
