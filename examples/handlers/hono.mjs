// A handler in Hono, here on Node.js.
import { verifyWebhook, WebhookError } from "@holdfast/sdk/webhooks";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { handle } from "./orders.mjs";

const secrets = process.env.HOLDFAST_WEBHOOK_SECRET.split(" ");
const app = new Hono();

app.post("/hooks", async (context) => {
  handle(await verifyWebhook(await context.req.arrayBuffer(), context.req.raw, secrets));
  return context.body(null, 204);
});
app.onError((error, context) => context.body(null, error instanceof WebhookError ? 400 : 500));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: "127.0.0.1" });
