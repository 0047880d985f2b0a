// A handler in Express. `express.raw` keeps the body as it arrived; no `express.json()` may come before it.
import { verifyWebhook, WebhookError } from "@holdfast/sdk/webhooks";
import express from "express";
import { handle } from "./orders.mjs";

const secrets = process.env.HOLDFAST_WEBHOOK_SECRET.split(" ");
const app = express();

app.post("/hooks", express.raw({ type: "application/json", limit: "1mb" }), async (request, response) => {
  handle(await verifyWebhook(request.body, request.headers, secrets));
  response.status(204).end();
});
app.use((error, _request, response, _next) => {
  response.status(error instanceof WebhookError ? 400 : 500).end();
});
app.listen(Number(process.env.PORT), "127.0.0.1");
