import assert from "node:assert/strict";
import { test } from "node:test";
import { runWebhookModel } from "./webhookModel.ts";

test("§6.4 schedule, abandonment, disabling, resend, enable and roll follow the document over random histories", async () => {
  const figures = await runWebhookModel({ seed: 1, histories: 60, steps: 60 });
  assert.ok(
    figures.abandoned! > 10 && figures.disabled! > 0,
    `the histories reach every state: ${JSON.stringify(figures)}`,
  );
});
