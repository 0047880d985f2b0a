import assert from "node:assert/strict";
import { test } from "node:test";
import { inForm } from "../harness/form.ts";
import { runWebhookModel } from "./webhookModel.ts";

test("§6.4 random histories of deliveries follow the document's schedule and limits", async () => {
  const size = inForm({ short: { histories: 20, steps: 45 }, long: { histories: 60, steps: 60 } });
  const figures = await runWebhookModel({ seed: 1, ...size });
  assert.ok(
    figures.abandoned! > 10 && figures.disabled! > 0,
    `the histories reach every state: ${JSON.stringify(figures)}`,
  );
});
