// A handler in plain Node.js.
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { verifyWebhook, WebhookError } from "@holdfast/sdk/webhooks";
import { handle } from "./orders.mjs";

// While a secret is rolled there are two.
const secrets = process.env.HOLDFAST_WEBHOOK_SECRET.split(" ");

createServer(async (request, response) => {
  try {
    handle(await verifyWebhook(await buffer(request), request.headers, secrets));
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookError ? 400 : 500).end();
  }
}).listen(Number(process.env.PORT), "127.0.0.1");
